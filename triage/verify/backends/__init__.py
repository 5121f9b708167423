"""Where a reproduction can run, from the strongest evidence to the weakest."""

from __future__ import annotations

from triage.verify.backends.base import Backend, Machine, Unavailable
from triage.verify.backends.cpu import Cpu
from triage.verify.backends.cuda import Cuda
from triage.verify.backends.fake import Fake
from triage.verify.backends.model import Model

ALL: dict[str, Backend] = {backend.name: backend for backend in (Cuda(), Fake(), Cpu(), Model())}

__all__ = ["ALL", "Backend", "Machine", "Unavailable"]
