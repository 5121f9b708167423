"""What can be wrong with rules: every code with its severity, what it means and what to do about it.

`R` codes are errors of loading and compiling: a rule base that has one is refused. `L` codes are findings of lint; a rule that is
right nevertheless allows one by name, with the reason (`allow:`).
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

Severity = Literal["error", "warning"]


class Code(NamedTuple):
    """`about` says what is found and why it matters, `remedy` what to do; both are whole sentences."""

    severity: Severity
    title: str
    about: str
    remedy: str


CODES: Final[dict[str, Code]] = {
    # loading and compiling
    "R001": Code("error", "unreadable file", "It is no file, or cannot be read as UTF-8 text.", "Name a file, and save it as UTF-8."),
    "R002": Code("error", "too large", "A rule file is larger than 2 MiB, or a pack holds more than can be read.", "Split it by failure."),
    "R003": Code("error", "not YAML", "The file is not YAML.", "Quote texts that hold `: `, ` #` or a brace, and indent with spaces."),
    "R004": Code(
        "error", "wrong form", "A key or a value is not what a rule file may hold there.", "See the JSON Schema: `triage schema rule`."
    ),
    "R005": Code("error", "alias", "Aliases of YAML are refused: they can make a small file huge.", "Write it out."),
    "R006": Code(
        "error", "outside its directory", "A file of a rule pack is a link that leads out of the pack.", "Copy the file into the pack."
    ),
    "R007": Code(
        "error",
        "pack refused",
        "A rule pack cannot be used: its `pack.yaml` is wrong, or it was written for another version.",
        "Correct `pack.yaml`, or update triage or the pack.",
    ),
    "R008": Code("error", "not read", "A file of a rule pack ends with `.yml`, so it would never be read.", "Rename it to `.yaml`."),
    "R009": Code("error", "no rules", "A directory that is named holds none.", "Name the one whose files end with `.yaml`."),
    "R010": Code("error", "unknown id", "A family, cause, fix or signature is named that does not exist.", "Use an id of the taxonomy."),
    "R011": Code("error", "wrong condition", "A condition or expression is not well formed.", "See the table of conditions."),
    "R012": Code(
        "error",
        "id taken",
        "Two diagnoses or rules have the same id.",
        "Rename one, or declare in `pack.yaml` that it overrides the other.",
    ),
    "R013": Code("error", "not stratified", "A rule negates, or aggregates over, what depends on it.", "Break the cycle that is shown."),
    "R014": Code("error", "wrong message", "A text with values in braces is not well formed.", "Double a brace that stands for itself."),
    "R015": Code("error", "wrong pattern", "A `text` or `pattern` is not well formed.", "See the types of holes."),
    "R016": Code("error", "wrong range", "A range of versions is not well formed.", "Write for instance `>=2.1,<2.3`."),
    "R017": Code("error", "no conclusion", "A rule concludes nothing.", "Add `assert`, `noise`, `fix`, `no_use` or `missing`."),
    "R018": Code(
        "error",
        "no required literal",
        "No text is part of every match of a pattern, so each line of a log would be tried.",
        "Add a word to the pattern, or name one as `literal`.",
    ),
    "R019": Code(
        "error",
        "outside the linear engine",
        "A pattern needs look-around or back-references, which RE2 refuses: matching must stay linear.",
        "Say it without them.",
    ),
    "R020": Code(
        "error",
        "unknown slot",
        "A hole, a condition or a derived fact names a slot that its template does not have.",
        "Use a slot of the vocabulary, or declare a new one there.",
    ),
    "R021": Code(
        "error",
        "unknown template",
        "A condition asks for a template, or a signature asserts one, that nothing declares or derives.",
        "Use a template of the vocabulary, or derive it by a rule.",
    ),
    # references
    "L001": Code(
        "error", "dangling reference", "A case, diagnosis, failure or fix is named that does not exist.", "Correct the name, or remove it."
    ),
    # conditions
    "L010": Code(
        "error", "contradiction", "Conditions of one rule exclude each other: it can never fire.", "Remove or correct one of them."
    ),
    "L011": Code("warning", "always true", "A condition holds whatever the log says, or follows from the others.", "Remove it."),
    "L012": Code(
        "error",
        "can never fire",
        "A rule needs a fact that no parser, signature or rule gives.",
        "Correct the name or value, or add what gives the fact.",
    ),
    "L013": Code(
        "warning",
        "text never shown",
        "A text speaks of a value that nothing binds, so the sentence is always left out.",
        "Capture the slot, bind the variable, or drop the sentence.",
    ),
    "L014": Code(
        "error",
        "never chosen",
        "A signature or diagnosis is hidden by another one that always comes first.",
        "Put the more specific one first, or drop it.",
    ),
    "L015": Code("error", "duplicate", "The same pattern or rule stands in two places.", "Keep one of them."),
    "L016": Code("error", "no probability", "A confidence cannot lie between 0 and 1.", "Give a probability."),
    # patterns
    "L020": Code(
        "warning", "common literal", "All that every match must hold are words that stand on most error lines.", "Require something rarer."
    ),
    "L021": Code(
        "error",
        "diagnoses healthy text",
        "A failure is diagnosed in a log or document in which nothing failed.",
        "Make the pattern or the conditions narrower.",
    ),
    "L022": Code(
        "warning",
        "open end",
        "A pattern begins or ends with a gap that captures nothing.",
        "Drop the gap: a pattern may match anywhere in a line.",
    ),
    "L023": Code(
        "error",
        "wrong literal",
        "The named `literal` is not part of every match, or not on its first line, so the pattern is not tried where it would match.",
        "Name text that every form holds on its first line.",
    ),
    "L024": Code(
        "warning",
        "matches healthy text",
        "A signature of a failure matches a log or document in which nothing failed; only further conditions keep it from being diagnosed.",
        "Make the pattern narrower, or assert a fact instead of a signal.",
    ),
    # texts
    "L030": Code("error", "not translated", "A text is missing in English or in Chinese.", "Write it in both languages."),
    "L031": Code(
        "warning", "values differ", "The English and the Chinese text speak of different values.", "Give both readers the same numbers."
    ),
    "L032": Code(
        "warning",
        "signs of Chinese",
        "A Chinese text has a sign of half width, or a space too many or too few, as it is written or with its values filled in.",
        "Write signs of full width, and one space between Chinese and Latin or a value; beside a Chinese value it is left out by itself.",
    ),
    "L033": Code("warning", "another word", "A Chinese text has a word of its own for what other rules name alike.", "Use their word."),
    "L034": Code(
        "warning",
        "left out sooner",
        "A sentence needs a value in one language that it can do without in the other, so that one reader is told less.",
        "Ask for the same values in both, or for none by `has`.",
    ),
    # examples
    "L040": Code(
        "error",
        "example of something else",
        "A positive example is not matched by any signature of its own file.",
        "Correct the example or the signature.",
    ),
    "L041": Code(
        "warning",
        "distant near miss",
        "No near miss of the file holds even half of a text that its signatures require: they prove nothing of the patterns.",
        "Add a text that nearly matches.",
    ),
    "L042": Code("warning", "no example", "No example of the rule base is matched by this signature.", "Add one."),
    "L043": Code("warning", "example given twice", "Two examples have the same text.", "Keep one."),
    # advice
    "L050": Code("error", "empty fix", "A fix offers neither a detail nor a command.", "Say what to do."),
    "L051": Code("warning", "no fix", "A diagnosis says nothing of what to do.", "Name a fix of the library."),
    "L052": Code(
        "error", "fix never told", "The same fix stands before it without a condition.", "Give that one a `when`, or join the two."
    ),
    # sources
    "L060": Code(
        "error",
        "no source",
        "Nothing says where the form of a message, or what a failure's texts claim, comes from.",
        "Cite the source file, page or issue.",
    ),
    # versions
    "L070": Code(
        "warning",
        "overlapping versions",
        "Two wordings of one message claim the same releases, so one of the ranges is wrong.",
        "Correct the ranges.",
    ),
    "L071": Code("error", "empty range", "A range of versions holds no release.", "Exchange its ends."),
    # life cycle
    "L080": Code("error", "unproved", "A stable failure lacks a positive example or a near miss.", "Add it, or set `status: nursery`."),
    "L081": Code(
        "warning", "deprecated without successor", "A deprecated failure does not say what takes its place.", "Add `superseded_by`."
    ),
    "L082": Code("warning", "refers to deprecated", "A rule leads to, yields to or expects a deprecated failure.", "Name its successor."),
    # opt-outs
    "L090": Code("warning", "needless allowance", "Something is allowed that is not found there.", "Remove the allowance."),
    "L091": Code("error", "unknown code", "A code is allowed that no check has.", "See `triage rules lint --codes`."),
    # editors
    "L092": Code(
        "warning",
        "no modeline",
        "The file does not name its schema, so editors neither complete nor check it.",
        "Begin with `# yaml-language-server: $schema=…`.",
    ),
}
