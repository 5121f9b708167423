"""One pass over all signatures gives what trying each on each line would give."""

from __future__ import annotations

import re
from itertools import count, islice
from typing import Any

import pytest
import re2

from triage import explain
from triage.facts.vocabulary import SLOTS
from triage.reading import Line, read
from triage.rulebook.loader import Source
from triage.rulebook.store import load_rulebook
from triage.signatures.finding import Find, finder
from triage.signatures.matcher import Matcher
from triage.signatures.patterns import compile_text
from triage.signatures.readings import readings
from triage.signatures.signature import MAX_MATCHES, Signature, as_searched, bytewise

Form = tuple[int, Signature, Any]  # the number of a signature, itself, and one of its expressions


def _signature(identifier: str, text: str, **more: Any) -> dict[str, Any]:
    pattern = compile_text(text, spans=more.get("span", 1) > 1)
    regexes = [(pattern.regex, pattern.slots)]
    return {"id": identifier, "failure": "memory.gpu-oom", "regexes": regexes, "literals": pattern.literals, **more}


def test_the_first_form_of_a_failure_that_fits_a_line_reports_it() -> None:
    full = _signature("full", "ran out: asked %{SIZE:requested_bytes}")
    short = _signature("short", "ran out")
    found = Matcher([full, short]).observe(read("it ran out: asked 2 MiB\nit ran out"))
    assert [(item.slots["signature"], item.slots["line"]) for item in found] == [("full", 1), ("short", 2)]
    assert found[0].slots["requested_bytes"] == 2 << 20


def test_lists_collect_and_scalars_keep_the_first() -> None:
    signature = _signature("pair", "between %{DEVICE:devices} and %{DEVICE:devices} of %{INT:gpu} or %{INT:gpu}")
    [found] = Matcher([signature]).observe(read("between cuda:1 and cpu of 4 or 5"))
    assert found.slots["devices"] == ("cuda:1", "cpu")
    assert found.slots["gpu"] == 4


def test_sentences_are_tried_by_themselves_where_a_signature_asks_for_it() -> None:
    asserts = [("remark", {"topic": ["const", "told"]})]
    told = _signature("told", "ran out of %{ANY} memory", signal=False, sentences=True, asserts=asserts)
    found = Matcher([told]).observe(
        read("It may be slow. It ran out of GPU memory! It ran out; of what memory? 显存。It ran out of all memory")
    )
    assert [(item.slots["sentence"], item.slots["line"]) for item in found] == [(1, 1), (5, 1)]


def test_a_span_does_not_reach_over_the_end_of_a_quotation() -> None:
    signature = _signature("two", "first half", span=2)
    [found] = Matcher([signature]).observe(read("It fails:\n```\nfirst half\n```\nCan you help?"))
    assert [evidence.text for evidence in found.evidence] == ["first half"]


def test_a_span_looks_at_the_following_lines_of_the_same_process() -> None:
    signature = _signature("two", "first half\nsecond half", span=2)
    text = "[rank0]: first half\n[rank1]: something else\n[rank0]: second half\n[rank1]: more"
    [found] = Matcher([signature]).observe(read(text))
    assert [item.line for item in found.evidence] == [1, 3]


def test_what_begins_in_a_later_line_of_a_span_is_found_there() -> None:
    signature = _signature("two", "first half: %{INT:gpu}\nsecond half", span=3)
    found = Matcher([signature]).observe(read("of the first half: nothing\nfirst half: 1\nsecond half"))
    assert [item.slots["line"] for item in found] == [2]


def test_the_rank_a_message_gives_itself_yields_to_that_of_the_prefix() -> None:
    signature = _signature("own", "[Rank %{INT:own_rank}] gave up")
    found = Matcher([signature]).observe(read("[rank13]: [Rank 1] gave up\n[Rank 2] gave up"))
    assert [item.slots["rank"] for item in found] == [13, 2]


def test_source_lines_of_a_traceback_report_nothing() -> None:
    signature = _signature("raise", "Failed to find the thing")
    text = 'Traceback (most recent call last):\n  File "/a/b.py", line 3, in f\n    raise OSError("Failed to find the thing")\nOSError: no'
    assert Matcher([signature]).observe(read(text)) == []


def test_what_is_said_is_not_read_from_an_exception() -> None:
    signature = _signature("words", "the card is full", **{"in": ["prose", "output"], "said": True})
    text = "torch.cuda.OutOfMemoryError: the card is full\nsee above: the card is full\nMy Error: the card is full"
    assert [item.slots["line"] for item in Matcher([signature]).observe(read(text))] == [2, 3]


def test_what_counts_once_is_told_once_and_without_a_place() -> None:
    pattern = compile_text("uses the toy arena")
    data = {"id": "toy", "regexes": [(pattern.regex, [])], "literals": pattern.literals, "in": ["output"], "once": True}
    data["asserts"] = [("remark", {"topic": ["const", "toy"]})]
    found = Matcher([data]).observe(read("main: uses the toy arena\nmain: uses the toy arena\n"))
    assert [(observation.template, observation.slots, observation.evidence[0].line) for observation in found] == [
        ("remark", {"topic": "toy"}, 1)
    ]


def test_a_storm_is_bounded() -> None:
    signature = _signature("storm", "it rains")
    assert len(Matcher([signature]).observe(read("it rains\n" * (MAX_MATCHES + 50)))) == MAX_MATCHES


def test_every_shipped_signature_fills_declared_slots_only() -> None:
    for data in load_rulebook().section("signatures"):
        for regex, slots in data["regexes"]:
            assert re2.compile(regex).groups == len(slots), data["id"]
            assert set(slots) <= SLOTS.keys(), data["id"]


def test_the_prefilter_loses_nothing(shipped_rules: list[Source]) -> None:
    """The matcher finds what trying signatures on every line finds: each on the examples of its file, all on every sixteenth one."""
    signatures = load_rulebook().section("signatures")
    assert [data["id"] for data in signatures] == [signature.id for source in shipped_rules for signature in source.model.signatures]
    matcher = Matcher(signatures)
    numbers = count()
    sample = count()
    every: list[Form] = []
    rest: list[list[Line]] = []
    for source in shipped_rules:
        own = [form for _, number in zip(source.model.signatures, numbers, strict=False) for form in _forms(number, signatures[number])]
        examples = [read(example.text).lines for example in source.model.examples]
        _assert_nothing_lost(matcher, own, examples)
        rest += [lines for lines in examples if next(sample) % 16 == 0]
        every += own
    for first in range(0, len(rest), 20):
        _assert_nothing_lost(matcher, every, rest[first : first + 20])


def _forms(number: int, data: dict[str, Any]) -> list[Form]:
    """The forms of a signature that matches single lines, as they are searched in a text of many."""
    if data.get("span", 1) > 1:
        return []
    assert not [regex for regex, _ in data["regexes"] if re.search(r"\\[AzZ]", regex)]  # what stands for the ends of a text, not of a line
    signature = Signature(data)
    return [(number, signature, re2.compile(b"(?m)" + regex.encode())) for regex, _ in data["regexes"]]


def _assert_nothing_lost(matcher: Matcher, forms: list[Form], texts: list[list[Line]]) -> None:
    # What matches a line by itself matches where it stands among others, as long as `^` and `$` are those of lines.
    whole = b"\n".join(reading for lines in texts for line in lines for reading in readings(line.text))
    found = dict.fromkeys((number, signature) for number, signature, form in forms if form.search(whole))
    for lines in texts:
        _assert_found(matcher, list(found), lines)


def _assert_found(matcher: Matcher, prepared: list[tuple[int, Signature]], lines: list[Line]) -> None:
    literals = {at: found for at, found, _ in matcher._found(lines)}
    for at, line in enumerate(lines):
        for number, signature in prepared:
            slots = signature.match(line.text)
            if slots is not None:
                called = matcher._called_for(signature.roles[0], literals.get(at, ()))
                quick = {other: forms for other, _, forms in called}
                assert number in quick, f"{signature.id} matches {line.text!r} but its literals do not"
                fitting = signature.plausible(quick[number], as_searched(line.text.encode()))
                assert signature.search(readings(line.text), fitting) == (slots, 1)


def test_in_ascii_an_expression_over_bytes_finds_what_one_over_characters_does(shipped_rules: list[Source]) -> None:
    """Each form on the lines in ASCII of the examples of its own file."""
    numbers = iter(load_rulebook().section("signatures"))
    for source in shipped_rules:
        lines = {line for example in source.model.examples for line in example.text.splitlines() if line.isascii()}
        text = "\n".join(sorted(lines)).encode()
        for data in islice(numbers, len(source.model.signatures)):
            for regex, _ in data["regexes"]:
                assert spans(bytewise(f"(?m){regex}"), text) == spans(_over_characters(f"(?m){regex}"), text), data["id"]


@pytest.mark.parametrize(
    ("pattern", "text"), [("9 ?°?C", "96 9C"), ("a[^。]{2}b", "xa..b"), ("[à-ü.]é?|(?i:É)x", ".x"), ("[一-鿿]?a", "a")]
)
def test_what_is_not_of_ascii_may_be_missing_from_it(pattern: str, text: str) -> None:
    found = spans(bytewise(pattern), text.encode())
    assert found
    assert found == spans(_over_characters(pattern), text.encode())


def _over_characters(regex: str) -> Find:
    return finder(regex.encode(), re2.Options())


def spans(find: Find | None, text: bytes) -> list[list[tuple[int, int]]]:
    """Where the first matches of an expression begin and end, and their groups."""
    assert find is not None
    found: list[list[tuple[int, int]]] = []
    at = 0
    while at <= len(text) and len(found) < 20:
        match = [tuple(span) for span in find(text, at, len(text))]
        start, end = match[0]
        if start < 0:
            break
        found.append(match)
        at = max(end, start + 1)
    return found


@pytest.mark.parametrize("pattern", [r"free: ([^,]{1,9}), (\S+)", r"(?i)FREE.{2}显?\W+(\w+)", r"(?m)^free[^a]+$", r"f(r)?e(z)?e: .{4},"])
def test_what_is_not_of_ascii_is_one_character_to_an_expression_that_names_none(pattern: str) -> None:
    signature = _signature("named", "unused")
    signature["regexes"] = [(pattern, ["message", "name"][: re2.compile(pattern).groups])]
    prepared = Signature(signature)
    for text in ("free: 显存不足, 约3GiB", "free：显存不足, 约 3GiB", "是 free: éàü,ok, ünd", "free: ok"):
        found = re2.compile(pattern).search(text)
        expected = found and {name: group for name, group in zip(signature["regexes"][0][1], found.groups(), strict=True) if group}
        assert prepared.match(text) == expected


def test_a_character_named_by_its_number_is_no_byte() -> None:
    assert bytewise(r"\x{4e00}?a") is None
    signature = _signature("named", "unused")
    signature["regexes"] = [(r"it \x{4e00}?rains", [])]
    assert Signature(signature).match("it rains") == {}


def test_blanks_and_digits_may_be_retyped() -> None:
    signature = _signature("typed", "asked for %{INT:gpu} and got nothing")
    [found] = Matcher([signature]).observe(read("  asked   for\u3000７ and\xa0got  nothing"))
    assert found.slots["gpu"] == 7


@pytest.mark.parametrize("margin", ["", " ", "        "])
def test_a_message_may_be_pasted_with_a_margin(margin: str) -> None:
    signature = _signature("lines", "asked for", span=2)
    signature["regexes"] = [("^asked for ([0-9]+)\\nand got  nothing$", ["gpu"])]
    lines = ("step 3", "asked for 7", "and got  nothing")
    [found] = Matcher([signature]).observe(read("\n".join(margin + line for line in lines)))
    assert (found.slots["gpu"], found.slots["line"]) == (7, 2)


def test_the_lines_below_a_match_are_no_evidence() -> None:
    message = (
        "NVIDIA GeForce RTX 3090 with CUDA capability sm_86 is not compatible with the current PyTorch installation.\n"
        "The current PyTorch install supports CUDA capabilities sm_37 sm_50 sm_60 sm_70 sm_75 compute_37.\n"
    )
    (diagnosis, *_) = explain(f"{message}\nTwo releases, the same error.\n").diagnoses
    assert [evidence.line for evidence in diagnosis.evidence] == [1, 2]


def test_a_message_cut_at_the_terminal_s_width_tells_all_that_it_told() -> None:
    """Its first piece is a message of an older release, which says less."""
    message = (
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 5 has a total capacity of 79.15 GiB of which 1.06 GiB "
        "is free. Including non-PyTorch memory, this process has 78.08 GiB memory in use. Of the allocated memory 76.00 GiB is allocated "
        "by PyTorch, and 100.00 MiB is reserved by PyTorch but unallocated."
    )
    whole = explain(message).to_dict()["diagnoses"][0]["facts"]
    for width in (80, 120):
        cut = [message[at : at + width] for at in range(0, len(message), width)]
        [diagnosis] = explain("\n".join(["epoch 3", *cut])).to_dict()["diagnoses"]
        assert diagnosis["facts"] == whole


@pytest.mark.parametrize(("told", "index"), [("0000:02:00.0", None), ("00000000:3B:00.0", None), ("3", 3), ("3: 12", 3)])
def test_a_bus_address_is_no_index(told: str, index: int | None) -> None:
    report = explain(f"Detected 3 volatile double-bit ECC error(s) in GPU {told}\n").to_dict()
    assert report["diagnoses"][0]["facts"].get("gpu") == index


@pytest.mark.parametrize(
    ("title", "found"),
    [("# attempting to use device 7", True), ("# Attempting To use device 7", False), ("# attempting to use a device", False)],
)
def test_a_title_may_be_in_small_letters(title: str, found: bool) -> None:
    signature = _signature("typed", "Attempting to use device %{INT:gpu}")
    observed = Matcher([signature]).observe(read(f"{title}\n\nIt happens on the second node only.\n"))
    assert [item.slots["gpu"] for item in observed] == [7] * found
