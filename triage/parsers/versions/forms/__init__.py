"""Forms in which programs print versions that no words before the number name: a literal, a pattern, and what it tells.

A form is a literal that must occur, a pattern with the version as `v` (and, where it says so itself, the package as `name`), other packages
that it is the version of, the form of the version, and its strength.
"""

from __future__ import annotations

from triage.parsers.versions.forms.clusters import CLUSTER_FORMS
from triage.parsers.versions.forms.common import SPOKEN
from triage.parsers.versions.forms.cuda import CUDA_FORMS
from triage.parsers.versions.forms.driver import DRIVER_FORMS
from triage.parsers.versions.forms.packages import PACKAGE_FORMS
from triage.parsers.versions.forms.systems import SYSTEM_FORMS

__all__ = ["FORMS", "SPOKEN"]

FORMS = DRIVER_FORMS + CUDA_FORMS + PACKAGE_FORMS + CLUSTER_FORMS + SYSTEM_FORMS
