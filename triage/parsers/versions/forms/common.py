"""What forms of several packages are made of."""

from __future__ import annotations

DRIVER = r"(?P<v>[3-6][0-9]{2}\.[0-9]{2,3}(?:\.[0-9]{2,3})?)(?![0-9])"
SAYS = r"{}`?(?: -V| --version)?`? (?:\w+ )?(?:indicates|shows?|says|reports?|displays|gives|prints|tells|is|returns) {}`?"
TENS = "ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
UNITS = "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen"
SPOKEN = {word: number for number, word in enumerate(UNITS.split("|"))} | {
    word: number * 10 for number, word in enumerate(TENS.split("|"), 1)
}
