"""What a text tells of the machine or release where all is well, beside the one that fails: "works on A with torch 2.1, fails on B".
Likewise of what was there before: "Old env: torch 2.0. New env: torch 2.1".

A clause, a line or the list below a label belongs to the one of the two whose word it holds. What is told of the sound one is true and
stays known, but gives way to what is told of the other.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from triage.parsers.praise import WELL
from triage.reading import Block
from triage.reading.lazy import Gated, Pattern

_MOST = 60  # words of praise in a block that are looked at
_LONGEST_LIST = 15  # lines below a label
_GATES = (
    "work", "Work", "fine", " ok", "OK", "uccess", "succe", "pass", "no problem", "no issue", "no error", ": No ", "no such", "runs for",
    "ormally", "正常", "没问题", "没有问题", "不报错", "可以", "\u2705",
)  # fmt: skip
# "torch 2.1 works fine", "it ran without errors", "在旧机器上正常": what all was well with; of what is mended now, `versions/announced.py`.
_WELL = Gated(
    rf"(?:work|(?<![A-Za-z])Work)(?:s|ed)\b(?: (?:just |perfectly |totally |still )?{WELL})?"
    rf"|\b(?:[Ii]t|[Cc]ode|[Ss]cript|[Aa]ll|[Pp]rogram|[Tt]raining) (?:can |could )?work (?:very |just )?{WELL}\b"
    rf"|(?:runs?|ran|trains?|trained|(?:is|are|was|were)|all|goes|went|everything) (?:just |perfectly |all )?{WELL}\b"
    rf"|(?:can|could) (?:run|train|use)\b[^.,;\n]{{0,30}}? {WELL}\b"
    r"|\b(?:I|[Ww]e|have|had|can|could) successfully (?:ran|run|trained?|tested|executed?|used)\b"
    r"|(?:runs?|works?) for (?:me|us)\b|[Nn]o (?:such )?(?:problems?|issues?|errors?)\b|succeed(?:s|ed)\b|pass(?:es|ed)\b"
    r"|do(?:es)?(?: not|n.?t) (?:happen|occur|fail|crash)\b"
    r"|(?<=\()(?:working|ok|OK|good|fine)(?=\))|[Ww]orking(?= (?:env|set-?up|config|machine|system|server|version|combination|case|one\b))"
    r"|Working(?= ?:)|OK(?= ?:)"
    r"|(?<![不法否能])正常|没(?:有)?问题|不(?:会)?报错|(?<!不)可以(?:正常|成功)?(?:运行|跑|训练|推理|使用)|(?<!不)可以(?:进行|成功)[^。，,；;\n]{0,24}?(?:运行|跑|训练|编译|安装)|\u2705"
)
_BEFORE_GATES = ("efore", "old ", "Old ", "nitial", "riginal", "ormer", "revious", "原", "初", "旧", "之前", "以前", "一开始")
_BEFORE = Gated(
    r"(?i:(?<!\w)(?:before ?[:(]|(?:old|former|previous|initial|original)(?: \w{2,9})? ?"
    r"(?:env\w*|set-?up|configuration|machine|server|system)\b"
    r"|(?:initially|originally|previously|formerly|before),? (?:i|we|it|my|the)\b(?! (?:only|failed|got|same)\b)))"
    r"|(?:初始|最初|起初|一开始|原来|原先|原本|原|旧|之前|以前)的?(?:版本|环境|配置|机器|服务器|是|用的?是?|用|(?:安)?装的?是?) ?[:：]?"
)
_AFTERWARDS = Pattern(
    r"(?i:(?<!\w)(?:now|after\w*|new|currently|current|then|later|but|since|i (?:use|have|am)|we (?:use|have|are)))\b"
    r"|升级|更新|现在|目前|[就又]装了|改装|重装|新的?(?:版本|环境|配置|机器)|换成|换了|后来|但|后 ?[:：]",
)
_NOT_SAID = Pattern(
    r"(?:nvidia-smi|nvcc)(?: -\w| --version)?`? ?(?:is |输出|显示|也|都|命令)?\Z"
    r"|(?:\bnot|n't|\bnever|\bnothing|\bnone|\bneither|\blonger|\bnor|\bif|\bwhether|\bshould|\bhow|\bwhat|\bto|\bonly|\bdo|\buntil|\bonce"
    r"|\bin)\s(?:\w{1,12}\s){0,2}\Z|[否]\Z",
    re.IGNORECASE,
)
_ILL = Pattern(
    r"(?i:\b(?:fail\w*|crash\w*|error\w*|broken?|breaks|hangs?|hung|ooms?|dies|died|abort\w*|seg ?fault\w*|problems?|issues?|out of memory"
    r"|i (?:get|got|see|have)|we (?:get|got|see)|gives?|gave|throws?|threw|raises?|bad"
    r"|(?:do(?:es)?(?: not|n.?t)|did(?: not|n.?t)|not|never|no longer|stopped) \w{0,9} ?(?:work|run|start)\w*"
    r"|(?:do(?:es)?|did)(?: not|n.?t)(?=[.,;\n]|\Z)))"
    r"|报错|失败|不行|崩|出错|不能|无法|爆|卡死|有问题|\u274c"
)
_ASKED = Pattern(r"[^,.;\n。，]{0,24}[?？吗]")
_STRONG = Pattern(r"; |,? (?:but|while|whereas|however|yet)\b|；|[,，] ?(?:但是?|而|不过|却)|但是?|[.!] (?=[A-Z`*])|。", re.IGNORECASE)
_SENTENCE = Pattern(r"[.!?] (?=[A-Z`*(])|[\n。！？;；]")
_COMMA = Pattern(r",|，|、| and | / ")
_NAMED_BEHIND = (" with ", " on ", " under ", " using ", " in ")
_LABEL_MARKS = " \t#*_`>-"


class Contrast:
    """Where a block tells of what is sound."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._is_read = False  # most blocks are never asked

    def holds(self, place: int) -> bool:
        """Whether an offset lies in what is told of the sound one."""
        if not self._is_read:
            self._is_read = True
            self._read()
        index = bisect_right(self._starts, place) - 1
        return index >= 0 and place < self._ends[index]

    def _read(self) -> None:
        spans = [*self._sound(), *self._former()]
        end = 0
        for first, last in sorted(spans):
            if last > end:
                self._starts.append(max(first, end))
                self._ends.append(last)
                end = last

    def _former(self) -> Iterator[tuple[int, int]]:
        """What was there before: up to the words for what came after, at most to the end of the list below a label."""
        block, text = self._block, self._block.text
        if not any(map(text.__contains__, _BEFORE_GATES)):
            return
        for count, before in enumerate(_BEFORE.finditer(text)):
            line = block.index(before.start())
            if count == _MOST or block.lines[line].role not in ("prose", "output", "table", "mention"):
                continue
            whole = block.starts[line] + len(block.lines[line].text)
            end = whole
            if text[before.end() : whole].strip(_LABEL_MARKS + ":：(（") == "":
                end = _end_of_list(block, line)
            after = _AFTERWARDS.search(text, before.end(), end)
            yield before.start(), after.start() if after is not None else end

    def _sound(self) -> Iterator[tuple[int, int]]:
        """Where all is well."""
        block, text = self._block, self._block.text
        if not any(map(text.__contains__, _GATES)):
            return
        end = 0
        for count, well in enumerate(_WELL.finditer(text)):
            if count == _MOST:
                return
            if well.start() < end or (text[well.start() - 1 : well.start()].isalnum() and well[0].isascii() and well.start() > 0):
                continue
            if block.line(well.start()).role not in ("prose", "output", "table", "mention"):
                continue
            if _NOT_SAID.search(text, max(0, well.start() - 40), well.start()) is None and _ASKED.match(text, well.end()) is None:
                first, end = _scope(block, well)
                yield first, end


def _scope(block: Block, well: re.Match[str]) -> tuple[int, int]:
    """From where to where a text tells of what a word praises; nothing where its sentence is about neither."""
    text = block.text
    line = block.index(well.start())
    start = block.starts[line]
    end = start + len(block.lines[line].text)
    bare = text[start:end].strip(_LABEL_MARKS)
    if len(bare) < 60 and (bare.endswith((":", "：")) or text.startswith(("#", "**"), start)) and _ILL.search(bare) is None:
        return start, _end_of_list(block, line)
    return _clause(text, well, *_between(_SENTENCE, text, well, start, end))


def _between(marks: Pattern, text: str, well: re.Match[str], start: int, end: int) -> tuple[int, int]:
    """From the last mark before a word to the first behind it."""
    for mark in marks.finditer(text, start, end):
        if mark.end() <= well.start():
            start = mark.end()
        elif mark.start() >= well.end():
            return start, mark.start()
    return start, end


def _clause(text: str, well: re.Match[str], start: int, end: int) -> tuple[int, int]:
    """The part of a sentence that a word of praise is about: up to where the other part begins, which tells of what fails."""
    start, end = _between(_STRONG, text, well, start, end)
    if text.startswith(_NAMED_BEHIND, well.end()):
        start = well.start()  # what stands before may be true of both
    before = list(_ILL.finditer(text, start, well.start()))
    behind = _ILL.search(text, well.end(), end)
    if before:
        commas = [mark.end() for mark in _COMMA.finditer(text, before[-1].end(), well.start())]
        if not commas:
            return well.start(), well.start()
        near = before[-1].end()
        start = commas[0] if commas[0] - near < 4 else commas[-1]
    if behind is not None:
        commas = [mark.start() for mark in _COMMA.finditer(text, well.end(), behind.start())]
        if not commas:
            return well.start(), well.start()
        end = commas[0] if commas[0] - well.end() < 4 else commas[-1]
    return start, end


def _end_of_list(block: Block, label: int) -> int:
    """Where the list below a label ends: at a blank line, at another label, or where a failure is told."""
    last = label
    for index in range(label + 1, min(label + 1 + _LONGEST_LIST, len(block.lines))):
        bare = block.lines[index].text.strip(_LABEL_MARKS)
        if not bare:
            if last > label:
                break
            continue
        if bare.endswith((":", "：")) or block.lines[index].text.startswith("#") or _ILL.search(bare) is not None:
            break
        last = index
    return block.starts[last] + len(block.lines[last].text)
