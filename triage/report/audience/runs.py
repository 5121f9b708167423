"""The reader's own `docker run` in lines to paste, with what is advised put in: the container keeps its ports, volumes and variables.

By the reference of `docker container run`. A command is taken over as far as the image, and only where a shell makes nothing of its words;
one with a secret in a variable is not repeated.
"""

from __future__ import annotations

from triage.reading.lazy import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

# Options that take the next word.
_TAKE_A_WORD: Final = frozenset((
    "-v", "-e", "-p", "-u", "-w", "-m", "-h", "-l", "--name", "--gpus", "--shm-size", "--ulimit", "--network", "--net", "--ipc",
    "--runtime", "--env", "--volume", "--mount", "--user", "--workdir", "--entrypoint", "--cpus", "--memory", "--restart", "--device",
    "--cap-add", "--security-opt", "--hostname", "--env-file", "--publish", "--pid", "--add-host", "--label", "--tmpfs", "--group-add",
    "--platform", "--log-opt", "--log-driver", "--cpuset-cpus", "--memory-swap",
))  # fmt: skip
# Of these the last one counts: what is advised takes the place of the reader's.
_COUNT_ONCE: Final = frozenset(("--gpus", "--shm-size", "--ipc", "--runtime", "--memory", "--network", "--net", "--pid", "--user"))
_HOW_IT_RUNS: Final = frozenset(("--rm", "-it", "-i", "-t", "-d", "-ti", "-dit"))  # the reader's choice
_AN_IMAGE: Final = Pattern(r"[a-z0-9][\w./:@-]{2,160}\Z")
_PLAIN: Final = Pattern(r"[\w./:@=,+%~-]{1,120}\Z")
_SECRET: Final = Pattern(r"(?i)token|secret|passw|api_?key|credential")
_LONGEST: Final = 240  # of a line that is still read


def image_of(words: Sequence[str]) -> str:
    """The image in the words of a command line of Docker; '' where it runs none."""
    return _parted(words)[1]


def with_options(line: str, own: Sequence[str]) -> str:
    """The reader's command up to its image, with the options of `line`, which ends with an image too; '' where it cannot be repeated."""
    kept, image, more = _parted(own)
    if not image or not all(_PLAIN.match(word) for option in kept for word in option):
        return ""
    advised = [option for option in _parted(line.split())[0] if option[0] not in _HOW_IT_RUNS and option not in kept]
    replaced = {_name(option) for option in advised} & _COUNT_ONCE
    options = [*advised, *(option for option in kept if _name(option) not in replaced)]
    told = " ".join(["docker", "run", *(word for option in options for word in option), image, *(["\u2026"] if more else [])])
    return "" if len(told) > _LONGEST or _SECRET.search(told) else told


def _parted(words: Sequence[str]) -> tuple[list[list[str]], str, bool]:
    """The options of `docker run`, each with its word, the image, and whether words follow it; ('' for the image where none is run)."""
    options: list[list[str]] = []
    if "run" not in words[:3]:
        return options, "", False
    start = list(words).index("run") + 1
    takes = False
    for place, word in enumerate(words[start:], start):
        if takes:
            options[-1].append(word)
            takes = False
        elif word.startswith("-"):
            options.append([word])
            takes = word in _TAKE_A_WORD
        elif word != "\\":
            behind = words[place + 1] if place + 1 < len(words) else ""  # "nvidia / cuda: 12" was taken apart by a translator
            named = word == "IMAGE" or (_AN_IMAGE.match(word) is not None and behind not in ("/", ":"))
            return options, word if named else "", place + 1 < len(words)
    return options, "", False


def _name(option: Sequence[str]) -> str:
    return option[0].partition("=")[0]
