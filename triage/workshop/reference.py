"""What a rule file says, as a reader looks it up: plain data in one language, for the terminal and for the documentation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from triage.engine.describe import show_condition, show_expression
from triage.facts.messages import parse_message
from triage.render.wording import aside
from triage.rulebook import schema
from triage.rulebook.conditions import Translator
from triage.rulebook.loader import Source
from triage.rulebook.taxonomy import Taxonomy
from triage.workshop.forms import readable
from triage.workshop.lint.lifecycle import missing_proof

Page = dict[str, Any]
Verifiable = Mapping[str, Sequence[str]]


def page_of(source: Source, taxonomy: Taxonomy, lang: str, verifiable: Verifiable | None = None) -> Page:
    """The page of a failure, or of a file without one.

    Keys: failure, family, family_title, title, status, since, superseded_by, path, meaning (sentences), messages, diagnoses, examples,
    references, changes. `verifiable` says which fixes of a diagnosis can be tried, by its id.
    """
    file = source.model
    family = file.family
    about = taxonomy.families[family][lang] if family in taxonomy.families else {"title": "", "about": ""}
    return {
        "failure": source.failure,
        "family": family,
        "family_title": about["title"],
        "title": _title(file, about["title"], lang) or source.path,
        "status": file.status,
        "since": file.since,
        "superseded_by": file.superseded_by,
        "path": source.path,
        "meaning": [*([about["about"]] if about["about"] else []), *sentences(file.about, lang)],
        "messages": [_message(signature) for signature in file.signatures],
        "diagnoses": [_diagnosis(source, rule, taxonomy, lang, verifiable or {}) for rule in file.diagnoses],
        "examples": [{"name": item.name, "text": item.text, "near_miss": item.near_miss} for item in file.examples],
        "references": _references(file),
        "changes": [{"version": change.version, "text": said(change.text, lang)} for change in file.changes],
    }


def _title(file: schema.RuleFile, family: str, lang: str) -> str:
    """The file's title without the values of one case; the family's where nothing is left."""
    kept = [sentence for sentence in sentences(file.title, lang) if "{" not in sentence]
    finer = (file.failure or "").partition("/")[2]
    return "".join(kept).rstrip("。.") or (family + aside(finer, lang) if finer else family)


def find(sources: Sequence[Source], name: str) -> list[tuple[Source, str | None]]:
    """The files that a name stands for: a file's path, a failure, a family with all its failures, a domain, or the id of a diagnosis.

    With each file the id of the one diagnosis that is meant, None for all of them.
    """
    exact = [(source, None) for source in sources if name in (source.path, source.failure)]
    family = [(source, None) for source in sources if source.model.family == name]
    if exact or family:
        return list(dict.fromkeys([*exact, *family]))
    for source in sources:
        for rule in source.model.diagnoses:
            if name == source.diagnosis(rule):
                return [(source, rule.id)]
    return [(source, None) for source in sources if source.model.failure is not None and source.model.failure.startswith(f"{name}.")]


def names(sources: Sequence[Source]) -> set[str]:
    """What `find` finds: ids of failures, families, domains and diagnoses."""
    found: set[str] = set()
    for source in sources:
        family = source.model.family
        if source.failure is not None and family is not None:
            found |= {source.failure, family, family.partition(".")[0]}
            found |= {source.diagnosis(rule) for rule in source.model.diagnoses}
    return found


def listing(
    sources: Sequence[Source], lang: str, *, family: str = "", status: str | None = None, library: str = "", text: str = ""
) -> list[dict[str, Any]]:
    """Every diagnosis that fits: `id`, `confidence`, `title`, `status`, what its failure lacks to be stable as `lacks`, and as
    `reproduced` whether `triage verify` can rerun it.
    """
    found: list[dict[str, Any]] = []
    tried = tried_fixes(sources)
    for source in sources:
        file = source.model
        if file.family is None or not file.family.startswith(family) or (status and file.status != status):
            continue
        if library and library.lower() not in _libraries(file):
            continue
        forms = " ".join(form for signature in file.signatures for form in readable(signature))
        for rule in file.diagnoses:
            name, title = source.diagnosis(rule), said(rule.title or file.title, lang)
            if all(part in f"{name} {title} {forms}".lower() for part in text.lower().split()):
                lacks = missing_proof(source) if file.status == "nursery" else []
                item = {"id": name, "confidence": rule.confidence, "title": title, "status": file.status}
                found.append({**item, "lacks": lacks, "reproduced": name in tried})
    return found


def _libraries(file: schema.RuleFile) -> set[str]:
    """The software that prints the messages of a file."""
    named = {str(signature.constants["framework"]).lower() for signature in file.signatures if "framework" in signature.constants}
    return named | {package for signature in file.signatures for package in signature.versions}


def _message(signature: schema.Signature) -> dict[str, Any]:
    source = signature.source
    return {
        "id": signature.id,
        "forms": readable(signature),
        "versions": dict(signature.versions),
        "framework": signature.constants.get("framework"),
        "source": [source] if isinstance(source, str) else source or [],
    }


def _diagnosis(source: Source, rule: schema.DiagnosisRule, taxonomy: Taxonomy, lang: str, verifiable: Verifiable) -> dict[str, Any]:
    file, name = source.model, source.diagnosis(rule)
    cause = taxonomy.causes.get(rule.cause or "", {}).get(lang, {})
    testable = set(verifiable.get(name, ()))
    return {
        "id": name,
        "cause": rule.cause,
        "cause_title": cause.get("title"),
        "cause_about": cause.get("about"),
        "confidence": rule.confidence,
        "title": said(rule.title or file.title, lang),
        "summary": sentences(rule.summary, lang),
        "because": said(rule.because, lang),
        "on": [rule.on] if isinstance(rule.on, str) else rule.on,
        "when": conditions(rule.when),
        "fixes": [_fix(fix, file.family or "", taxonomy, lang, testable) for fix in rule.fixes],
        "no_use": [_no_use(vain, taxonomy, lang) for vain in rule.no_use],
        "missing": [{"fact": said(item.fact, lang), "how": item.how} for item in rule.missing],
        "consequence_of": rule.consequence_of,
        "yields_to": rule.yields_to,
        "cases": rule.cases,
        "references": [{"url": item.url, "note": item.note} for item in rule.references],
    }


def _fix(fix: str | schema.FixUse, family: str, taxonomy: Taxonomy, lang: str, testable: set[str]) -> dict[str, Any]:
    use = schema.FixUse.model_validate({"id": fix}) if isinstance(fix, str) else fix
    library = taxonomy.fix(use.id, family)
    commands = use.lines if use.lines is not None else [] if use.detail is not None else taxonomy.commands(use.id, family)
    return {
        "id": use.id,
        "title": said(use.title, lang) or _in(library.get("title"), lang) or use.id,
        "detail": said(use.detail, lang) or ("" if use.title and use.lines else _in(library.get("detail"), lang)),
        "commands": [_plain(command) for command in commands],
        "when": conditions(use.when),
        "leads_to": use.leads_to,
        "verifiable": use.id in testable,
    }


def _no_use(vain: schema.NoUse, taxonomy: Taxonomy, lang: str) -> dict[str, Any]:
    title = {"title": said(vain.title, lang)} if vain.title else {}
    return {**_named(vain.id, taxonomy, lang), **title, "why": said(vain.why, lang), "when": conditions(vain.when)}


def _named(name: str, taxonomy: Taxonomy, lang: str) -> dict[str, str]:
    return {"id": name, "title": _in(taxonomy.fixes.get(name, {}).get("title"), lang) or name}


def _references(file: schema.RuleFile) -> list[dict[str, str]]:
    """Each address once: what the file cites, then what its diagnoses and signatures do."""
    found: dict[str, str] = {}
    cited = [*file.references, *(reference for rule in file.diagnoses for reference in rule.references)]
    for reference in cited:
        found.setdefault(reference.url, reference.note)
    for signature in file.signatures:
        for url in [signature.source] if isinstance(signature.source, str) else signature.source or []:
            found.setdefault(url, "")
    return [{"url": url, "note": note} for url, note in found.items()]


def tried_fixes(sources: Sequence[Source]) -> dict[str, list[str]]:
    """The fixes that `triage verify` can try, by id of a diagnosis."""
    from triage.verify.catalog import verifiable

    rules = ((source, rule) for source in sources for rule in source.model.diagnoses)
    return verifiable((source.diagnosis(rule), source.model.family or "", rule.cause) for source, rule in rules)


# texts


def said(text: schema.Text | None, lang: str) -> str:
    """A text as one paragraph."""
    return ("" if lang == "zh" else " ").join(sentences(text, lang))


def sentences(text: schema.Text | None, lang: str) -> list[str]:
    """The sentences of a text; values as the expressions in braces that give them."""
    if text is None:
        return []
    value = getattr(text, lang)
    return [_plain(sentence) for sentence in ([value] if isinstance(value, str) else value)]


def _plain(sentence: str) -> str:
    return "".join(segment if isinstance(segment, str) else "{" + show_expression(segment[1]) + "}" for segment in parse_message(sentence))


def conditions(items: Any) -> list[str]:
    """Conditions in words; alternatives are joined by "or"."""
    if items is None:
        return []
    translator = Translator(lambda keys, message: None)
    shown = []
    for item in items if isinstance(items, list) else [items]:
        alternatives = [" and ".join(show_condition(part, {}) for part in parts) for parts in translator.conditions([item], ())]
        shown.append(" or ".join(alternatives))
    return shown


def _in(entry: Mapping[str, str] | None, lang: str) -> str:
    return _plain(entry[lang]) if entry else ""
