"""The vocabulary and the library of fixes: complete, consistent, in two languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from triage.facts.messages import parse_message
from triage.knowledge.schema import FixInstead, FixLibrary, FixText, FixWithin, Text, VocabularyFile
from triage.knowledge.sources import read_document

KB = Path(__file__).parents[2] / "kb"


@pytest.fixture(scope="module")
def vocabulary() -> VocabularyFile:
    return read_document(KB / "taxonomy.yaml", KB).model(VocabularyFile)


@pytest.fixture(scope="module")
def fixes() -> dict[str, FixText]:
    return read_document(KB / "fixes.yaml", KB).model(FixLibrary).root


def _forms(fix: FixText) -> list[FixText | FixInstead]:
    """A fix in general, within families, and for kinds of readers."""
    forms: list[FixText | FixWithin] = [fix, *fix.within.values()]
    return [*forms, *(own for form in forms for own in (form.for_ or {}).values())]


def _titles(fixes: dict[str, FixText]) -> list[Text]:
    return [form.title for fix in fixes.values() for form in _forms(fix) if form.title]


def _details(fixes: dict[str, FixText]) -> list[Text]:
    return [form.detail for fix in fixes.values() for form in _forms(fix) if form.detail]


def test_every_fix_of_the_vocabulary_has_a_text_and_no_other(vocabulary: VocabularyFile, fixes: dict[str, FixText]) -> None:
    assert sorted(fixes) == sorted(vocabulary.fixes)
    assert len(vocabulary.fixes) == len(set(vocabulary.fixes))


def test_headings_are_short_and_have_no_full_stop(vocabulary: VocabularyFile, fixes: dict[str, FixText]) -> None:
    concepts = [*vocabulary.families.values(), *vocabulary.causes.values()]
    english = [concept.en.title for concept in concepts] + [title.en for title in _titles(fixes)]
    chinese = [concept.zh.title for concept in concepts] + [title.zh for title in _titles(fixes)]
    assert [title for title in english if len(title) > 60 or title.endswith(".")] == []
    assert [title for title in chinese if _columns(title) > 60 or title.endswith("。")] == []


def _columns(text: str) -> int:
    """How wide a text is where a Chinese sign takes the room of two Latin ones."""
    return sum(1 if sign.isascii() else 2 for sign in text)


def test_sentences_end(vocabulary: VocabularyFile, fixes: dict[str, FixText]) -> None:
    concepts = [*vocabulary.families.values(), *vocabulary.causes.values()]
    english = [concept.en.about for concept in concepts] + [detail.en for detail in _details(fixes)]
    chinese = [concept.zh.about for concept in concepts] + [detail.zh for detail in _details(fixes)]
    assert [text for text in english if not text.endswith(".")] == []
    assert [text for text in chinese if not text.endswith("。")] == []


def test_titles_tell_families_causes_and_fixes_apart(vocabulary: VocabularyFile, fixes: dict[str, FixText]) -> None:
    for titles in (
        [concept.en.title for concept in vocabulary.families.values()],
        [concept.zh.title for concept in vocabulary.families.values()],
        [concept.en.title for concept in vocabulary.causes.values()],
        [fix.title.en for fix in fixes.values()],
        [fix.title.zh for fix in fixes.values()],
    ):
        assert sorted(titles) == sorted(set(titles))


def test_texts_of_fixes_are_messages_without_values(fixes: dict[str, FixText]) -> None:
    for fix in fixes.values():
        for form in _forms(fix):
            texts = [text for said in (form.detail, form.title) if said for text in (said.en, said.zh)]
            texts += [*(form.commands or []), *(line for lines in (form.commands_of or {}).values() for line in lines)]
            assert all(isinstance(segment, str) for text in texts for segment in parse_message(text))


def test_a_fix_differs_within_families_and_domains_that_exist(vocabulary: VocabularyFile, fixes: dict[str, FixText]) -> None:
    places = set(vocabulary.families) | {family.partition(".")[0] for family in vocabulary.families}
    assert {place for fix in fixes.values() for place in fix.within} <= places
