"""Texts: both languages, with the same values, and only values that something binds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from triage.engine.expressions import variables
from triage.facts.messages import parse_message
from triage.rulebook import schema
from triage.rulebook.loader import Source
from triage.workshop.lint.base import Base, Finding, Keys
from triage.workshop.lint.domains import needed
from triage.workshop.lint.supply import Supply

_CHINESE = re.compile(r"[㐀-䶿一-鿿]")
_CODE = re.compile(r"`[^`]*`|\{[^}]*\}")
_WORDS = re.compile(r"[A-Za-z]{2,}")
_PROSE = 4  # Latin words that make a sentence rather than a name


class Place(NamedTuple):
    """A text of a file and the variables that may stand in it (None: those of other files, unknown here)."""

    keys: Keys
    text: schema.Text
    names: frozenset[str] | None


def translations(base: Base) -> Iterator[Finding]:
    """L030: a language that is missing, or holds the other one; L031: values that only one of them has."""
    for source in base.checked:
        for place in texts_of(source):
            yield from _translation(source, place)


def _translation(source: Source, place: Place) -> Iterator[Finding]:
    values: dict[str, set[str]] = {}
    for lang in ("en", "zh"):
        sentences = _listed(getattr(place.text, lang))
        plain = _CODE.sub("", " ".join(sentences))
        if not any(sentence.strip() for sentence in sentences):
            yield Finding(source, (*place.keys, lang), "L030", f"the text in {lang} is empty")
            return
        if lang == "zh" and not _CHINESE.search(plain) and len(_WORDS.findall(plain)) >= _PROSE:
            yield Finding(source, (*place.keys, lang), "L030", "the Chinese text holds no Chinese")
        if lang == "en" and _CHINESE.search(plain):
            yield Finding(source, (*place.keys, lang), "L030", "the English text holds Chinese")
        values[lang] = {name.removesuffix(f"_{lang}") for name in names_in(sentences)}  # a table may have a column for each language
    if values["en"] != values["zh"]:
        only = ", ".join(sorted(values["en"] ^ values["zh"]))
        yield Finding(source, (*place.keys, "zh"), "L031", f"only one of the two languages speaks of {only}")


def unbound(base: Base, supply: Supply) -> Iterator[Finding]:
    """L013: sentences and commands with a value that nothing can bind."""
    for source in base.checked:
        names = _names_of(base, supply, source)
        for place in texts_of(source, names):
            if place.names is None:
                continue
            for sentence in _listed(place.text.en):
                missing = sorted(names_in([sentence], needed) - place.names)
                if missing:
                    yield Finding(source, (*place.keys, "en"), "L013", f"nothing binds {', '.join(missing)} in '{_short(sentence)}'")
        for number, rule in enumerate(source.model.diagnoses):
            for at, fix in enumerate(rule.fixes):
                if isinstance(fix, schema.FixUse):
                    keys: Keys = ("diagnoses", number, "fixes", at)
                    for command in fix.lines or ():
                        missing = sorted(names_in([command], needed) - names[keys])
                        if missing:
                            yield Finding(source, (*keys, "commands"), "L013", f"nothing binds {', '.join(missing)} in '{_short(command)}'")


def _names_of(base: Base, supply: Supply, source: Source) -> dict[Keys, frozenset[str]]:
    """The variables that texts under given keys can speak of: those of the diagnosis, with those of the condition of a fix."""
    names: dict[Keys, frozenset[str]] = {}
    for view in base.rules:
        if view.source is not source:
            continue
        own = frozenset(supply.bindable(view))
        if view.kind == "follower":
            names[view.keys[:4]] = names.get(view.keys[:4], frozenset()) | own
        else:
            names[view.keys] = own
    for number, rule in enumerate(source.model.diagnoses):
        for kind, items in (("fixes", rule.fixes), ("no_use", rule.no_use), ("missing", rule.missing)):
            for at in range(len(items)):
                names.setdefault(("diagnoses", number, kind, at), names[("diagnoses", number)])
    return names


def texts_of(source: Source, names: dict[Keys, frozenset[str]] | None = None) -> Iterator[Place]:
    """Every text of a file."""
    file = source.model
    known = names or {}
    if file.title is not None:
        anywhere = frozenset().union(*(names[("diagnoses", n)] for n in range(len(file.diagnoses)))) if names and file.diagnoses else None
        yield Place(("title",), file.title, anywhere)
    if file.about is not None:
        yield Place(("about",), file.about, frozenset() if names is not None else None)
    for number, change in enumerate(file.changes):
        yield Place(("changes", number, "text"), change.text, None)
    for number, rule in enumerate(file.diagnoses):
        keys: Keys = ("diagnoses", number)
        own = known.get(keys)
        yield from _present((((*keys, name), getattr(rule, name)) for name in ("title", "summary", "because")), own)
        for at, fix in enumerate(rule.fixes):
            if isinstance(fix, schema.FixUse):
                inner: Keys = (*keys, "fixes", at)
                yield from _present((((*inner, name), getattr(fix, name)) for name in ("title", "detail")), known.get(inner))
        for at, vain in enumerate(rule.no_use):
            inside: Keys = (*keys, "no_use", at)
            yield from _present((((*inside, name), getattr(vain, name)) for name in ("title", "why")), known.get(inside))
        for at, missing in enumerate(rule.missing):
            yield Place((*keys, "missing", at, "fact"), missing.fact, known.get((*keys, "missing", at)))
    for number, inference in enumerate(file.rules):
        yield from _inference(("rules", number), inference, known.get(("rules", number)))


def _inference(keys: Keys, rule: schema.Inference, names: frozenset[str] | None) -> Iterator[Place]:
    texts: list[tuple[Keys, schema.Text | None]] = [((*keys, "because"), rule.because)]
    if rule.noise is not None:
        texts.append(((*keys, "noise", "why"), rule.noise.why))
    if rule.fix is not None:
        texts += [((*keys, "fix", "title"), rule.fix.title), ((*keys, "fix", "detail"), rule.fix.detail)]
    if rule.no_use is not None:
        texts += [((*keys, "no_use", "title"), rule.no_use.title), ((*keys, "no_use", "why"), rule.no_use.why)]
    if rule.missing is not None:
        texts.append(((*keys, "missing", "fact"), rule.missing.fact))
    yield from _present(texts, names)


def _present(texts: Iterable[tuple[Keys, schema.Text | None]], names: frozenset[str] | None) -> Iterator[Place]:
    for keys, text in texts:
        if text is not None:
            yield Place(keys, text, names)


def names_in(sentences: Iterable[str], of: Callable[[Any], Iterable[str]] = variables) -> set[str]:
    """The variables that messages speak of; `of` says which of an expression."""
    parsed = [parse_message(sentence) for sentence in sentences]
    return {name for sentence in parsed for segment in sentence if isinstance(segment, list) for name in of(segment[1])}


def _listed(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
