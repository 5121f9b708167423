"""Runs one arm of a reproduction: the main function of every program the verifier starts or exports."""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import socket
import struct
import sys
import time
from collections.abc import Callable
from typing import Any

LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0", "::", "")
_CLONE_NEWNS, _CLONE_NEWUSER, _CLONE_NEWNET = 0x00020000, 0x10000000, 0x40000000

measurements: dict[str, Any] = {}
"""What an arm measured, by name; sizes in bytes."""


class Parameters:
    """The parameters of a reproduction as attributes; `backend`, `rank` and `arguments` are always there."""

    def __init__(self, values: dict[str, Any]) -> None:
        self._values = values

    def __getattr__(self, name: str) -> Any:
        try:
            return self._values[name]
        except KeyError:
            raise AttributeError(name) from None


def measure(**values: Any) -> None:
    """Notes results of an arm; they stand in the verdict even when the arm fails afterwards."""
    measurements.update(values)


class NotPossibleHere(RuntimeError):  # noqa: N818 - it reports a condition, not an error of the program
    """The arm needs something this machine or this interpreter does not have; its text names it."""


def run_program(
    reported: Callable[[Parameters], object], fixed: Callable[[Parameters, str], object], defaults: dict[str, Any], fixes: list[str]
) -> None:
    """Parses the command line, confines the process, runs one arm and lets its failure show as Python shows it."""
    parser = argparse.ArgumentParser(description="Runs the failure as reported, or with a fix applied.")
    parser.add_argument("--fix", choices=fixes, help="apply this fix; without it the failure is reproduced as reported")
    parser.add_argument("--parameters", default="{}", help="JSON object of parameters that replace the built-in ones")
    parser.add_argument("--result", help="file to write measurements to, as JSON")
    parser.add_argument("--rank", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    values = {**defaults, **json.loads(options.parameters)}
    values.update(rank=options.rank, arguments=sys.argv[1:])
    confined = confine(values.get("isolation", "network") if options.rank is None else "none")
    measurements["network"] = confined
    outcome = "raised"
    start = time.monotonic()
    try:
        if options.fix is None:
            reported(Parameters(values))
        else:
            fixed(Parameters(values), options.fix)
        outcome = "passed"
    except NotPossibleHere as missing:
        outcome = "not-possible"
        measurements["needs"] = str(missing)
        raise
    finally:
        measurements["seconds"] = round(time.monotonic() - start, 3)
        if options.rank is None:
            _write_result(options.result, outcome)


def _write_result(path: str | None, outcome: str) -> None:
    result = {"outcome": outcome, "measurements": measurements}
    if path is None:
        print(json.dumps(result, indent=2), file=sys.stderr)
        return
    with open(path, "w", encoding="utf-8") as file:
        json.dump(result, file)


def confine(isolation: str) -> str:
    """Keeps this process and its children on the loopback interface; says how.

    `isolation`: "network" for a network namespace of its own where the system allows one, "mounts" for a mount
    namespace as well, "none" for the socket check alone (a process that uses a GPU driver keeps its namespaces).
    """
    sys.addaudithook(_refuse_other_hosts)
    if isolation == "none" or not sys.platform.startswith("linux"):
        return "sockets checked"
    flags = _CLONE_NEWUSER | _CLONE_NEWNET | (_CLONE_NEWNS if isolation == "mounts" else 0)
    user, group = os.getuid(), os.getgid()
    if ctypes.CDLL(None, use_errno=True).unshare(flags) != 0:
        if isolation == "mounts":
            raise NotPossibleHere("a mount namespace of its own (unshare was refused)")
        return "sockets checked"
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)
    _raise_loopback()
    return "own network namespace"


def _raise_loopback() -> None:
    import fcntl

    set_flags, up_running = 0x8914, 0x1 | 0x40
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        fcntl.ioctl(probe, set_flags, struct.pack("16sh14x", b"lo", up_running))


def _refuse_other_hosts(event: str, arguments: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.bind", "socket.sendto"):
        address = arguments[-1]
        if isinstance(address, tuple) and not str(address[0]).startswith(LOOPBACK[:3]) and address[0] not in LOOPBACK:
            raise PermissionError(f"reproductions use the loopback interface only, not {address[0]}")
