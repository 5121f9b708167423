"""Versions of software that no list knows: "NNI version: 1.7", "PowerAI 1.6.1", "the 0.18.5 version of ktrain".

Any word before a number could be a name, so a name has to look like one, to fill a field of its own, or to be imported, installed or
quoted elsewhere in the text; and without "version" or a "v" the number has to have three parts.
"""

from __future__ import annotations

from triage.parsers.versions.packages import KNOWN, canonical
from triage.parsers.versions.words import of_two_words, without_closing
from triage.reading.lazy import Pattern

_NAME = Pattern(r"(?<![\w./\\@:#$~])(?:@[\w-]{1,30}/)?([A-Za-z][\w.+-]{1,38}[A-Za-z0-9_+])\Z")
_SHAPED = Pattern(r"[a-z]*[A-Z][a-z]*[A-Z]|[A-Z][a-z0-9]+[-_][A-Z]|[A-Z]{3}")  # as no other word is: GluonNLP, ML-Agents, NNI
_CAPITAL = Pattern(r"[A-Z][a-z]{2,}[A-Za-z0-9+-]*\Z")
# The whole field: up to three words, then what is said of the version, then what is said before the number.
_FIELD = Pattern(
    r"[ \t>*+|#\u2022-]{0,8}(?:[0-9]{1,2}[.)] )?[*_`\"']{0,3}"
    r"(?:(?:[Mm]y|[Oo]ur|[Tt]he|[Cc]urrent) )?(?P<name>[A-Za-z@][\w.+/-]{1,30}(?: [A-Za-z][\w.+-]{1,20}){0,2}?)[*_`\"']{0,3}[ _-]?"
    r"(?:[vV]ersions?|VERSION|[vV]er\.)(?: number| used| installed| in use|,? if (?:used|in use)| you \w+(?: to \w+)?| of the \w+){0,2}"
    r"(?: ?\([^()\n]{0,60}\))?(?: is|[*_`\"' ]{0,3}[:=-])[:=\s*_`\"'(\[]{0,6}"
    r"(?:(?:both|compiled|default|from|installed|latest|master|pip|pre-compiled|pypi|rel|release|source|tag|tested|tried|using|via|with"
    r"|version|vanilla|c(?:pu|u[0-9]{2,3})(?:mkl)?|about|at|on|branch|built|by|current|stable|/)[ :`(-]{1,3}){0,4}[\"'`(\[]{0,2}[vV]?\Z"
)
# "version of mlpack: 3.2.1", "the version of my agents is 0.10.1"
_OF = Pattern(r"\b[vV]ersion of (?:the |my |our )?`?([A-Za-z][\w.+-]{1,38}\w)`?(?: library| package)?(?: is|:| =)[ `v]{0,3}\Z")
_OWNED = Pattern(r" (?:version|release) of (?:the )?`?([A-Za-z][\w-]{2,38})(?![\w-]|\.\w| ?[=:0-9])")
_ADDRESS = Pattern(r"(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(?:\.(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])){3}\Z")
_EXPLICIT = Pattern(r"(?i:\bver(?:sions?|\.)?(?: (?:is|number|used|installed))?[ :=*_`\"'-]{0,4}v?|(?<![A-Za-z0-9])v ?)\Z")
_UNIT = Pattern(r" ?(?:%|[KMGT]i?[bB]\b|[kMG]?Hz|m?s\b|sec|min\b|hours?|times|x\b|fps|it/s|°)|[:\w%]|-[0-9]{1,8}[-.]|\.[a-z]")
# A file, a field of a report, or a GPU by its memory.
_FILE = Pattern(
    r"v[0-9]|\.(?!js\b|jl\b|cpp\b|net\b|ai\b|rs\b|c\b)|(?:^|[_.-])(?:version|git|vcs|compiler|reported|dso|equal|greater)$|[0-9]gb$"
)
# Names of systems and compilers that are told by other words than their own
_NICKNAMES = {
    **dict.fromkeys((
        "mojave", "sierra", "catalina", "sur", "sure", "capitan", "yosemite", "monterey", "ventura", "sonoma", "sonama", "sequoia",
    ), "macos"),
    "gnu": "gcc", "cv2": "opencv",
}  # fmt: skip
# Words that stand before numbers without being the name of software.
_NO_SOFTWARE = frozenset((
    "a", "aarch64", "about", "acc", "accuracy", "adding", "address", "affected", "after", "again", "all", "alpha", "already", "also",
    "although", "always", "am", "amd", "amd64", "an", "analysis", "and", "android", "another", "anyway", "api", "app", "appendix",
    "appimage", "apple", "approx", "apr", "april", "arch", "are", "arg", "arm64", "around", "article", "as", "assembly", "at", "aug",
    "august", "auto", "available", "average", "avg", "back", "backend", "be", "because", "before", "below", "beta", "between", "binary",
    "bios", "bluetooth", "bootrom", "both", "branch", "broken",
    "browser", "bug", "build", "building", "built", "bump", "bumped", "bus", "but", "by",
    "bytes", "call", "can", "capability", "caption", "cc", "change", "changed", "chapter", "chat", "checkpoint", "chrome", "clause", "cli",
    "client", "cluster", "code", "colab", "collecting", "commit", "commits", "community", "compared", "compile", "compiled", "compiler",
    "component", "compute", "config", "container", "core", "cpu", "creator", "cudav", "cudnnv", "current", "currently", "cxx", "darwin",
    "data", "dataset", "date", "debug", "dec", "december", "def", "default", "dependency", "detected", "device", "directx", "displayport",
    "distribution", "dll", "dns", "downgrade", "downgraded", "downgrading", "download", "downloaded", "downloading", "dr", "driver", "drm",
    "dso", "earlier", "econnrefused", "edit", "edition", "egl", "either", "el", "engine", "enterprise", "env", "environment", "epilogue",
    "epoch", "error", "essl", "even", "everything", "except", "expected", "export", "extension", "fail", "failed", "fatal", "feature",
    "feb", "february", "feedback", "field", "fig", "figure", "file", "firmware", "fix", "fixed", "float", "fluid", "following", "for",
    "format", "found", "fp", "framework", "fri", "friday", "from", "frontend", "full", "fw", "gateway", "generating", "gentoo", "getting",
    "git", "gitversion", "glibcxx", "glsl", "gmt", "going", "google", "gpu", "gpus", "group", "guide", "had", "hardware", "has", "hat",
    "have", "hdmi", "head", "header", "hello", "hence", "here", "hi", "home", "host", "hours", "how", "however", "http", "https", "id",
    "idea", "if", "image", "implementation", "import", "in", "index", "inet", "inference", "info", "information", "install", "installed",
    "installing", "instance", "instead", "int", "intel", "interface", "into", "ios", "ip", "ipv4", "ir", "is", "issue", "it", "item",
    "iter", "iteration", "iterations", "its", "jan", "january", "jar", "jre", "jul", "july", "jun", "june", "just", "kernel", "language",
    "last", "later", "latest", "layer", "legacy", "level", "lib", "library", "license", "like", "line", "link", "linux", "list", "lite",
    "load",
    "loading", "local", "looseversion", "loss", "lower", "lr", "ltsb", "ltsc", "mac", "machine", "macosx", "main", "major", "manjaro",
    "map", "mar", "march", "master", "maven", "max", "maximum", "may", "maybe", "me", "mean", "memory", "meta", "microsoft", "min",
    "minimum", "minor", "mobile", "mode", "model", "module", "modver", "mon", "monday", "more", "moved", "moving", "ms", "my", "name",
    "need", "netmask", "network", "never", "new", "newer", "newest", "nightly", "no", "node", "none", "normalizing", "not", "note",
    "notes", "nov", "november", "now", "number", "nvidia", "nvml", "nvprof", "obviously", "oct", "october", "of", "official", "old",
    "older", "on", "only", "oom", "opencl", "opengl", "opset", "option", "or", "original", "os", "os-release", "osx", "other", "our", "out",
    "output", "over", "package", "packages", "page", "paragraph", "parameter", "parameters", "part", "patch", "path", "pci", "pcie",
    "perhaps", "pin", "pinned", "pip", "pipeline", "platform", "plugin", "pm", "point", "port", "precision", "preparing", "previous",
    "print", "prior", "problem", "processing", "processor", "procver", "producer", "product", "productversion", "professional", "program",
    "project", "protocol", "ptx", "pypi", "pythonlibs", "ram", "rate", "rather", "ratio", "rc", "recent", "recently", "release",
    "released", "releases", "remote", "removing", "repo", "report", "repository", "required", "requires", "resource", "rev", "revert",
    "reverted", "revision", "rule", "run", "running", "runs", "runtime", "same", "sat", "saturday", "schema", "scheme", "score", "sdk",
    "section", "see", "sep", "september", "server", "service", "set", "shader", "should", "since", "size", "sm", "so", "software",
    "solution", "some", "source", "sources", "spec", "speed", "spirv", "spotify", "ssl", "stable", "stack", "standard", "start", "started",
    "starting", "step", "steps", "still", "str", "strangely", "string", "studio", "subnet", "sun", "sunday", "support", "supported",
    "supports", "suse", "switched", "switching", "sys", "system", "table", "tag", "target", "template", "test", "tested", "tests", "than",
    "that", "the", "their", "then", "there", "therefore", "these", "they", "this", "those", "though", "through", "thu", "thursday", "thus",
    "time", "title", "tls", "to", "tool", "toolchain", "toolkit", "tools", "toolset", "total", "tpu", "trace", "train", "training",
    "tried", "try", "trying", "tue", "tuesday", "type", "under", "unit", "until", "up", "update", "updated", "updating", "upgrade",
    "upgraded", "upgrading", "url", "us", "usage", "usb", "use", "used", "user", "userspace", "uses", "using", "utc", "value", "vbios",
    "ver", "verified", "versio", "version", "versione", "versions", "verson", "via", "video", "virtual", "vm", "vram", "vs", "vulkan",
    "wall", "want", "warn", "warning", "was", "we", "web", "wed", "wednesday", "weight", "were", "what", "wheel", "when", "where", "which",
    "while", "wifi", "will", "win32", "with", "within", "without", "work", "worked", "working", "works", "x64", "x86", "yes", "you",
    "your",
))  # fmt: skip


def name_of_unlisted(head: str, number: str, text: str, start: int) -> str:
    """The name, in lower case, of software whose version the number at `start` of `text` is by the words before it; '' for none."""
    end = start + len(number)
    if _UNIT.match(text, end):
        return ""
    field = _FIELD.match(head)
    if field is not None:
        return _field_name(field["name"])
    of = _OF.search(head)
    if of is not None:
        return _accepted(of[1])
    parts = number.count(".") + 1
    explicit = _EXPLICIT.search(head) is not None
    if not explicit and (parts < 3 or _ADDRESS.match(number)):
        return ""
    owned = _OWNED.match(text, end)
    if owned is not None:
        return _accepted(owned[1])
    # a file or the release of a model, "mistral-7b-v0.2"
    if head.rstrip("vV")[-1:] in ("-", "_") or head.rstrip().rpartition(" ")[0].endswith(("Linux", "Darwin")):
        return ""  # and what `uname` prints: its host
    name = _NAME.search(without_closing(head.rstrip(" ").rstrip("vV") if explicit else head))
    if name is None or not _accepted(name[1]):
        return ""
    word = name[1]
    if not (_SHAPED.match(word) or _CAPITAL.match(word) or _is_used(word, text)):
        return ""
    return _accepted(word)


def _field_name(words: str) -> str:
    """The name of a field's software: "TensorFlow Serving" → tensorflow-serving; '' where the field tells of something else."""
    lowered = words.lower().strip("_-. ").rpartition("@")[2]
    parts = lowered.replace("/", " ").split()
    known = canonical(lowered) if len(parts) == 1 else of_two_words(lowered)
    if known in KNOWN:
        return known
    return "" if not parts or parts[-1] in _NO_SOFTWARE or parts[0] in _NO_SOFTWARE else _accepted("-".join(parts))


def _accepted(name: str) -> str:
    lowered = name.lower().strip("_-.")
    if lowered in _NICKNAMES:
        return _NICKNAMES[lowered]
    if _FILE.search(lowered) or lowered in _NO_SOFTWARE or lowered.rpartition("_")[2] in _NO_SOFTWARE or canonical(lowered) in KNOWN:
        return ""
    return lowered.replace("_", "-")


def _is_used(word: str, text: str) -> bool:
    """Whether a word that looks like any other is the name of a module, a package or a command in this text."""
    return any(
        mark in text
        for mark in (
            f"import {word}", f"from {word}", f"install {word}", f"/{word}/", f"`{word}`", f"{word}==", f"{word}.py", f"\\{word}\\",
            f"/{word}\n", f"{word} --", f"-m {word}",
        )
    )  # fmt: skip
