"""What of a kernel log follows from what: by the cards and the times of its lines."""

from __future__ import annotations

import pytest

import triage

CONTAINED = "[Mon Nov 24 10:00:00 2025] NVRM: Xid (PCI:0000:17:00): 94, pid=4021, name=python, Contained: SM (0x1). RST: No, D-RST: No\n"
FAULT = (
    "[Mon Nov {0} 2025] NVRM: Xid (PCI:0000:{1}:00): 31, pid=9911, name=train, Ch 00000008, intr 00000000. MMU Fault: ENGINE GRAPHICS "
    "GPCCLIENT_T1_3 faulted @ 0x7f2c_9a000000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ\n"
)


@pytest.mark.parametrize(
    ("when", "card", "follows"),
    [("24 10:00:09", "65", True), ("24 10:00:09", "17", True), ("24 11:30:00", "17", True), ("24 11:30:00", "65", False)],
)
def test_a_fault_of_another_card_at_another_time_is_a_matter_of_its_own(when: str, card: str, follows: bool) -> None:
    first, *others = triage.explain(CONTAINED + FAULT.format(when, card)).diagnoses
    assert first.id == "hardware.ecc.contained"
    [fault] = [other for other in others if other.id == "kernel.illegal-access.fault"]
    assert fault.consequence_of == (first.id if follows else None)


def test_later_faults_of_the_card_itself_follow_though_the_first_was_of_another() -> None:
    log = FAULT.format("24 08:00:00", "65") + CONTAINED + FAULT.format("24 10:00:05", "17")
    by_id = {found.id: found.consequence_of for found in triage.explain(log).diagnoses}
    assert by_id["kernel.illegal-access.fault"] == "hardware.ecc.contained"
