"""Versions of packages, CUDA, the driver and Python, wherever a text names them.

Every number with a dot is looked at together with the words before it, so one pass over a text finds
"torch 2.1.0", "PyTorch version: 2.1.0+cu118", "torch==2.1.0", "vllm-openai:v0.6.3", "Driver Version: 551.78" and the "python3.10" of a
path alike. Each find has a strength; the observations come strongest first, so that the first of a package is the best known one.

Where to put what is not read yet:

- a message that a program prints with a version in it: `forms/`; with two versions of one library: `pairs.py`
- another name of a package, or a word that is one: `packages.py`
- words that tell of a version that it is not in use, or whose it is: `words.py`
- of two machines or releases, the one where all is well: `contrasts.py`; what a document tells of its writer's machine: `told.py`
- the release that is there, by its number alone behind another that was asked for or works: `required.py`
- a number that the nearest word gives to the wrong package: `doubts.py`
- a version without a dot: `whole.py`, and with a move from one to another `announced.py`
- what pip or conda prints: `installed.py`; a heading, column or list: `layouts.py`
- what the statements of a script print: `printed.py`
"""

from __future__ import annotations

from triage.facts import Observation
from triage.parsers.contrasts import Contrast
from triage.parsers.versions.announced import announced_versions
from triage.parsers.versions.doubts import admit
from triage.parsers.versions.finds import Finds
from triage.parsers.versions.installed import installed_versions
from triage.parsers.versions.layouts import column_versions, listed_versions, series_versions
from triage.parsers.versions.numbers import dotted_numbers
from triage.parsers.versions.packages import PRINTED, SAID
from triage.parsers.versions.printed import printed_versions
from triage.parsers.versions.whole import whole_versions
from triage.reading import Log


def parse_versions(log: Log) -> list[Observation]:
    """Facts `version`, the best known one of each package first."""
    finds = Finds()
    for block in log.blocks():
        finds.lines.clear()
        finds.contrast = Contrast(block)
        dotted_numbers(block, finds)
        installed_versions(block, finds)
        announced_versions(block, finds)
        whole_versions(block, finds)
        for package, number, line in list(listed_versions(block, finds.lines)):
            finds.add(package, number, line, SAID - 1)
        for strength, rows in ((SAID + 1, column_versions(block)), (PRINTED + 1, series_versions(block))):
            for package, number, line in rows:
                admit(package, number, strength, package, line, "", finds)
    printed_versions(log, finds)
    return finds.observations()
