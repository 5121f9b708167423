"""Text that a terminal, an editor or a mail program wrapped at a fixed width, joined again.

What is joined is only tried for messages that no line shows as it stands, so that a wrong guess costs little.
"""

from __future__ import annotations

from triage.reading.lazy import Pattern
from triage.reading.log import NO_PREFIX, Line

_NARROWEST, _WIDEST = 50, 220
_WIDEST_TERMINAL = 400  # lines as long as each other by chance are rare however wide
_MOST_LINES = 40  # of one message
_TERMINALS = frozenset((80, 90, 96, 100, 110, 120, 128, 132, 140, 150, 160, 180, 200))  # columns at which a single cut is believed
_ALIKE = 16  # characters with which lines of a log or of several ranks begin alike
_RAGGED = 30  # columns that a long word may leave empty
_LONGEST_TEXT = 400  # lines of what people wrap
_EDITORS = (72, 76, 78, 79, 80, 90, 100, 120, 132)
_CUT_OFF = Pattern(r".*[\w,;(/<>=+\-'\"`)\]] ?\Z")
_UNIT = Pattern(r"(?:[KMG]i?B|bytes)\b")
_FRAGMENT = Pattern(
    r"(?:[a-z]\w*(?:[ ,);:_-]|\.? |\.?$|\()|[,.;)%] ?[a-z(]|(?:[KMG]i?B|bytes)\b|[0-9.]+ [KMG]i?B\b|[0-9]+/[0-9]+ |[0-9]+[.,]? [a-z]"
    r"|[A-Z][\w.-]* [a-z(=<>]|[A-Z]+[a-z]* |[A-Z]+_[A-Z_]+|[`'\"(][\w./]|/\w|[\w-]+[/:]{1,2}[\w<]|[a-z_]\w*[=(.])"
)
_NEW_MESSAGE = Pattern(
    r"(?:Traceback|During|The above|File \"|terminate called|frame #|at::"
    r"|\S*[^\sa-z]\S*: |\w+=\S* \w+=|\S+\[[0-9]|[\w.]*(?:Error|Exception|Warning)\b)"
)
_NEW_RECORD = Pattern(
    r"(?:Traceback|During|The above|File \"|terminate called|frame #|[A-Za-z_][\w.]*(?:Error|Exception|Warning): |\[?[0-9]{4}-[0-9]{2})"
)
_FRAME = Pattern(r'\s*(?:File "|frame #|at [\w.]+\()')
_BEGINNINGS = ('  File "', "Traceback ", "During ", "The above ")  # of what is no part of a message, without a pattern
_WORDS = Pattern(r".*[A-Za-z]{3}")
_CHECK = Pattern(r".*\.\w{1,4}:[0-9]+: .*\bblock: ?\[[0-9, ]+\], thread: ?\[[0-9, ]+\]:? Assertion .*[`\w] ?failed\b")
_LINES_OF_A_CHECK = 6
# What a console of Rich puts before a message, and the place in the source that it puts at the end of the first line.
_COLUMNS = Pattern(r"(?:\[?[0-9][0-9:/., T-]{4,28}\]? +| {8,32})(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) {1,9}(?=\S)")
_PLACE = Pattern(r" {2,}[\w.-]{1,40}\.py:[0-9]{1,5} *\Z")
# What goes on in the last cell of a table, as Triton Inference Server puts the reasons of models that did not load.
_CELL_GOES_ON = Pattern(r"(?:\| {2,}){1,8}\| \S")
_BOX = frozenset("|+-=#*~\u2502\u256d\u2570\u2500\u2551")


def unwrap(lines: list[Line]) -> list[Line]:
    """Logical lines, or an empty list where nothing seems wrapped.

    A terminal cuts anywhere: lines are equally long, or one has as many columns as a terminal. An editor cuts between words: lines
    stop in the middle of a sentence, the next word would not have fitted. Where both may be, both readings are given.
    """
    logical: list[Line] = []
    joined = False
    index = 0
    width = _width_of_all(lines)
    terminal = _width_of_terminal(lines)
    while index < len(lines):
        checked = _end_of_check(lines, index, " ")
        below = _below_its_column(lines, index)
        within = _within_its_cell(lines, index) if below == index else index
        if max(below, within) > index:
            joined = True
            logical.append(_in_its_column(lines[index : below + 1]) if below > index else _in_its_cell(lines[index : within + 1]))
            index = max(below, within) + 1
            continue
        cut = max(_cut_anywhere(lines, index, terminal), _end_of_check(lines, index, "") if checked == index else index)
        filled = max(_cut_between_words(lines, index), _filled_up(lines, index, width), checked)
        if max(cut, filled) == index:
            logical.append(lines[index])
        else:
            joined = True
            if cut > index:
                logical.append(_join(lines[index : cut + 1], ""))
            if filled > index:
                logical.append(_join(lines[index : filled + 1], " "))
        index = max(cut, filled) + 1
    return logical if joined else []


def _width_of_terminal(lines: list[Line]) -> int:
    """The width at which a terminal cut: that of the longest lines, where two different ones below the title have it; 0 for none."""
    if len(lines) > _LONGEST_TEXT:
        return 0
    longest = max([len(line.raw) for line in lines[1:]], default=0)
    beginnings = {line.text[:_ALIKE] for line in lines[1:] if len(line.raw) == longest}
    return longest if longest >= _NARROWEST and len(beginnings) > 1 else 0


def _cut_anywhere(lines: list[Line], first: int, terminal: int) -> int:
    """Index of the last line that a terminal of this width, or of a usual one, cut off the one at `first`; `first` where none did."""
    width = len(lines[first].raw)
    believed = width in _TERMINALS or width == terminal
    if not _NARROWEST <= width <= _WIDEST_TERMINAL or not (believed or _as_long(lines, first + 1, width)):
        return first
    last = first
    while (
        last + 1 < len(lines)
        and last - first < _MOST_LINES
        and len(lines[last].raw) == width
        and not _is_padded(lines[last])
        and len(lines[last + 1].raw) <= width
        and _may_continue(lines[first], lines[last + 1])
        and _NEW_RECORD.match(lines[last + 1].text) is None
    ):
        last += 1
    if last - first >= 2 or (last > first and (believed or _is_padded(lines[last]))):
        return last
    return first


def _is_padded(line: Line) -> bool:
    """Whether a terminal's copy of a line was filled up with blanks: there it ended."""
    return line.raw.endswith("  ")


def _as_long(lines: list[Line], index: int, width: int) -> bool:
    return index < len(lines) and len(lines[index].raw) == width


def _cut_between_words(lines: list[Line], first: int) -> int:
    """Index of the last line that continues the sentence of the one at `first`; `first` itself where nothing does."""
    last = first
    while (
        last + 1 < len(lines)
        and last - first < _MOST_LINES
        and _NARROWEST <= len(lines[last].raw) <= _WIDEST
        and _may_continue(lines[first], lines[last + 1])
        and _reads_on(lines[last].text, lines[last + 1].text, last > first)
    ):
        last += 1
    if last == first:
        return first
    width = max([len(line.raw.rstrip()) for line in lines[first:last]])
    full = first
    while full < last and _is_full(lines[full], lines[full + 1], width):
        full += 1
    if full - first >= 2:
        return full
    if full > first and (_splits_number(lines[first].text, lines[full].text) or _fills_an_editor(lines[first], lines[full])):
        return full
    return first


def _below_its_column(lines: list[Line], first: int) -> int:
    """Index of the last line that goes on in the column where the message of a record of Rich begins; `first` where none does."""
    record = _COLUMNS.match(lines[first].raw)
    if record is None:
        return first
    last = first
    while last + 1 < len(lines) and last - first < _MOST_LINES and _stands_in(lines[last + 1].raw, record.end()):
        last += 1
    return last


def _stands_in(raw: str, column: int) -> bool:
    """Whether a line has nothing before a column, and begins there: what is shown further in is another's, such as a table's."""
    return len(raw) > column and not raw[:column].strip(" ") and raw[column] != " "


def _in_its_column(lines: list[Line]) -> Line:
    """The message of a record of Rich in one line, without the place in the source that its first line ends with."""
    first, *more = lines
    text = " ".join([_PLACE.sub("", first.text).rstrip(), *(line.text.strip() for line in more)])
    return Line(first.number, "\n".join([line.raw for line in lines]), text, first.prefix, first.role)


def _within_its_cell(lines: list[Line], first: int) -> int:
    """Index of the last line that the text of a table's last cell goes on to, in rows that have nothing else; `first` where none does."""
    raw = lines[first].raw
    last = first
    while (
        raw[:2] == "| "
        and last + 1 < len(lines)
        and last - first < _MOST_LINES
        and len(lines[last + 1].raw) == len(raw)
        and _CELL_GOES_ON.match(lines[last + 1].raw) is not None
        and lines[last].raw[-4:-1].strip()  # a cell with room left ended its line there
    ):
        last += 1
    return last


def _in_its_cell(lines: list[Line]) -> Line:
    """The row of a table in one line. Words are cut anywhere: each row but the last is full."""
    first, *more = lines
    start = first.raw.rstrip().rfind("| ", 0, -2) + 2
    text = "".join([first.raw.rstrip()[:-2], *(line.raw.rstrip()[start:-2] for line in more)]).rstrip()
    return Line(first.number, "\n".join([line.raw for line in lines]), text, first.prefix, first.role)


def _end_of_check(lines: list[Line], first: int, glue: str) -> int:
    """Index of the line that ends the report of a kernel's failed check, wherever it was cut; `first` where none was.

    The condition between its backquotes reads on with operators, as no sentence does. Without glue it was cut within a word.
    """
    text = lines[first].text
    if (".cu:" not in text and "block: [" not in text) or " failed" in text:
        return first
    for last in range(first + 1, min(first + _LINES_OF_A_CHECK, len(lines))):
        if not _may_continue(lines[first], lines[last]) or ".cu:" in lines[last].text:
            return first
        text += glue + (lines[last].text.strip() if glue else lines[last].text)
        if " failed" in text:
            return last if _CHECK.match(text) is not None else first
    return first


def _width_of_all(lines: list[Line]) -> int:
    """The width at which a text as a whole may have been wrapped: no line of it is longer, and several nearly fill it; 0 for none."""
    lengths = [len(line.raw.rstrip()) for line in lines[:_LONGEST_TEXT]]
    longest = max(lengths, default=0)
    width = next((width for width in _EDITORS if width >= longest), 0)
    return width if longest >= width - _RAGGED and len(lines) <= _LONGEST_TEXT else 0


def _filled_up(lines: list[Line], first: int, width: int) -> int:
    """Index of the last line that goes on where the one before it had no room for its first word, in a text wrapped at this width."""
    last = first
    while (
        width
        and last + 1 < len(lines)
        and last - first < _MOST_LINES
        and len(lines[last].raw.rstrip()) >= width - _RAGGED
        and _may_continue(lines[first], lines[last + 1])
        and _is_full(lines[last], lines[last + 1], width)
        and _NEW_RECORD.match(lines[last + 1].text.lstrip()) is None
        and lines[last + 1].text.split(" ", 1)[0] != lines[last].text.split(" ", 1)[0]  # lines of a table or a log begin alike
    ):
        last += 1
    return last


def _may_continue(line: Line, after: Line) -> bool:
    """Whether the second line can belong to the message of the first by where it stands."""
    return (
        line.role in ("output", "prose")
        and after.role in ("output", "prose")
        and bool(after.text)
        and "%|" not in after.text  # a progress bar
        and not after.text.startswith(_BEGINNINGS)
        and (after.prefix is NO_PREFIX or (after.prefix is line.prefix and not after.prefix.stamp))
        and line.text[:1] not in _BOX
        and _WORDS.match(line.text) is not None
        and _FRAME.match(line.text) is None
        and not line.text.endswith(("it/s]", "s/it]", "-->"))  # progress, and the remarks of a form
    )


def _reads_on(text: str, after: str, amid: bool) -> bool:
    """Whether a sentence goes on from one line to the next; amid a wrapped message a sentence may also end with a line."""
    after = after.lstrip()
    first = after.split(" ", 1)[0]
    return (
        (_CUT_OFF.match(text) is not None or (amid and text.rstrip()[-1:] == "."))
        and _FRAGMENT.match(after) is not None
        and _NEW_MESSAGE.match(after) is None
        and (first.isalpha() or first != text.split(" ", 1)[0])  # lines of a table or a log begin alike
        and after.split(" ", 2)[:2] != text.split(" ", 2)[:2]
    )


def _is_full(line: Line, after: Line, width: int) -> bool:
    return len(line.raw.rstrip()) + 1 + len(after.text.lstrip().split(" ", 1)[0]) > width


def _fills_an_editor(line: Line, after: Line) -> bool:
    """Whether a single line ends where a usual width leaves no place for the next word."""
    length = len(line.raw.rstrip())
    return any(length <= width and _is_full(line, after, width) for width in _EDITORS)


def _splits_number(text: str, after: str) -> bool:
    return text.rstrip()[-1:].isdigit() and _UNIT.match(after.lstrip()) is not None


def _join(lines: list[Line], glue: str) -> Line:
    text = "".join([line.text for line in lines]) if not glue else glue.join([line.text.strip() for line in lines])
    return Line(lines[0].number, "\n".join([line.raw for line in lines]), text, lines[0].prefix, lines[0].role)
