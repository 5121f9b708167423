// Splits Chinese in what a reader asks the search for into pairs of characters, as hooks.py does in the index.
(function () {
  "use strict";
  var chinese = /[\u3400-\u4dbf\u4e00-\u9fff]{2,}/g;

  function segmented(query) {
    return query.replace(chinese, function (run) {
      var pairs = [];
      for (var at = 0; at + 1 < run.length; at += 1) {
        pairs.push("+" + run.slice(at, at + 2));
      }
      return " " + pairs.join(" ") + " ";
    });
  }

  if (typeof Worker === "function") {
    var post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message) {
      var changed = message && message.query ? { query: segmented(message.query) } : message;
      return post.call(this, changed);
    };
  }
}());
