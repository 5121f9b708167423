"""What kind of text each line is: printed by a program, written by a person, source code, a diff.

Issues mix them, and the same words mean different things: an error in the output happened, in prose it is talked
about, in a changelog it was fixed. Where nothing tells, a line counts as output.
"""

from __future__ import annotations

from collections.abc import Callable

from triage.reading.lazy import Pattern
from triage.reading.log import NO_PREFIX, Line

_FENCE = Pattern(r"[ \t>]{0,40}(`{3,}|~{3,})[ \t]*([\w+#.-]*)")
_CODE_LANGUAGES = frozenset((
    "py", "python", "python3", "cpp", "c++", "c", "cuda", "cu", "h", "rust", "go", "java", "js", "javascript", "typescript", "ts", "yaml",
    "yml", "json", "json5", "toml", "ini", "dockerfile", "docker", "cmake", "makefile", "make", "xml", "html", "css", "sql", "proto", "hcl",
))  # fmt: skip
_ERROR_LINE = Pattern(
    r"\s*(?:[A-Za-z_][\w.]*(?:Error|Exception|Warning|Interrupt|Exit|Fault|Failure)\b(?:[:(]|$)|\[?(?:[Ee]rror|ERROR|FATAL|[Ff]atal)\]?:)"
)
_FRAME = Pattern(r'\s*File "[^"]+", line [0-9]+')
_OUTPUT_MARKS = (
    "Traceback (most recent call last)", "During handling of the above", "The above exception was", "Segmentation fault",
    "core dumped", "CUDA error", "NVRM: ", "NCCL WARN", "NCCL INFO", "it/s]", "%|", "| N/A", "+-----", "frame #",
    "CUDA_LAUNCH_BLOCKING=1", "TORCH_USE_CUDA_DSA", "stacktrace below might be", "Warning:",
)  # fmt: skip
_FIRST_PERSON = Pattern(r"\b(?:I|I'm|I've|I'd|[Ww]e|[Mm]y|[Oo]ur|[Mm]e|us)\b(?![=:./_(\[-])|\?\s*$")
_SENTENCE_END = Pattern(r"[.!?:…。！？：，][)\"'”’*_]*\s*$")
_WORD = Pattern(r"(?<![\w./\\=-])[A-Za-z][a-z']*(?![\w/\\=(\[-])")
_HEADING = Pattern(r"#{1,6} \S|\*\*[^*]+\*\*\s*:?\s*$|</?(?:details|summary|b|p|br)\b|[-*] (?!\[)[A-Z`*]|[0-9]{1,2}\. [A-Z`*]")
_HEADING_STARTS = frozenset("#*<-0123456789")
_PYTHON_STATEMENT = Pattern(
    r"\s*(?:(?:import|from) [\w.]+(?: import .*| as \w+|, .*)?$|(?:async )?def \w+\(|class \w+[:(]|@\w[\w.]*"
    r"|(?:for|while|if|with|elif) .+:\s*(?:#.*)?$|(?:else|try|finally):\s*$|return\b"
    r"|[A-Za-z_][\w.]*(?:\[[^\]]*\])? [-+*/|]?= \S|[A-Za-z_][\w.]*\(.*\)?,?\s*$|\w+=[^=].*,\s*$|[)\]}],?\s*$)"
)
_DIFF_HUNK = Pattern(r"@@ -[0-9]+(?:,[0-9]+)? \+[0-9]+(?:,[0-9]+)? @@")
_SNIPPET = Pattern(r" {0,12}[0-9]{0,6} \|[ \t]|\s*\|\s*\^~*\s*$")
_JUPYTER_SOURCE = Pattern(r"(?:-+>|\s|\u2502|\u2771|>)*\s*[0-9]{1,6}(?: |\u2502|$)")


def looks_like_output(line: Line) -> bool:
    """Whether a program evidently printed this line."""
    if line.prefix is not NO_PREFIX:
        return True
    text = line.text
    return (
        _ERROR_LINE.match(text) is not None
        or any(mark in text for mark in _OUTPUT_MARKS)
        or _FRAME.match(text) is not None
        or text.lstrip().startswith(("$ ", ">>> ", "% ", "root@", "(base)"))
    )


def looks_like_prose(text: str) -> bool:
    """Whether a person evidently wrote this line."""
    first = text[:1]
    if first.isspace():
        return False
    if first in _HEADING_STARTS and _HEADING.match(text):
        return True
    if _ERROR_LINE.match(text):
        return False
    if not text.isascii() and sum("\u4e00" <= character <= "\u9fff" for character in text[:400]) > 1:
        return True
    words = len(_WORD.findall(text))
    if words < 4 or words * 3 < text.count(" ") + 1:
        return False
    return _FIRST_PERSON.search(text) is not None or (words >= 8 and _SENTENCE_END.search(text) is not None)


def assign_roles(lines: list[Line], has: Callable[[str], bool]) -> int:
    """Set `role` of every line; gives the number of lines that stand inside Markdown fences, -1 when there are no fences.

    `has` tells whether a string occurs in the input at all, so that most texts need no look at their lines.
    """
    fenced = _fences(lines) if has("```") or has("~~~") else None
    if fenced is None:
        _unfenced(lines)
    if has("@@ -") or has("diff --git"):
        _diffs(lines)
    if has('File "'):
        _source_below_frames(lines)
    if has(" | ") and has("^"):
        for line in lines:
            if line.role == "output" and _SNIPPET.match(line.text):
                line.role = "source"
    if has("-> ") or has("\u2771"):
        _numbered_source(lines)
    return -1 if fenced is None else fenced


def _fences(lines: list[Line]) -> int | None:
    """Roles by Markdown fences. None when what looks like fences stands in a log, as where a model's answers are logged."""
    marks: list[tuple[int, str, str]] = []
    for index, line in enumerate(lines):
        if "```" in line.text or "~~~" in line.text:
            match = _FENCE.match(line.text)
            if match:
                marks.append((index, match[1], match[2].lower()))
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
    elif any(looks_like_output(line) for line in lines):
        return
    elif language in _CODE_LANGUAGES or (language in ("", "text") and _is_code(lines)):
        role = "code"
    else:
        return
    for line in lines:
        line.role = role


def _is_code(lines: list[Line]) -> bool:
    spoken = [line.text for line in lines if line.text.strip()]
    statements = sum(_PYTHON_STATEMENT.match(text) is not None or text.lstrip().startswith("#") for text in spoken)
    return len(spoken) >= 2 and statements >= 0.7 * len(spoken)


def _outside(lines: list[Line]) -> None:
    """Outside fences all is prose but what a program evidently printed, and its neighbours in the same paragraph."""
    for paragraph in _paragraphs(lines):
        printed = [looks_like_output(line) for line in paragraph]
        if not any(printed):
            for line in paragraph:
                line.role = "prose" if not _is_block(paragraph) else "output"
        else:
            _mixed(paragraph, printed)


def _unfenced(lines: list[Line]) -> None:
    """Without fences, only paragraphs that are evidently sentences are prose; beside prose there may be code."""
    rest: list[list[Line]] = []
    for paragraph in _paragraphs(lines):
        if not any(line.prefix is NO_PREFIX and looks_like_prose(line.text) for line in paragraph):
            rest.append(paragraph)
            continue
        printed = [looks_like_output(line) for line in paragraph]
        if any(printed):
            _mixed(paragraph, printed)
        elif not _is_block(paragraph):
            for line in paragraph:
                line.role = "prose"
    if len(rest) < len(lines) and any(line.role == "prose" for line in lines):
        for paragraph in rest:
            if len(paragraph) >= 3 and not any(map(looks_like_output, paragraph)) and _is_code(paragraph):
                for line in paragraph:
                    line.role = "code"


def _mixed(paragraph: list[Line], printed: list[bool]) -> None:
    """A paragraph with output in it: the sentences before the first and after the last line of output are prose."""
    first = printed.index(True)
    last = len(printed) - 1 - printed[::-1].index(True)
    for line in paragraph[:first] + paragraph[last + 1 :]:
        if looks_like_prose(line.text):
            line.role = "prose"


def _is_block(paragraph: list[Line]) -> bool:
    """Whether an unfenced paragraph is a table or an indented block of Markdown, thus output."""
    return all(line.text.startswith(("    ", "\t", "|", "+-")) for line in paragraph)


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
    for line in lines:
        text = line.text
        stream = line.prefix.stream
        body = text.lstrip()
        indent = len(text) - len(body)
        if body.startswith('File "') and ", line " in body:
            indents[stream] = indent
        elif stream in indents:
            frame = indents[stream]
            if not body:
                del indents[stream]
            elif indent > frame and line.role in ("output", "source", "prose", "code"):
                line.role = "source"
            elif frame == 0 and not _ERROR_LINE.match(body) and not body.startswith(("Traceback", "During", "The above")):
                line.role = "source"  # pasted without its indentation
                del indents[stream]
            else:
                del indents[stream]


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
