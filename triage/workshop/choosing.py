"""Which rule files a command speaks of: shipped ones, or those of packs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from triage.rulebook.loader import Source, load_rules
from triage.rulebook.packs import Pack, pack_root, read_pack
from triage.rulebook.store import shipped_directory


def packs_of(paths: Sequence[Path]) -> list[Path]:
    """The packs of those paths that are not part of the shipped rules."""
    return list(dict.fromkeys(pack_root(path) for path in paths if not _shipped(path)))


def sources_of(paths: Sequence[Path]) -> list[Source]:
    """The rule files at or below paths; all shipped ones where there are none. Raises RuleError."""
    if not paths:
        return load_rules([Path(shipped_directory("rules"))])
    sources = load_rules([path for path in paths if _shipped(path)])
    for directory in packs_of(paths):
        pack = read_pack(directory, Path(shipped_directory("kb")))
        sources += [source for source in pack.sources if any(_place(pack, source).is_relative_to(path.resolve()) for path in paths)]
    return sources


def _shipped(path: Path) -> bool:
    return path.resolve().is_relative_to(Path(shipped_directory("rules")).resolve())


def _place(pack: Pack, source: Source) -> Path:
    """Where a file of a pack lies; a pack that is one file lies where it is."""
    return (pack.directory / source.inside if pack.directory.is_dir() else pack.directory).resolve()
