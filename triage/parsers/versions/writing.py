"""How a version is meant that is written without dots, in words or in the form of one library."""

from __future__ import annotations

from triage.facts.quantities import parse_cuda_version
from triage.parsers.versions.forms import SPOKEN
from triage.reading.lazy import Pattern

# The suffix of a build: 2.1.0+cu118. A wheel of flash-attn for any CUDA 12 has +cu12, which names no release.
LOCAL_CUDA = Pattern(r"\+(?:cu|cuda)(1[0-9]{2}|[7-9][0-9]|[0-9]{2}\.[0-9]|[7-9]\.[0-9])")


def formed(number: str, form: str) -> str:
    """The dotted version that a number means, in one of the forms that `forms` names; any other form is a format string."""
    if form == "cuda":
        return str(parse_cuda_version(number))
    if form == "spoken":
        return _spoken(number)
    if form == "compact":  # 90 is 9.0, 118 is 11.8
        return f"{number[:-1]}.{number[-1]}"
    if form == "nccl":  # 2307 is 2.3.7, 21904 is 2.19.4
        return f"{number[0]}.{int(number[1:-2])}.{int(number[-2:])}"
    if form == "fields":  # 3.minor=9.micro=7 is 3.9.7
        return "".join(letter for letter in number if letter.isdigit() or letter == ".")
    if form == "dotted":  # 231 is 2.3.1
        return ".".join(number)
    if form == "tensorrt":  # 8601 is 8.6.1, 100300 is 10.3.0
        parts = (number[:-4], number[-4:-2], number[-2:]) if len(number) > 4 else (number[0], number[1], number[2:])
        return ".".join(str(int(part)) for part in parts)
    if form == "l4t":  # 32.7.1 for "2 (release), REVISION: 7.1"
        return f"3{number[0]}.{number.rpartition(' ')[2]}"
    return form.format(number)


def _spoken(words: str) -> str:
    """550 for "five-fifty", 12.4 for "twelve point four"."""
    numbers = [SPOKEN[word] for word in words.lower().replace(".", " ").split() if word != "point"]
    return ".".join(map(str, numbers)) if " point " in words.lower() else str(numbers[0] * 100 + sum(numbers[1:]))
