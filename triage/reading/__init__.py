"""Reading logs: bytes of any kind become a `Log` of cleaned lines that remember where they stood."""

from triage.reading.log import Block, Line, Log, Prefix
from triage.reading.reader import read

__all__ = ["Block", "Line", "Log", "Prefix", "read"]
