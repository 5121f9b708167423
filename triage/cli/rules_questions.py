"""The questions of `triage rules new`. Where an answer cannot be used, the reason is told and the question asked again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

from triage.render.escape import visible

Answer = TypeVar("Answer")


def ask(bench: Any, given: dict[str, Any]) -> dict[str, Any]:
    """All that `make_draft` needs. What was given as an option is not asked.

    Raises DraftError where the selected text is diagnosed already (unless `anyway`), or has no message.
    """
    from triage.workshop.new import DraftError, diagnosed_already, selected

    log: Path = given["log"] or click.prompt("A log that holds the message", type=click.Path(exists=True, dir_okay=False, path_type=Path))
    content = log.read_bytes()
    place = _usable(lambda text: selected(content, text))
    lines, example = place(given["lines"]) if given["lines"] else _lines(content, place)
    known = "" if given["anyway"] else diagnosed_already(bench, example)
    if known:
        raise DraftError(known)
    taxonomy = bench.taxonomy
    signature = given["signature"] or _signature(bench, lines, example)
    families = {family: texts["en"]["title"] for family, texts in taxonomy.families.items() if family != "none"}
    family = given["family"] or _one("What failed (? lists the families)", families, taxonomy.nearest_family)
    name = given["name"] or _name(family, signature, given["path"])
    causes = {cause: texts["en"]["title"] for cause, texts in taxonomy.causes.items()}
    cause = given["cause"] or _one("Why it failed (a cause, ? lists them, or nothing)", causes, taxonomy.nearest_cause, default="")
    return {
        "lines": lines,
        "example": example,
        "signature": signature,
        "family": family,
        "name": name,
        "cause": cause or None,
        "title": _title(given["title"], taxonomy.families[family], name),
        "fixes": given["fixes"] or _fixes(bench, family),
        "sources": given["sources"] or _sources(),
        "near": given["near"] or _near(bench, signature),
        "path": given["path"],
        "anyway": given["anyway"],
    }


def _lines(content: bytes, place: Callable[[str], tuple[list[str], str]]) -> tuple[list[str], str]:
    """The selection, with what looks like the message shown and proposed."""
    from triage.workshop.new import proposed

    default, shown = proposed(content)
    for line in shown:
        click.echo(visible(line)[:120])
    chosen: tuple[list[str], str] = click.prompt("Its lines in that log (12, or 12-14)", default=default or None, value_proc=place)
    return chosen


def _signature(bench: Any, lines: list[str], example: str) -> str:
    from triage.workshop.new import DraftError, check_signature
    from triage.workshop.new.message import message_of

    def check(text: str) -> str:
        check_signature(bench, text, example)
        return text

    try:
        proposed = message_of(lines).text
    except ValueError as error:
        raise DraftError(str(error)) from None
    if "\n" in proposed:  # a terminal asks for one line: what spans several stays as it was made
        click.echo(f"The message, with holes for its values:\n{proposed}")
        return proposed
    return str(click.prompt("The message, with holes for its values", default=proposed, value_proc=_usable(check)))


def _name(family: str, signature: str, path: Path | None) -> str:
    from triage.workshop.new import check_name, default_path
    from triage.workshop.new.message import slug

    def check(name: str) -> str:
        check_name(name)
        if path is None and default_path(family, name).exists():
            raise click.UsageError(f"{default_path(family, name)} is there already")
        return name

    return str(click.prompt("A name for this form of the failure", default=slug(signature), value_proc=_usable(check)))


def _title(given: tuple[str, str] | None, texts: dict[str, Any], name: str) -> dict[str, str]:
    titles = given or tuple(click.prompt(f"Title ({lang})", default=f"{texts[lang]['title']} ({name})") for lang in ("en", "zh"))
    return {"en": titles[0], "zh": titles[1]}


def _fixes(bench: Any, family: str) -> list[str]:
    library = {fix: texts["title"]["en"] for fix, texts in bench.taxonomy.fixes.items()}
    one = _known(library, bench.taxonomy.nearest_fix)

    def check(text: str) -> list[str]:
        return [one(fix) for fix in text.replace(",", " ").split()]

    question = "What to do, best first (fixes, ? lists them)"
    return list(click.prompt(question, default=bench.usual_fix(family), value_proc=check))


def _sources() -> list[str]:
    def check(text: str) -> list[str]:
        for address in text.split():
            if not address.startswith(("https://", "http://")):
                raise click.UsageError(f"{address} is no address: https://…")
        return text.split()

    question = "Where the form of the message comes from (addresses, or nothing)"
    return list(click.prompt(question, default="", show_default=False, value_proc=check))


def _near(bench: Any, signature: str) -> str:
    from triage.workshop.new import check_near

    def check(text: str) -> str:
        if text:
            check_near(bench, signature, text)
        return text

    question = "A text with the same words that is not this failure (nothing: one is made)"
    return str(click.prompt(question, default="", show_default=False, value_proc=_usable(check)))


def _one(question: str, known: dict[str, str], nearest: Callable[[str], str], default: str | None = None) -> str:
    """One of the known ids; with a default of "" also none of them."""
    check = _known(known, nearest)
    return str(click.prompt(question, default=default, show_default=False, value_proc=lambda text: check(text) if text else ""))


def _known(known: dict[str, str], nearest: Callable[[str], str]) -> Callable[[str], str]:
    def check(value: str) -> str:
        if value == "?":
            raise click.UsageError("one of\n" + _listed(known.items()))
        if value not in known:
            raise click.UsageError(f"there is no {value}{nearest(value)}")
        return value

    return check


def _listed(items: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"  {name}: {title}" for name, title in items)


def _usable(action: Callable[[str], Answer]) -> Callable[[str], Answer]:
    """The action, as a prompt wants it: what it refuses is asked again."""
    from triage.workshop.new import DraftError

    def check(text: str) -> Answer:
        try:
            return action(text)
        except DraftError as error:
            raise click.UsageError(str(error)) from error

    return check
