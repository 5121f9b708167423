"""The rule base of a command, with what its user is told where rules cannot be used."""

from __future__ import annotations

import os

from triage.cli import terminal
from triage.cli.errors import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from triage.pipeline import Triage


def load_engine(packs: Sequence[str] = (), *, long_lived: bool = True) -> Triage:
    """The rules, with those of the given packs, of the project here, of TRIAGE_RULES and of installed packages.

    `long_lived` is for those that explain much: they take a moment more to begin, and less for each log. Packs that were only found and
    cannot be used are told and left out. Raises CommandError where a given one cannot be used.
    """
    from triage.pipeline import Triage
    from triage.rulebook import store
    from triage.rulebook.errors import RuleError

    store.before_compiling = terminal.tell_of_compiling
    try:
        engine = Triage.equipped(packs, project=os.curdir, long_lived=long_lived)
        for complaint in engine.complaints:
            terminal.complain(f"triage: {complaint}")
        return engine
    except RuleError as error:
        more = len(error.problems) - 1
        import shlex

        checked = " ".join(["triage rules lint", *map(shlex.quote, packs)])
        raise CommandError(f"triage: {error.problems[0]}" + (f" (and {more} more; `{checked}` shows all)" if more else "")) from error
    except OSError as error:
        raise CommandError(f"triage: {error.filename}: {terminal.reason(error)}") from error
