"""Which of the fixes of a diagnosis only lengthen its list: what is advised everywhere, and says nothing of this text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from triage.report.model import Fix

# What makes a fix that a rule offers one for the matter at hand: words of its own, or a condition that the text meets.
OF_THE_MATTER: Final = frozenset(("title", "detail", "commands", "commands_of", "conditional"))
# Fixes that nearly every failure could name: without a word of their own, or a package that they are about, they tell nobody anything.
_OF_EVERYTHING: Final = frozenset((
    "update-code", "upgrade-package", "pin-package", "reinstall-environment", "rebuild-extension", "install-package", "larger-gpu",
    "newer-gpu", "shard-model", "smaller-model", "reinstall-driver", "upgrade-driver", "reboot-or-reset", "replace-hardware", "debug-sync",
    "container-gpu-access", "run-on-cpu", "efficient-attention", "set-library-path",
))  # fmt: skip
# Words of their lines that stand for what the text should have told: a line with one left in it can't be pasted.
_UNTOLD: Final = ("PACKAGE", "FRAMEWORK", "FILE.so")
_IDLE_WITHOUT_A_NAME: Final = frozenset(("upgrade-package", "pin-package", "reinstall-environment", "set-library-path"))
_FOR_ONE_THAT_IS_NAMED: Final = frozenset((*_IDLE_WITHOUT_A_NAME, "match-cuda-build"))
# What "another implementation" is, only the lines say, which depend on the program.
_BY_ITS_LINES: Final = frozenset(("disable-feature",))
_ENOUGH: Final = 3  # fixes that a reader tries one after the other
_LEAST: Final = 2  # what is left where a fix that names no package is left out


def without_padding(fixes: Sequence[Fix], is_general: Callable[[str], bool]) -> list[Fix]:
    """The fixes in their order, without the last of those general ones that stand behind enough others, and without any of them that
    is about a package or file nobody knows, as long as some others are left. The first is what the rule holds to be best, unless it
    has nothing left to say to this reader."""
    kept = [fix for fix in fixes if not _says_nothing(fix, is_general)] or list(fixes)
    for fix in reversed(kept[1:]):
        if fix.id in _OF_EVERYTHING:
            nameless = any(word in line for line in fix.commands for word in _UNTOLD)
            least = _ENOUGH if not nameless else 1 if fix.id in _IDLE_WITHOUT_A_NAME else _LEAST
            if len(kept) > least and is_general(fix.id):
                kept.remove(fix)
    return kept


def without_untold(fix: Fix) -> None:
    """Leave out the lines about a package or file that the text does not tell, of a fix whose words say what to do and which lets the
    reader look for it: only one who builds a package knows its name."""
    if fix.id in _FOR_ONE_THAT_IS_NAMED and fix.detail:
        fix.commands = [line for line in fix.commands if not any(word in line for word in _UNTOLD)]


def _says_nothing(fix: Fix, is_general: Callable[[str], bool]) -> bool:
    """Whether nothing but a title for everyone is left of a fix: its words and lines were for users of another program."""
    wordless = not fix.commands and (not fix.detail or fix.id in _BY_ITS_LINES)
    return wordless and fix.id in _OF_EVERYTHING | _BY_ITS_LINES and is_general(fix.id)
