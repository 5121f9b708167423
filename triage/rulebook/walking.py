"""What lies below a directory of rules, however deep, wide or strange it is: links to directories are not followed, and a walk that was
started at the wrong place (a home, a disk) ends.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_ENTRIES = 20_000


class TooManyEntriesError(Exception):
    """More lies below a directory than any rule base has."""


def files_below(root: str) -> Iterator[os.DirEntry[str]]:
    """Everything below a directory that is no directory and not hidden, in no fixed order. What cannot be listed is passed over.

    Raises TooManyEntriesError.
    """
    seen = 0
    pending = [root]
    while pending:
        try:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    seen += 1
                    if seen > MOST_ENTRIES:
                        raise TooManyEntriesError(f"more than {MOST_ENTRIES} files and directories")
                    if entry.name.startswith((".", "__pycache__")):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
                    else:
                        yield entry
        except OSError:
            continue
