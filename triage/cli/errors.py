"""What a user must hear about wrong usage and unreadable input."""

from __future__ import annotations


class CommandError(Exception):
    """A message of one line; the command ends with status 2."""
