"""Compiled rules on disk: built once, found again, rebuilt when a rule file changes.

One file holds a header line (sizes), the fingerprint, the directory (JSON: where each section stands) and the sections, which are read
when they are first asked for: texts, cases and tables only when a report speaks of them. A section is JSON; or JSON entry by entry, as
the lists of signatures and rules are, which grow with every failure known, so that a start costs the same however many there are; or
plain integers or bytes, which are used where they lie. The file lies in the package's `_compiled` directory or, where that cannot be
written, in the user's cache directory; it is written aside and renamed,
so processes that start together see either nothing or all of it. Where neither can be written the rules are compiled
in memory. It is data only: a forged file can be wrong, it cannot run.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from itertools import accumulate
from mmap import ACCESS_READ, mmap

from triage import __version__
from triage.rulebook.rulebook import Rulebook, Stored, decoded
from triage.rulebook.walking import TooManyEntriesError, files_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from triage.rulebook.rulebook import Data

FORMAT = 7
_PRIME = 0xFFFFFFFB
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def shipped_directory(name: str) -> str:
    """`rules` or `kb`: inside an installed package, or at the top of a checkout."""
    inside = os.path.join(_PACKAGE, name)
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(_PACKAGE), name)


def before_compiling() -> None:
    """Called when the shipped rules are about to be compiled, which takes seconds. Who has a terminal puts something in its place."""


def load_rulebook(packs: Sequence[str] = ()) -> Rulebook:
    """The shipped rules and those of rule packs (directories), compiled. Raises RuleError where a rule file is wrong."""
    rules, kb = shipped_directory("rules"), shipped_directory("kb")
    fingerprint = _fingerprint([rules, *packs, kb])
    # Names need only differ where releases and packs do: what a file was made of stands in it, and is compared.
    name = f"{'extended' if packs else 'rules'}-{FORMAT}-{int.from_bytes(fingerprint, 'little') % _PRIME:08x}.bin"
    places = cache_places()
    for place in places:
        book = _read(os.path.join(place, name), fingerprint)
        if book is not None:
            return book
    from triage.rulebook.build import build  # YAML and the checks cost time: only when something changed

    if not packs:  # those of a pack alone are compiled soon
        before_compiling()
    sections = build(rules, kb, packs, load_rulebook()) if packs else build(rules, kb, before=last_compiled())
    data = _pack(sections, fingerprint)
    for place in places:
        if _write(place, name, data):
            break
    return _opened(data, fingerprint)


def usable_packs(found: Sequence[str], given: Sequence[str]) -> tuple[list[str], list[str]]:
    """Those of the packs that were found which can be used beside the given ones, and why the others cannot.

    Raises RuleError where the shipped rules or a given pack cannot be used.
    """
    from triage.rulebook.errors import RuleError

    good = list(given)
    complaints = []
    for pack in reversed(found):  # the stronger claim stands where two exclude each other
        try:
            load_rulebook([pack, *good])
        except RuleError as error:
            if pack is found[-1]:
                load_rulebook(good)
            more = f" (and {len(error.problems) - 1} more)" if len(error.problems) > 1 else ""
            complaints.append(f"the rule pack in {pack} is left out: {error.problems[0]}{more}")
        else:
            good.insert(0, pack)
    return good, complaints


def require_rules(packs: Sequence[str]) -> None:
    """Raises RuleError where a directory holds no rules: a project may have an empty one, but who names one meant another."""
    for pack in packs:
        if os.path.isdir(pack) and not any(entry.name.endswith(".yaml") and entry.name != "pack.yaml" for entry in files_below(pack)):
            from triage.rulebook.errors import Problem, RuleError

            raise RuleError([Problem(pack, 0, 0, "R009", "holds no rules: they are files that end with .yaml")])


def in_memory(sections: dict[str, Any]) -> Rulebook:
    """A rule base that is kept nowhere: for tools that try rules before they are written."""
    return _opened(_pack(sections, b""), b"")


def _opened(data: bytes, fingerprint: bytes) -> Rulebook:
    book = _open(data, fingerprint)
    assert book is not None  # it was made with this fingerprint
    return book


def cache_places() -> list[str]:
    """Directories in which what was compiled or found may be kept, the first choice first."""
    cache = os.environ.get("XDG_CACHE_HOME") or (
        os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else os.path.join(os.path.expanduser("~"), ".cache")
    )
    return [os.path.join(_PACKAGE, "_compiled"), os.path.join(cache or _PACKAGE, "gpu-triage")]


def last_compiled() -> Rulebook | None:
    """What the same modules compiled last of the shipped rules, which may have been others then; None where nothing is kept."""
    from contextlib import suppress

    modules = _modules()
    for place in cache_places():
        with suppress(OSError):
            kept = [entry for entry in os.scandir(place) if entry.name.startswith(f"rules-{FORMAT}-")]
            for _, path in sorted(((entry.stat().st_mtime_ns, entry.path) for entry in kept), reverse=True):
                if book := _read(path, modules):
                    return book
    return None


def _fingerprint(roots: Sequence[str]) -> bytes:
    """Path, size and time of the modules that compile, and of every file below the roots."""
    return _modules() + _listed(roots)


def _modules() -> bytes:
    about = f"{FORMAT} {__version__} {sys.version_info[:2]} {sys.byteorder}\n"
    rooms = ("rulebook", "engine", "signatures", "facts", "knowledge")
    return about.encode() + _listed([os.path.join(_PACKAGE, room) for room in rooms])


def _listed(roots: Sequence[str]) -> bytes:
    parts = []
    for root in roots:
        parts.append(os.path.abspath(root))
        parts.extend(_entries(root))
    return "\n".join([*parts, "\0"]).encode("utf-8", "surrogateescape")  # no path holds it: none of these begins another


def _entries(root: str) -> list[str]:
    found: list[str] = []
    try:
        for entry in files_below(root):
            try:
                state = entry.stat()
            except OSError:  # a link to nothing
                continue
            found.append(f"{entry.path[len(root) :]} {state.st_size} {state.st_mtime_ns}")
    except TooManyEntriesError:  # told by the loader
        return []
    return sorted(found)


def _pack(sections: dict[str, Any], fingerprint: bytes) -> bytes:
    """The file. A section is JSON; a tuple is kept entry by entry, after where each ends; integers and bytes stand as they are."""
    from array import array

    directory: dict[str, list[Any]] = {}
    bodies: list[bytes] = []
    start = 0
    for name, body in sections.items():
        kind: list[str] = []
        if isinstance(body, tuple):
            kind, parts = ["entries"], [_json(entry) for entry in body]
            ends = array("i", accumulate(map(len, parts), initial=0))
            bodies.append(b"".join([array("i", [len(parts)]).tobytes(), ends.tobytes(), *parts]))
        elif isinstance(body, Stored):
            kind = body.kind
            bodies.append(body.data)
        elif isinstance(body, (bytes, array)):
            kind = ["bytes" if isinstance(body, bytes) else "integers"]
            bodies.append(bytes(body))
        else:
            bodies.append(_json(body))
        end = start + len(bodies[-1])
        directory[name] = [start, end, *kind]
        start = end
    listed = _json(directory)
    header = f"triage rules {len(fingerprint)} {len(listed)} {start}\n".encode()
    return b"".join([header, fingerprint, listed, *bodies])


def _json(body: Any) -> bytes:
    from json import dumps

    return dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _open(data: Data, fingerprint: bytes) -> Rulebook | None:
    """The rule base in a file's bytes, or None where its fingerprint is another one or begins otherwise. Raises ValueError where it is no
    such file."""
    at = data.find(b"\n") + 1
    of_fingerprint, of_directory, of_bodies = map(int, data[:at].split()[2:])
    if at + of_fingerprint + of_directory + of_bodies != len(data):
        raise ValueError("cut off")
    start = at + of_fingerprint
    if not data[at:start].startswith(fingerprint):
        return None
    return Rulebook(memoryview(data)[start + of_directory :], decoded(data[start : start + of_directory]))


def _read(path: str, fingerprint: bytes) -> Rulebook | None:
    try:
        with open(path, "rb") as file:  # mapped, not read: of megabytes of knowledge a text needs little
            return _open(mmap(file.fileno(), 0, access=ACCESS_READ), fingerprint)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(place: str, name: str, data: bytes) -> bool:
    aside = os.path.join(place, f".{name}.{os.getpid()}")
    try:
        os.makedirs(place, exist_ok=True)
        with open(aside, "wb") as file:
            file.write(data)
        os.replace(aside, os.path.join(place, name))
        _drop_old(place, name)
    except OSError:
        if os.path.exists(aside):
            os.unlink(aside)
        return False
    return True


def _drop_old(place: str, name: str) -> None:
    """Keep the newest few of a kind: what is changed makes a new name each time."""
    from contextlib import suppress

    kind = name.split("-")[0] + "-"
    with suppress(FileNotFoundError):  # another process drops them too
        others = [entry for entry in os.scandir(place) if entry.name.startswith(kind) and entry.name != name]
        old = sorted((entry.stat().st_mtime_ns, entry.path) for entry in others)
        for _, path in old[:-3]:
            os.unlink(path)
