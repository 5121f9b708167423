"""The verbs with which titles and messages of commits begin."""

from __future__ import annotations

# Those that tell of a change in a title without more, and those that do among other signs.
MENDING = (
    "add|allow|avoid|bump|catch|decrease|detect|disable|enable|find|fix|guard|handle|improve|increase|limit|lower"
    "|make(?= (?:an?|it|sure|the) )|prevent|raise|recover|reduce|remove|skip|update|use"
)
CHANGING = (
    f"{MENDING}|auto-retry|bail out|cache|clarify|clear|defer|distinguish|document|drop|ensure|expose|extend|fall back|gate|identify"
    "|implement|include|initiali[sz]e|introduce|keep|key|make|mark|merge|mirror|move|pass|pin|propagate|provide|queue|refactor|reject"
    "|rename|replace|reset|resolve|restore|return|revert|route|select|simplify|split|stop|support|switch|synchroni[sz]e|tag|teach|thread"
    "|track|treat|validate|verify|warn|wire|wrap"
)
