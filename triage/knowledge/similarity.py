"""Which real cases resemble a failure, and full-text search over cases.

Both work on the plain dicts that `Case.to_data()` gives. Facts decide first: family, cause, operator, devices, dtypes, codes,
frameworks, models, and the order of magnitude of sizes. Only where facts leave a tie between cases is the text
compared, first by the words shared, then with RapidFuzz, after numbers, paths and addresses are masked.
"""

from __future__ import annotations

import math

from triage.engine.values import TYPE_CHECKING
from triage.reading.lazy import Pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, TypeAlias

    CaseData: TypeAlias = Mapping[str, Any]

LEAST = 0.35  # what scores lower resembles nothing
TIE = 0.12  # cases whose fact scores lie closer together than this are told apart by their text
_SAME = 0.8  # how well a word of a search must fit for a case to count as having it
WORD_TIE = 0.02  # cases whose words are shared to shares closer than this are told apart by RapidFuzz
MAX_TEXT = 4000  # characters compared: the end of a text, where errors stand

# What agreement in a slot is worth. Slots that are not named here say nothing about likeness.
_WEIGHTS: dict[str, float] = {
    "op": 3, "xid": 4, "sxid": 4, "error_code": 3, "library": 3, "collective": 2, "dtypes": 2, "devices": 2, "capability": 2,
    "gpu_name": 1, "exit_code": 1, "frameworks": 3, "models": 3,
    "requested_bytes": 2, "capacity_bytes": 1, "allocated_bytes": 1, "reserved_unallocated_bytes": 1,
}  # fmt: skip
_FAMILY, _CAUSE, _FACTS = 0.45, 0.25, 0.3  # shares of the score
_UNKNOWN = 0.5  # what a share counts when one side does not know
_PRIOR = 3  # weight of not knowing: one slot that happens to agree makes no certainty

_MASKS = (
    (Pattern(r"0x[0-9a-fA-F]+"), "#"),
    (Pattern(r"(?:[A-Za-z]:)?(?:[/\\][\w.\-]+){2,}"), "/"),
    (Pattern(r"\d+(?:\.\d+)?"), "#"),
    (Pattern(r"\s+"), " "),
)
_LATIN = Pattern(r"[a-z0-9_+.\-]+")
_PARTS = Pattern(r"[a-z0-9]{4,}")
# Words that tell no case from another, of a query that has others.
_FILLERS = frozenset((
    "a", "after", "an", "and", "are", "at", "before", "by", "does", "first", "for", "from", "in", "is", "it", "my", "not", "of", "on", "or",
    "the", "to", "when", "while", "with",
))  # fmt: skip
_WORDS = Pattern(r"[a-z0-9_+.\-]+|[㐀-鿿]+")  # its range makes it slow to compile


def similar(
    wanted: Mapping[str, Any], text: str, cases: Sequence[CaseData], limit: int = 5, least: float = LEAST
) -> list[tuple[str, float]]:
    """The cases that resemble a diagnosis, best first: (id, score from 0 to 1), at most `limit`, none below `least` by its facts.

    `wanted` has the diagnosis's `id`, `family` and `cause` and its facts, as the report shows them; `frameworks` and `models` may be
    added as lists of names. `text` is its evidence: the lines it was read from.
    """
    told = [(slot, weight, wanted[slot]) for slot, weight in _WEIGHTS.items() if wanted.get(slot) is not None]
    scored = []
    for case in cases:
        score = _fact_score(wanted, told, case)
        if score >= least:
            scored.append((score, case))
    scored.sort(key=lambda item: (-item[0], item[1]["id"]))
    if len(scored) > 1 and scored[0][0] - scored[1][0] < TIE and text:
        scored = _told_apart_by_text(scored, text)
    return [(case["id"], round(score, 2)) for score, case in scored[:limit]]


def _fact_score(wanted: Mapping[str, Any], told: Sequence[tuple[str, float, Any]], case: CaseData) -> float:
    if wanted.get("family") != case["family"]:
        return 0.0
    worth = agreement = 0.0
    for slot, weight, mine in told:
        other = case["facts"].get(slot, case["environment"].get(slot))
        if other is not None:
            worth += weight
            agreement += weight * _agreement(slot, mine, other)
    by_facts = (agreement + _UNKNOWN * _PRIOR) / (worth + _PRIOR)
    return _FAMILY + _CAUSE * _cause_agreement(wanted, case) + _FACTS * by_facts


def _cause_agreement(wanted: Mapping[str, Any], case: CaseData) -> float:
    if wanted.get("id") in case["diagnoses"]:
        return 1.0
    cause, causes = wanted.get("cause"), case["causes"]
    if not cause or not causes:
        return _UNKNOWN
    if cause == causes[0]:
        return 1.0
    return 0.8 if cause in causes else 0.0


def _agreement(slot: str, mine: Any, other: Any) -> float:
    if slot.endswith("_bytes"):
        return _same_magnitude(mine, other)
    if slot == "devices":
        return 1.0 if _device_pattern(mine) == _device_pattern(other) else 0.0
    if isinstance(mine, (list, tuple)) and isinstance(other, (list, tuple)):
        left, right = {str(item).lower() for item in mine}, {str(item).lower() for item in other}
        if slot == "frameworks":  # a case names all that took part, a message the one that printed it
            return 1.0 if left & right else 0.0
        return len(left & right) / len(left | right) if left and right else 0.0
    return 1.0 if str(mine).lower() == str(other).lower() else 0.0


def _same_magnitude(mine: float, other: float) -> float:
    """1 for equal sizes, 0 from a factor of 16 on, linear in between on a logarithmic scale."""
    if mine <= 0 or other <= 0:
        return 1.0 if mine == other else 0.0
    return max(0.0, 1 - abs(math.log2(mine / other)) / 4)


def _device_pattern(devices: Sequence[str]) -> str:
    """Kinds of devices in order, without their numbers: two GPUs are another story than GPU and CPU."""
    kinds = [device.split(":")[0] for device in devices]
    return "+".join(sorted(set(kinds))) + ("" if len(set(devices)) < 2 or len(set(kinds)) > 1 else "×2")


def _told_apart_by_text(scored: list[tuple[float, CaseData]], text: str) -> list[tuple[float, CaseData]]:
    """Cases that facts leave tied, ordered by the words they share with the text; what words leave tied too, by RapidFuzz."""
    best = scored[0][0]
    tied = [item for item in scored if best - item[0] < TIE]
    wanted = _masked(text[-MAX_TEXT:])
    symptoms = {case["id"]: _masked(" ".join(case["symptom"])) for _, case in tied}
    likeness = {name: _shared_words(wanted, symptom) for name, symptom in symptoms.items()}
    first, second = sorted(likeness.values(), reverse=True)[:2]
    if first - second < WORD_TIE:
        from rapidfuzz import fuzz  # costs as much as all of a short explanation: only where nothing cheaper decides

        likeness = {name: fuzz.token_set_ratio(wanted, symptom) / 100 for name, symptom in symptoms.items()}
    again = [(0.75 * score + 0.25 * likeness[case["id"]], case) for score, case in tied]
    return sorted(again + scored[len(tied) :], key=lambda item: (-item[0], item[1]["id"]))


def _shared_words(first: str, second: str) -> float:
    """The share of the words of the second text that stand in the first."""
    words = set(_runs(second))
    return len(words & set(_runs(first))) / max(len(words), 1)


def _runs(text: str) -> list[str]:
    return (_LATIN if text.isascii() else _WORDS).findall(text)


def _masked(text: str) -> str:
    for pattern, mask in _MASKS:
        text = pattern.sub(mask, text)
    return text.lower().strip()


def search(query: str, cases: Sequence[CaseData], limit: int = 10, asked: Mapping[str, str] | None = None) -> list[tuple[str, float]]:
    """The cases that speak of the words of a query, in either language, misspelt or not: (id, score from 0 to 1), best first.

    `asked` has further words for families and causes: what people call them who look for them.
    """
    from rapidfuzz import fuzz

    words = _words(query)
    wanted = [word for word in words if word not in _FILLERS] or words
    if not wanted:
        return []
    matches = [_matches(wanted, case, asked or {}, fuzz.ratio) for case in cases]
    counts = [sum(row[place] >= _SAME for row in matches) for place in range(len(wanted))]
    rarity = [_rarity(word, count, len(cases)) for word, count in zip(wanted, counts, strict=True)]
    if not sum(rarity):
        return []
    found = []
    for case, row in zip(cases, matches, strict=True):
        score = sum(map(float.__mul__, rarity, row)) / sum(rarity)
        if score > 0.5:  # half of the words are not enough
            found.append((round(score, 3), case["id"]))
    found.sort(key=lambda item: (-item[0], item[1]))
    return [(identifier, score) for score, identifier in found[:limit]]


def _rarity(word: str, count: int, cases: int) -> float:
    """What a word is worth that so many of the cases have: one that all have tells none apart, of one that none has most of a word's worth.

    Two Chinese characters that no case has beside each other may be the end of one word and the beginning of the next: they are worth none.
    """
    if count:
        return math.log(1 + cases / count)
    return 0.0 if word[0] >= "㐀" else math.log(1 + cases / 10)


def _matches(wanted: Sequence[str], case: CaseData, asked: Mapping[str, str], ratio: Callable[..., float]) -> list[float]:
    """How well the likeliest word of a case fits each of the words that are wanted, by where it stands."""
    fields = [(weight, _words(text)) for weight, text in _searchable(case, asked)]
    return [max(weight * _best_match(word, words, ratio) for weight, words in fields) for word in wanted]


def _searchable(case: CaseData, asked: Mapping[str, str]) -> list[tuple[float, str]]:
    environment, concepts = case["environment"], [case["family"], *case["causes"]]
    named = [name for part in ("gpus", "models", "frameworks", "versions") for name in environment.get(part, ())]
    return [
        (1.0, " ".join([case["id"].replace("-", " "), case["title"]["en"], case["title"]["zh"], *named])),
        (0.95, " ".join(case["symptom"])),
        (0.9, " ".join([case["family"].replace(".", " "), *case["causes"], case["cause"]["en"], case["cause"]["zh"]])),
        (0.9, " ".join(asked.get(name, "") for name in concepts)),
        (0.85, f"{case['fix']['en']} {case['fix']['zh']}"),
    ]


def _words(text: str) -> list[str]:
    """Words in order, each once: Latin words as they stand and their longer parts, Chinese runs as their pairs of characters."""
    words: dict[str, None] = {}
    for run in _runs(text.lower()):
        if run[0] >= "㐀" and len(run) > 1:
            words.update(dict.fromkeys(run[place : place + 2] for place in range(len(run) - 1)))
        else:
            run = run.strip(".-")
            words[run] = None
            words.update(dict.fromkeys(_PARTS.findall(run)))  # libcudnn of libcudnn.so.8
    words.pop("", None)
    return list(words)


def _best_match(word: str, words: list[str], ratio: Callable[..., float]) -> float:
    """How well the likeliest of the words fits: 1 for equal, 0 below two thirds of the letters."""
    if word in words:
        return 1.0
    if len(word) < 4 or word[0] >= "㐀":
        return 0.0
    return max((ratio(word, other, score_cutoff=66) / 100 for other in words), default=0.0)
