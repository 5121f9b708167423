"""Sentences with values of a log in them."""

from __future__ import annotations

from triage.engine.values import Version
from triage.facts.messages import fill, fill_command, parse_message


def _said(text: str, **values: object) -> str:
    return fill([parse_message(text)], values, "en")  # type: ignore[arg-type]


def test_a_quoted_message_brings_no_second_full_stop() -> None:
    assert _said("The plan was rejected: {detail}.", detail="Unexpected call.") == "The plan was rejected: Unexpected call."
    assert _said("拒绝原因：{detail}。", detail="Unexpected call.") == "拒绝原因：Unexpected call。"
    assert _said("It says {detail} and stops.", detail="no.") == "It says no. and stops."


def test_a_sentence_around_an_empty_quotation_is_left_out() -> None:
    assert _said("It wraps: {detail}.", detail="") == ""
    assert _said("It wraps: {detail}.") == ""
    assert _said("Code{if(has(detail), detail, '')}.", detail="") == "Code."


def test_a_command_keeps_the_stops_that_are_its_own() -> None:
    assert fill_command(parse_message("nvidia-smi -i {pci}.0"), {"pci": "0000:9c:00"}) == "nvidia-smi -i 0000:9c:00.0"
    assert fill_command(parse_message("kill {pid}"), {}) is None
    assert fill_command(parse_message("pip install {package}"), {"package": "a; rm -r /"}) is None


def test_versions_of_the_driver_keep_their_two_digits() -> None:
    assert _said("driver {found}", found=Version((535, 183, 1))) == "driver 535.183.01"
    assert _said("driver {found}", found=Version((580,))) == "driver 580"
    assert _said("CUDA {found}", found=Version((12,))) == "CUDA 12.0"
    assert _said("torch {found}", found=Version((2, 1, 1))) == "torch 2.1.1"
