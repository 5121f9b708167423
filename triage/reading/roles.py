"""What kind of text each line is: printed by a program, written by a person, source code, a diff, a document.

Issues mix them, and the same words mean different things: an error in the output happened, in prose it is talked
about, in a document (a changelog, a manual, the history of a repository) it is explained, or was fixed long ago. Where
nothing tells, a line counts as output.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from triage.reading.kinds.order import KINDS
from triage.reading.lazy import Pattern
from triage.reading.log import NO_PREFIX, Line
from triage.reading.prose import ERROR_LINE, NONE, STRONG, WEAK, closes, is_list_item, looks_like_output, looks_like_prose

_FENCE = Pattern(r"[ \t>]{0,40}(`{3,}|(?<![ >]{4})~{3,5}(?=[ \t\w]|$))[ \t]{0,8}([\w+#.-]{0,40})[ \t]{0,8}([{\w][^`~^]{0,200})?$")
_WORDS = Pattern(r"[^={]* [^={]*\Z")  # behind a fence on its line: what a program printed, not the name of a file or a title
_CODE_LANGUAGES = frozenset((
    "py", "python", "python3", "cpp", "c++", "c", "cuda", "cu", "h", "rust", "go", "java", "js", "javascript", "typescript", "ts", "yaml",
    "yml", "json", "json5", "toml", "ini", "dockerfile", "docker", "cmake", "makefile", "make", "xml", "html", "css", "sql", "proto",
    "hcl", "mermaid", "plantuml", "puml", "dot", "graphviz", "latex", "tex",
))  # fmt: skip
_PYTHON_STATEMENT = Pattern(
    r"\s*(?:(?:import|from) [\w.]+(?: import .*| as \w+|, .*)?$|(?:async )?def \w+\(|class \w+[:(]|@\w[\w.]*"
    r"|(?:for|while|if|with|elif) .+:\s*(?:#.*)?$|(?:else|try|finally):\s*$|return\b"
    r"|[A-Za-z_][\w.]*(?:\[[^\]]*\])? [-+*/|]?= \S|(?!\w+\(\): [a-z])[A-Za-z_][\w.]*\(.*\)?,?\s*$|\w+=[^=].*,\s*$|[)\]}],?\s*$)"
)
_WARNED = Pattern(r"\s*(?:[A-Za-z]:)?[^\s:]{1,300}:[0-9]{1,6}: \w{0,40}Warning: \S")  # as Python prints it, with a message in that line
_LITERAL = Pattern(r"\s+(?:[rfbRFB]{0,2}(?:'[^']*'|\"[^\"]*\")|\"\"\").{0,4}$")
_COMMENT = Pattern(r"\s*(?:#|//|--|;) ?\S")
_DIFF_HUNK = Pattern(r"@@ -[0-9]+(?:,[0-9]+)? \+[0-9]+(?:,[0-9]+)? @@")
_SNIPPET = Pattern(r" {0,12}[0-9]{0,6} \|[ \t]|\s*\|\s*\^~*\s*$")
_JUPYTER_SOURCE = Pattern(r"(?:-+>|[\s\u2502\u2771>])*[0-9]{1,6}(?: |\u2502|$)")
_SHORT = 5  # words of a sentence
_FEW = 3  # lines that somebody adds below a message
_NEAR = 4  # lines above these in which the message stands
_MARGIN = "    "  # of Markdown's indented blocks


def assign_roles(lines: list[Line], has: Callable[[str], bool]) -> int:
    """Set `role` of every line; gives the number of lines that stand inside Markdown fences, -1 when there are no fences.

    `has` tells whether a string occurs in the input at all, so that most texts need no look at their lines. What a line is by its form
    is known first; then, kind by kind, what names failures and reports none (`kinds/order.py`).
    """
    fenced = _fences(lines) if has("```") or has("~~~") else None
    if fenced is None:
        _unfenced(lines)
    _by_form(lines, has, fenced is not None)
    for kind in KINDS:
        if kind.may_stand(lines, has):
            kind.mark(lines, has)
    if fenced is None and has("\n    "):
        _outdent(lines)
    return -1 if fenced is None else fenced


def _by_form(lines: list[Line], has: Callable[[str], bool], fenced: bool) -> None:
    """Lists, diffs, scripts, and the lines of source that tracebacks and compilers show."""
    if has("\n## ") or has("\n### ") or fenced:
        _listed(lines)
    if has("@@ -") or has("diff --git"):
        _diffs(lines)
    if lines and lines[0].text.startswith("#!"):
        _set_role([line for line in lines if line.role == "output" and line.text.startswith("# ")], "code")
    if has('File "'):
        _source_below_frames(lines)
    if has("Warning: "):
        _source_below_warnings(lines)
    if has(" | ") and has("^"):
        for line in lines:
            if line.role == "output" and _SNIPPET.match(line.text):
                line.role = "source"
    if has("-> ") or has("\u2771"):
        _numbered_source(lines)


def _fences(lines: list[Line]) -> int | None:
    """Roles by Markdown fences. None when what looks like fences stands in a log, as where a model's answers are logged."""
    marks: list[tuple[int, str, str]] = []
    for index, line in enumerate(lines):
        if "```" in line.text or "~~~" in line.text:
            match = _FENCE.match(line.text)
            if match:
                marks.append((index, match[1], "text" if match[3] and _WORDS.match(match[3]) else match[2].lower()))
    if not marks or _is_log(lines):
        return None
    inside = 0
    previous = 0
    opened: tuple[int, str, str] | None = None
    for index, mark, language in [*marks, (len(lines), "", "")]:
        if opened is not None and mark and not language and (mark[0] != opened[1][0] or len(mark) < len(opened[1])):
            continue
        if opened is None:
            _outside(lines[previous:index])
        else:
            _inside(lines[previous:index], opened[2])
            inside += index - previous
        if index < len(lines):
            lines[index].role = "prose"
        opened = None if opened is not None and not language else (index, mark, language)
        previous = index + 1
    return inside


def _is_log(lines: list[Line]) -> bool:
    return len(lines) > 60 and sum(line.prefix is not NO_PREFIX for line in lines) > 0.5 * len(lines)


def _inside(lines: list[Line], language: str) -> None:
    if language == "diff":
        role = "diff"
    elif any(looks_like_output(line) and not (language in _CODE_LANGUAGES and _COMMENT.match(line.text)) for line in lines):
        return
    elif language in _CODE_LANGUAGES or (language in ("", "text") and _is_code(lines)):
        role = "code"
    else:
        return
    _set_role(lines, role)


def _is_code(lines: list[Line]) -> bool:
    spoken = [line.text for line in lines if line.text.strip()]
    comments = sum(text.lstrip().startswith("#") for text in spoken)  # programs print such lines too, above their tables
    statements = sum(_PYTHON_STATEMENT.match(text) is not None for text in spoken if not text.lstrip().startswith("#"))
    return len(spoken) >= 2 and statements > 0 and comments + statements >= 0.7 * len(spoken)


def _outside(lines: list[Line]) -> None:
    """Outside fences all is prose but what a program evidently printed, and its neighbours in the same paragraph."""
    for paragraph in _paragraphs(lines):
        printed = [looks_like_output(line) for line in paragraph]
        if any(printed):
            _mixed(paragraph, printed, WEAK)
        elif not _is_block(paragraph):
            _set_role(paragraph, "prose")


def _unfenced(lines: list[Line]) -> None:
    """Without fences, only paragraphs that are evidently sentences are prose; beside prose there may be code.

    Programs print sentences too. So those that do not tell a person count only beside others that do, where they stand
    alone at the end, or at the beginning, one after another, or where the text is nothing but sentences below a title.
    """
    rest: list[list[Line]] = []
    weak: list[list[Line]] = []
    mixed: list[list[Line]] = []  # with sentences and output
    leading = 0
    person = False
    paragraphs = _paragraphs(lines)
    for paragraph in paragraphs:
        strength = max([looks_like_prose(line.text) if line.prefix is NO_PREFIX else NONE for line in paragraph])
        if strength == NONE:
            rest.append(paragraph)
        elif strength == WEAK:
            leading += leading == len(weak) and paragraph is paragraphs[leading]
            weak.append(paragraph)
        else:
            person = True
            printed = [looks_like_output(line) or _prints(line.text) for line in paragraph]
            if any(printed):
                _mixed(paragraph, printed, STRONG)
                mixed.append(paragraph)
            elif not _is_block(paragraph):
                _set_role(paragraph, "prose")
    untitled = [paragraph for paragraph in rest if paragraph is not paragraphs[0] or len(paragraph) > 1]
    for index, paragraph in enumerate(weak):
        at_end = index < leading or paragraph is paragraphs[-1] or not untitled
        if (person or (at_end and len(paragraph) <= 3)) and not any(looks_like_output(line) or _prints(line.text) for line in paragraph):
            _set_role(paragraph, "prose")
        elif person or paragraph is paragraphs[0]:
            mixed.append(paragraph)
            if person and paragraph is paragraphs[0] and not any(map(looks_like_output, paragraph)):  # below a title
                _set_role([line for line in paragraph if line.prefix is NO_PREFIX and looks_like_prose(line.text)], "prose")
    for paragraph in mixed:
        _lead_in(paragraph)
    if not person:
        _closing(lines)
    for paragraph in rest if person else ():  # short sentences beside those of a person
        if all(line.prefix is NO_PREFIX and looks_like_prose(line.text, _SHORT) and not looks_like_output(line) for line in paragraph):
            _set_role(paragraph, "prose")
    if person:
        for paragraph in rest:
            if len(paragraph) >= 3 and not any(map(looks_like_output, paragraph)) and _is_code(paragraph):
                _set_role(paragraph, "code")


def _closing(lines: list[Line]) -> None:
    """The last few lines of a text in which nobody speaks: short sentences below what a program printed, and apart from it. A message that
    was wrapped ends with sentences too."""
    at = len(lines)
    said: list[Line] = []
    while at and len(said) <= _FEW:
        line = lines[at - 1]
        if line.text.strip():
            if line.role != "output" or line.prefix is not NO_PREFIX or not closes(line.text) or looks_like_output(line):
                break
            said.append(line)
        at -= 1
    apart = 0 < at < len(lines) and not lines[at].text.strip()
    if said and apart and len(said) <= _FEW and any(map(looks_like_output, lines[max(0, at - _NEAR) : at])):
        _set_role(said, "prose")


def _listed(lines: list[Line]) -> None:
    """In Markdown, the items of a list are prose, errors that they quote included: changelogs, questions and answers."""
    opened = ""
    for line in lines:
        fence = _FENCE.match(line.text) if "```" in line.text or "~~~" in line.text else None
        if fence is not None:
            opened = "" if opened else fence[1]
        elif not opened and line.role == "output" and line.prefix is NO_PREFIX and is_list_item(line.text):
            line.role = "prose"


def _prints(text: str) -> bool:
    """Whether a line beside prose is no prose itself, nor its continuation."""
    return looks_like_prose(text) == NONE and not (text[:1].islower() or text[:1].isdigit())


def _set_role(lines: list[Line], role: str) -> None:
    for line in lines:
        line.role = role


def _mixed(paragraph: list[Line], printed: list[bool], needed: int) -> None:
    """A paragraph with output in it: the sentences before the first and after the last line of output are prose.

    Between them only Chinese ones are: what libraries of the GPU stack print is English.
    """
    first = printed.index(True)
    last = len(printed) - 1 - printed[::-1].index(True)
    for index, line in enumerate(paragraph):
        outside = not first <= index <= last
        spoken = outside or (not printed[index] and line.prefix is NO_PREFIX and not line.text.isascii())
        if spoken and looks_like_prose(line.text) >= (needed if outside else STRONG):
            line.role = "prose"


def _lead_in(paragraph: list[Line]) -> None:
    """The sentences with which a paragraph begins, above what a program evidently printed, are prose."""
    if not any(map(looks_like_output, paragraph)):
        return
    for line in paragraph:
        if looks_like_output(line) or looks_like_prose(line.text, _SHORT) == NONE:
            return
        line.role = "prose"


def _is_block(paragraph: list[Line]) -> bool:
    """Whether an unfenced paragraph is a table or an indented block of Markdown, thus output."""
    return all(line.text.startswith(("    ", "\t", "|", "+-")) for line in paragraph)


def _outdent(lines: list[Line]) -> None:
    """What a person pasted as an indented block of Markdown, with the margin taken from it: below a sentence and a blank line."""
    start = 0
    spoken = open_ = False  # a person's sentence stands before; and a blank line behind it
    for index, line in enumerate([*lines, None]):
        if line is not None and (not line.text or line.text.isspace()):
            open_ = open_ or spoken
        elif line is None or not line.text.startswith(_MARGIN) or line.prefix is not NO_PREFIX:
            if spoken and start and (line is None or not lines[index - 1].text.strip()):
                for part in lines[start:index]:
                    part.text = part.text[len(_MARGIN) :]
            start = 0
            spoken = line is not None and line.role == "prose"
            open_ = False
        elif spoken and not start:
            if open_:
                start = index
            else:
                spoken = False


def _paragraphs(lines: list[Line]) -> list[list[Line]]:
    paragraphs: list[list[Line]] = []
    current: list[Line] = []
    for line in lines:
        if line.text and not line.text.isspace():
            current.append(line)
        elif current:
            paragraphs.append(current)
            current = []
    if current:
        paragraphs.append(current)
    return paragraphs


def _diffs(lines: list[Line]) -> None:
    """Unified diffs, from their header or first hunk to the first line that can't belong to one."""
    inside = False
    for line in lines:
        text = line.raw
        if text.startswith("diff --git ") or _DIFF_HUNK.match(text):
            inside = True
        elif inside and not text.startswith(("+", "-", " ", "index ", "new file", "deleted file", "similarity", "rename", "\\ No", "@@")):
            inside = False
        if inside:
            line.role = "diff"


def _source_below_frames(lines: list[Line]) -> None:
    """The source shown below a frame, and the carets below that, in each stream by itself."""
    indents: dict[str, int] = {}
    fresh = False  # the line above is a frame
    for line in lines:
        text = line.text
        stream = line.prefix.stream
        body = text.lstrip()
        indent = len(text) - len(body)
        if body.startswith('File "') and ", line " in body:
            indents[stream] = indent
            fresh = True
            continue
        if stream in indents:
            frame = indents[stream]
            if not body:
                del indents[stream]
            elif indent > frame and line.role in ("output", "source", "prose", "code"):
                line.role = "source"
                indents[stream] = max(frame, indent - 2) if fresh else frame  # the frame may have been pasted without its own
            elif frame == 0 and not ERROR_LINE.match(body) and not body.startswith(("Traceback", "During", "The above")):
                line.role = "source"  # pasted without its indentation
                del indents[stream]
            else:
                del indents[stream]
        fresh = False


def _source_below_warnings(lines: list[Line]) -> None:
    """The statement shown below a warning of Python's; the rest of a message of several lines is none."""
    for above, line in pairwise(lines):
        if line.text.startswith("  ") and _WARNED.match(above.text) and (_PYTHON_STATEMENT.match(line.text) or _LITERAL.match(line.text)):
            line.role = "source"


def _numbered_source(lines: list[Line]) -> None:
    """Source with line numbers, as IPython and rich show it around the failing line."""
    for index, line in enumerate(lines):
        body = line.text.lstrip(" \u2502")
        if not (body.startswith("\u2771") or (body.startswith("-") and "-> " in body[:12] and body.lstrip("-")[:1] == ">")):
            continue
        for step in (-1, 1):
            near = index if step < 0 else index + 1
            while 0 <= near < len(lines) and abs(near - index) <= 12 and _JUPYTER_SOURCE.match(lines[near].text):
                lines[near].role = "source"
                near += step
