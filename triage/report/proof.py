"""The chain of reasoning as sentences and as a tree, down to raw lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from triage.engine.describe import show_expression
from triage.engine.facts import Fact
from triage.engine.model import Derivation, Model
from triage.engine.values import Value
from triage.facts.messages import FILTERS, fill
from triage.facts.observation import Evidence
from triage.facts.vocabulary import SLOTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from triage.rulebook.rulebook import Rulebook

MAX_DEPTH = 12
_NAME = re.compile(r"'[^']*'|[A-Za-z_][A-Za-z0-9_]*")
_HIDDEN = frozenset({"line", "stream", "role", "time", "failure", "signature", "depth", "traceback", "innermost_user", "user"})
_WORDS = {
    "en": {
        "line": "Line {0}: {1}.",
        "place": "{0}: {1}.",
        "given": "Given: {0}.",
        "test": "{0}, that is {1}.",
        "plain": "{0}.",
        "absent": "Nothing speaks against it: {0}.",
    },
    "zh": {
        "line": "第 {0} 行：{1}。",
        "place": "{0}：{1}。",
        "given": "已知：{0}。",
        "test": "{0}，即 {1}。",
        "plain": "{0}。",
        "absent": "没有相反的证据：{0}。",
    },
}
# Of every diagnosis, so that they tell nothing of this one.
_OF_ALL = ("not harmless(", "not verdict(")
# How conditions are read in Chinese: templates and functions, which a bracket follows, and the words between them.
_CHINESE = {
    "not exists ": "没有", "not has": "未知", "not": "非", "and": "且", "or": "或", "in": "属于", "has": "已知",
    "contains": "含有", "startswith": "开头为", "endswith": "结尾为", "lower": "小写", "len": "长度", "signal": "报错",
    "remark": "文中所述", "frame": "调用栈帧", "exception": "异常", "version": "版本", "setting": "设置", "option": "选项",
    "command": "命令", "uses": "所用程序", "gpu-model": "GPU 型号", "gpu-name": "GPU 名称", "gpu": "GPU",
    "known-model": "已知模型", "model": "模型", "process-exit": "进程退出", "told-cause": "文中所述原因",
    "candidate": "候选诊断", "proposed": "候选诊断", "diagnosis": "诊断", "harmless": "无害的行", "raised-before": "此前的异常",
    "told-failure": "文中所述故障", "card": "显卡", "machine": "机器", "progress": "进度", "outcome": "结果",
    "infers": "推理运行",
}  # fmt: skip
_READ = re.compile(r"'[^']*'|\bnot has(?=\()|\bnot exists (?=[a-z])|[A-Za-z_][\w-]*(?= ?\()|\b(?:not|and|or|in)\b")
_FILTER_OF_TYPE = {"bytes": "bytes", "ms": "ms"}


def read_aloud(text: str, lang: str) -> str:
    """A condition or fact in the words of a language: what a rule calls `not exists remark(topic='x')` is 没有 文中所述(topic='x')."""
    if lang != "zh":
        return text
    absent = re.sub(r"^not (?:exists )?(?!has\()(?=[a-z][\w-]*\()", "没有", text)
    return _READ.sub(lambda match: _CHINESE.get(match[0], match[0]), absent)


def show(name: str, value: Value) -> str:
    """A value in the unit of its slot: sizes as PyTorch prints them, durations in their natural unit."""
    kind = SLOTS.get(name, ("bytes" if name.endswith("_bytes") else "",))[0]
    return FILTERS[_FILTER_OF_TYPE.get(kind, "")](value)


def describe(fact: Fact) -> str:
    """A fact in one line: its template, and its slots but for those that only say where it was seen."""
    slots = ", ".join(f"{name} {show(name, value)}" for name, value in fact.slots.items() if name not in _HIDDEN)
    name = str(fact.get("signature") or fact.template)
    return f"{name} ({slots})" if slots else name


def proof_sentences(
    model: Model, derivation: Derivation, evidence: Mapping[Fact, tuple[Evidence, ...]], book: Rulebook, lang: str
) -> list[str]:
    """One sentence per inference step, from the raw lines up to what a rule derived."""
    return [text for text in dict.fromkeys(_sentences(model, derivation, evidence, book, lang, 0)) if text]


def _sentences(
    model: Model, derivation: Derivation, evidence: Mapping[Fact, tuple[Evidence, ...]], book: Rulebook, lang: str, depth: int
) -> Iterator[str]:
    words = _WORDS[lang]
    for premise in derivation.premises:
        inner = None if model.is_given(premise) else model.derivation(premise)
        if inner is not None and depth < MAX_DEPTH:
            yield from _sentences(model, inner, evidence, book, lang, depth + 1)
        elif evidence.get(premise):
            first = evidence[premise][0]
            if first.file:
                yield words["place"].format(f"{first.file}:{first.line}", read_aloud(describe(premise), lang))
            else:
                yield words["line"].format(first.line, read_aloud(describe(premise), lang))
        elif not premise.template.startswith("table:"):
            yield words["given"].format(read_aloud(describe(premise), lang))
    for expression in _tests(derivation):
        text = show_expression(expression)
        filled = _with_values(text, derivation.bindings)
        yield words["test" if filled != text else "plain"].format(read_aloud(text, lang), read_aloud(filled, lang))
    yield from (words["absent"].format(read_aloud(text, lang)) for text in derivation.absent if not text.startswith(_OF_ALL))
    because = book.texts(derivation.rule).get("because")
    if because:
        yield fill(because[lang], derivation.bindings, lang)


def _tests(derivation: Derivation) -> list[Any]:
    """The tests of the rule."""
    return [condition[1] for condition in derivation.conditions if condition[0] == "test"]


def _with_values(text: str, bindings: Mapping[str, Value]) -> str:
    def value(match: re.Match[str]) -> str:
        name = match.group()
        return show(name, bindings[name]) if name in bindings else name

    return _NAME.sub(value, text)


def proof_tree(
    model: Model, fact: Fact, evidence: Mapping[Fact, tuple[Evidence, ...]], book: Rulebook, lang: str, steps: int = MAX_DEPTH
) -> dict[str, Any]:
    """The proof of a fact as nested `{"text", "rule", "evidence", "children"}`, so many steps deep."""
    return _node(model, fact, evidence, book, lang, MAX_DEPTH - steps)


def _node(model: Model, fact: Fact, evidence: Mapping[Fact, tuple[Evidence, ...]], book: Rulebook, lang: str, depth: int) -> dict[str, Any]:
    lines = [item.to_dict() for item in evidence.get(fact, ())]
    derivation = None if model.is_given(fact) else model.derivation(fact)
    if derivation is None or depth >= MAX_DEPTH:
        return {"text": read_aloud(describe(fact), lang), "rule": None, "evidence": lines, "children": []}
    because = book.texts(derivation.rule).get("because")
    text = (fill(because[lang], derivation.bindings, lang) if because else "") or read_aloud(describe(fact), lang)
    children = [_node(model, premise, evidence, book, lang, depth + 1) for premise in derivation.premises]
    for expression in _tests(derivation):
        shown = show_expression(expression)
        said = read_aloud(f"{shown}: {_with_values(shown, derivation.bindings)}", lang)
        children.append({"text": said, "rule": None, "evidence": [], "children": []})
    children += [{"text": read_aloud(item, lang), "rule": None, "evidence": [], "children": []} for item in derivation.absent]
    return {"text": text, "rule": derivation.rule, "evidence": lines, "children": children}
