"""What a wish, an essay or another document tells of its writer's machine, where the text reports a failure beside it.

What a document says of versions in general is nobody's: releases in a changelog, what a guide asks for. What it tells in the first
person, or in the fields of an environment, is the writer's own.
"""

from __future__ import annotations

from triage.facts import Observation
from triage.parsers.gpus import parse_gpus
from triage.parsers.versions.parse import parse_versions
from triage.reading import Line, Log
from triage.reading.lazy import Pattern
from triage.reading.log import SPOKEN

_MOST = 1_000  # lines
_FIRST_PERSON = Pattern(r"(?:\A|[\s(*_`])(?:I|[Mm]y|[Ww]e|[Oo]ur|I'm|I've|We're|We've)\s|\u6211")
_FIELD = Pattern(
    r"[\s>*_`-]{0,8}(?i:(?:(?:py)?torch|cuda(?: toolkit| runtime)?|cudnn|python|(?:nvidia |gpu )?driver|gpus?|graphics card|hardware|os"
    r"|transformers|vllm|sglang|tensorflow|jax|deepspeed|显卡|驱动)(?: ?versions?| models?)?)[*_`]{0,3} ?[:=\uff1a|]"
)
_HEADING = Pattern(r"\s{0,3}(?:#{1,6}\s|\*\*[^*\n]{2,40}\*\*:?\s*\Z|[A-Z][\w /-]{2,40}:\s*\Z)")
_OF_THE_MACHINE = Pattern(r"(?i:environment|system|set-?up|versions?|hardware|specs|my machine|platform)|环境|配置|版本|平台")
_ASKED_FOR = Pattern(r"(?i:requirement|prerequisite|install|support|recommend|changelog|release)|要求|安装|支持")


def add_what_is_told(log: Log, found: list[Observation]) -> None:
    """Add facts `version` and `gpu-name` that only the document beside a report tells, after those that the report itself tells."""
    if len(log.lines) > _MOST or not any(line.role in SPOKEN and line.text.strip() for line in log.lines):
        return
    told = _told(log.lines)
    if not told:
        return
    own = Log(told, log.total_lines, log.total_bytes, log.omitted, log.name, log.kind)
    known = {seen.slots["package"] for seen in found if seen.template == "version"}
    found += [seen for seen in parse_versions(own) if seen.slots["package"] not in known]
    if not any(seen.template in ("gpu", "gpu-name") for seen in found):
        found += parse_gpus(own)


def _told(lines: list[Line]) -> list[Line]:
    """The lines of documents that tell of the writer's machine, as what they are: said."""
    told: list[Line] = []
    below = False
    for line in lines:
        if line.role != "document":
            continue
        text = line.text
        if _HEADING.match(text) is not None:
            below = _OF_THE_MACHINE.search(text) is not None and _ASKED_FOR.search(text) is None
        elif below or _FIELD.match(text) is not None or _FIRST_PERSON.search(text) is not None:
            told.append(Line(line.number, line.raw, text, line.prefix, "prose"))
    return told
