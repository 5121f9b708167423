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


def test_chinese_writes_lists_durations_and_shares_in_its_own_way() -> None:
    assert _said_zh("支持 {held|list}。", held=("sm_80", "sm_90")) == "支持 sm_80、sm_90。"
    assert _said_zh("torch {held}", held=Version((2, 1, 1))) == "torch 2.1.1"
    assert _said_zh("等待 {waited|ms} 后超时。", waited=600_000) == "等待 10 分钟后超时。"
    assert _said_zh("间隔 {waited|ms}。", waited=250) == "间隔 250 毫秒。"
    assert _said_zh("已用 {used|pct}。", used=0.97) == "已用 97%。"
    assert _said("It waited {waited|ms} for {held|list}.", waited=600_000, held=("a", "b")) == "It waited 10 min for a, b."


def test_a_chinese_value_has_no_blank_between_it_and_chinese() -> None:
    text = "卡在 {if(has(op), op, '集合通信')} 中，{if(count > 0, '', '')}最后是 {op}"
    assert _said_zh(text.rpartition("，")[0]) == "卡在集合通信中"
    assert _said_zh(text, op="ALLREDUCE", count=1) == "卡在 ALLREDUCE 中，最后是 ALLREDUCE"
    assert _said_zh("报告：{detail}", detail="内存 不足") == "报告：内存 不足"  # what the log says stays as it is


def test_a_stop_of_the_log_before_another_chinese_sentence_is_chinese() -> None:
    sentences = [parse_message("报告：{detail}"), parse_message("与镜像无关")]
    assert fill(sentences, {"detail": "exit code 1: unknown."}, "zh") == "报告：exit code 1: unknown。与镜像无关"


def _said_zh(text: str, **values: object) -> str:
    return fill([parse_message(text)], values, "zh")  # type: ignore[arg-type]


def test_programs_are_named_as_they_write_themselves() -> None:
    assert _said("{framework|name} could not.", framework="onnxruntime") == "ONNX Runtime could not."
    assert _said("{framework|name} could not.", framework="spconv") == "spconv could not."
