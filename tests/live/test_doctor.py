"""The doctor: what NVML and the host say, and what the rules make of it."""

from __future__ import annotations

import json
import string
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from tests.live import recorded
from tests.live.recorded import GIB, NVMLError, RecordedNvml, healthy_gpu
from triage.cli.doctor import doctor
from triage.live import host as hosts
from triage.live import nvml, observe
from triage.live.examination import Examination, examine
from triage.live.facts import facts_of
from triage.live.host import Host
from triage.live.words import keys, word
from triage.pipeline import shared_triage

PROCESS = SimpleNamespace(pid=4711, usedGpuMemory=30 * GIB)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A file system with a GPU of NVIDIA on the bus."""
    device = tmp_path / "sys/bus/pci/devices/0000:07:00.0"
    device.mkdir(parents=True)
    (device / "vendor").write_text("0x10de\n")
    (device / "class").write_text("0x030200\n")
    other = tmp_path / "sys/bus/pci/devices/0000:01:00.0"
    other.mkdir()
    (other / "vendor").write_text("0x10de\n")
    (other / "class").write_text("0x068000\n")
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/meminfo").write_text("MemTotal:       65536000 kB\nMemFree: 1 kB\n")
    return tmp_path


def examined(root: Path, gpus: list[dict[str, Any] | NVMLError], **rest: Any) -> Examination:
    return examine(library=RecordedNvml(gpus, **rest), root=root, environ={})


def ids(found: Examination) -> list[str]:
    return [diagnosis["id"] for diagnosis in found.report["diagnoses"]]


def test_a_healthy_machine(root: Path) -> None:
    found = examined(root, [healthy_gpu(0), healthy_gpu(1, nvmlDeviceGetComputeRunningProcesses=[PROCESS])])
    assert ids(found) == []
    lines = "\n".join(found.lines())
    assert "driver 550.54.15 (CUDA up to 12.4)" in lines
    assert "GPU 0: NVIDIA A100-SXM4-80GB, 79.00 GiB of 80.00 GiB free, 31 °C" in lines
    assert "/usr/bin/python3 (4711) holds 30.00 GiB" in lines
    assert "the rules find no failure" in lines
    json.dumps(found.to_dict())


def test_a_healthy_machine_in_chinese(root: Path) -> None:
    gpus: list[dict[str, Any] | NVMLError] = [
        healthy_gpu(0, nvmlDeviceGetComputeRunningProcesses=[PROCESS], nvmlDeviceGetPersistenceMode=0)
    ]
    lines = examine("zh", library=RecordedNvml(gpus), root=root, environ={}).lines()
    assert "驱动 550.54.15（最高支持 CUDA 12.4）" in lines
    assert "GPU 0：NVIDIA A100-SXM4-80GB，空闲 79.00 GiB，共 80.00 GiB，31 °C" in lines
    assert "    /usr/bin/python3（PID 4711）占用 30.00 GiB" in lines
    assert "提示：GPU 0：未开启持久模式，空闲之后的第一次 CUDA 调用会变慢。" in lines
    assert lines[-1] == "规则未从中发现故障"


def test_every_word_is_there_in_both_languages_with_the_same_values() -> None:
    for key in keys():
        names = [{name for _, name, _, _ in string.Formatter().parse(word(key, lang)) if name} for lang in ("en", "zh")]
        assert names[0] == names[1], key


@pytest.mark.parametrize(
    ("changes", "family"),
    [
        ({"nvmlDeviceGetRemappedRows": (2, 1, 1, 0)}, "hardware.ecc"),
        ({"nvmlDeviceGetRemappedRows": (0, 8, 0, 1)}, "hardware.ecc"),
        ({"nvmlDeviceGetRetiredPagesPendingStatus": 1}, "hardware.ecc"),
        ({"nvmlDeviceGetCurrentClocksThrottleReasons": 0x40}, "hardware.thermal-power"),
        ({"nvmlDeviceGetCurrentClocksThrottleReasons": 0x80}, "hardware.thermal-power"),
        ({"nvmlDeviceGetNvLinkState": lambda link: int(link < 10)}, "hardware.nvlink-fabric"),
        ({"nvmlDeviceGetGpuFabricInfo": SimpleNamespace(state=2, status=0)}, "hardware.nvlink-fabric"),
        ({"nvmlDeviceGetMigMode": [1, 1], "nvmlDeviceGetMigDeviceHandleByIndex": recorded.NVMLError_NotSupported()}, "env.mig"),
    ],
    ids=["remap-pending", "remap-failed", "page-pending", "thermal", "power-brake", "links", "fabric", "mig-empty"],
)
def test_what_is_wrong_with_a_gpu_is_found_by_the_rules(root: Path, changes: dict[str, Any], family: str) -> None:
    found = examined(root, [healthy_gpu(0, **changes)])
    assert [diagnosis["family"] for diagnosis in found.report["diagnoses"]][:1] == [family], found.report["diagnoses"]


def test_retired_pages_are_counted(root: Path) -> None:
    pages = {0: [4096, 8192], 1: [12288]}
    found = examined(root, [healthy_gpu(0, nvmlDeviceGetRetiredPages=lambda cause: pages[cause]), healthy_gpu(1)])
    assert [gpu.retired_pages for gpu in found.reading.gpus] == [3, None]
    assert any("GPU 0: 3 page(s) of memory are retired" in note for note in found.notes)


def test_what_is_live_takes_part_in_explaining_a_log() -> None:
    """`explain --live`: who holds the memory that a log only misses, and what the card is called."""
    log = (
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB. GPU 0 has a total capacity of 79.25 GiB of which "
        "100.00 MiB is free. Of the allocated memory 40.00 GiB is allocated by PyTorch, and 200.00 MiB is reserved by PyTorch but "
        "unallocated.\n"
    )
    engine = shared_triage()
    report = engine.explain(log)
    held = SimpleNamespace(pid=4711, usedGpuMemory=38 * GIB)
    reading = nvml.read(RecordedNvml([healthy_gpu(0, nvmlDeviceGetComputeRunningProcesses=[held])]))
    lead = engine.reconsider(report, facts_of(reading, Host(python="3.11.7"))).diagnoses[0]
    assert (lead.id, lead.fixes[0].id) == ("memory.gpu-oom.other-process", "free-other-process")
    assert "Process 4711 (/usr/bin/python3) holds 38.00 GiB of GPU 0" in lead.fixes[0].detail
    assert lead.fixes[0].commands == ["ps -fp 4711", "kill 4711"]
    assert lead.facts["gpu_name"] == "NVIDIA A100-SXM4-80GB"
    assert report.diagnoses[0].fixes[0].commands != lead.fixes[0].commands


def test_a_lost_gpu_does_not_hide_the_others(root: Path) -> None:
    found = examined(root, [recorded.NVMLError_GpuIsLost(), healthy_gpu(1)])
    assert found.report["diagnoses"][0]["family"] == "hardware.gpu-lost"
    assert found.reading.gpus[1].name == "NVIDIA A100-SXM4-80GB"


def test_a_driver_that_does_not_fit_its_library(root: Path) -> None:
    found = examined(root, [], init=recorded.NVMLError_LibRmVersionMismatch())
    assert found.report["diagnoses"][0]["family"] == "version.driver-library-mismatch"


def test_no_driver_is_a_failure_only_beside_a_gpu(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    missing = recorded.NVMLError_LibraryNotFound()
    assert examined(root, [], init=missing).report["diagnoses"][0]["family"] == "env.driver-not-loaded"
    bare = tmp_path_factory.mktemp("bare")
    (bare / "sys/bus/pci/devices").mkdir(parents=True)
    without = examined(bare, [], init=missing)
    assert ids(without) == []
    assert any("no NVIDIA GPU is on the PCI bus" in note for note in without.notes)
    unknown = examined(tmp_path_factory.mktemp("unknown"), [], init=missing)
    assert any("the PCI bus cannot be read here" in note for note in unknown.notes)


def test_a_gpu_that_answers_nothing(root: Path) -> None:
    found = examined(root, [{}])
    assert found.lines()
    assert ids(found) == []


def test_what_limits_the_host_is_said(root: Path) -> None:
    (root / "sys/fs/cgroup").mkdir(parents=True)
    (root / "sys/fs/cgroup/memory.max").write_text("8589934592\n")
    (root / ".dockerenv").touch()
    found = examined(root, [healthy_gpu(0, nvmlDeviceGetPersistenceMode=0)])
    notes = " ".join(found.notes)
    assert "limited to 8.00 GiB by the control group" in notes
    assert "This is a container" in notes
    assert "persistence mode is off" in notes
    (root / "sys/fs/cgroup/memory.max").write_text("max\n")
    assert hosts.read(root, {}).memory_limit is None


def test_a_library_in_two_places_is_said(tmp_path: Path) -> None:
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "libcudnn.so.9").touch()
    (tmp_path / "first" / "libcudart.so.12").touch()
    host = hosts.read(tmp_path, {"LD_LIBRARY_PATH": f"{tmp_path}/first:{tmp_path}/second:{tmp_path}/missing"})
    assert host.duplicates["libcudnn"][:2] == [f"{tmp_path}/first/libcudnn.so.9", f"{tmp_path}/second/libcudnn.so.9"]
    assert host.settings["LD_LIBRARY_PATH"].startswith(str(tmp_path))


def test_a_library_loaded_twice_is_said(root: Path) -> None:
    (root / "proc/4711").mkdir()
    (root / "proc/4711/maps").write_text(
        "7f00-7f01 r-xp 00000000 00:00 1 /usr/lib/libcublas.so.12\n7f02-7f03 r--p 0 00:00 1 /usr/lib/libcublas.so.12\n"
        "7f04-7f05 r-xp 00000000 00:00 2 /site-packages/nvidia/cublas/lib/libcublas.so.12\n7f06-7f07 rw-p 0 00:00 0 [heap]\n"
    )
    assert hosts.loaded_twice([4711, 4712], root) == {
        4711: {"libcublas": ["/site-packages/nvidia/cublas/lib/libcublas.so.12", "/usr/lib/libcublas.so.12"]}
    }
    found = examined(root, [healthy_gpu(0, nvmlDeviceGetComputeRunningProcesses=[PROCESS])])
    assert any("Process 4711 has libcublas loaded from 2 files" in note for note in found.notes)


def test_facts_for_explain() -> None:
    reading = nvml.read(RecordedNvml([healthy_gpu(0, nvmlDeviceGetComputeRunningProcesses=[PROCESS])]))
    host = Host(python="3.11.7", packages={"torch": "2.6.0+cu124", "vllm": "0.6.0"}, settings={"CUDA_VISIBLE_DEVICES": "0"}, container=True)
    facts = {
        (fact.template, str(fact.slots.get("package") or fact.slots.get("name") or "")): fact.slots
        for fact in facts_of(reading, host, {"vllm"})
    }
    assert facts["gpu", ""]["capacity_bytes"] == 80 * GIB
    assert facts["gpu", ""]["capability"] == "8.0"
    assert facts["gpu-process", "/usr/bin/python3"]["process_bytes"] == 30 * GIB
    assert facts["version", "torch"]["version_text"] == "2.6.0+cu124"
    assert facts["setting", "CUDA_VISIBLE_DEVICES"]["value"] == "0"
    assert ("version", "driver") in facts
    assert ("version", "vllm") not in facts, "the log's word stands"


def test_only_declared_facts_are_given() -> None:
    from triage.facts import TEMPLATES

    for fact in observe():
        assert set(fact.slots) <= set(TEMPLATES[fact.template][0])


def test_who_holds_a_gpu() -> None:
    held = nvml.holders(RecordedNvml([healthy_gpu(0), healthy_gpu(1, nvmlDeviceGetComputeRunningProcesses=[PROCESS])]))
    assert list(held) == ["GPU-00000000-0000-0000-0000-000000000001"]
    assert "30720 MiB" in held["GPU-00000000-0000-0000-0000-000000000001"]
    assert nvml.holders(RecordedNvml(init=recorded.NVMLError_LibraryNotFound())) == {}


def test_hostile_names_do_not_reach_the_terminal(root: Path) -> None:
    named = RecordedNvml(
        [healthy_gpu(0, nvmlDeviceGetName="\x1b[2Jevil", nvmlDeviceGetComputeRunningProcesses=[PROCESS])],
        nvmlSystemGetProcessName=b"\x1b]0;owned\x07\xff",
    )
    lines = "\n".join(examine(library=named, root=root, environ={}).lines())
    assert "\x1b" not in lines
    assert "\x07" not in lines


def test_the_command_works_anywhere() -> None:
    text = CliRunner().invoke(doctor, ["--color", "never"])
    assert text.exit_code == 0
    assert "Python" in text.stdout
    data = json.loads(CliRunner().invoke(doctor, ["--format", "json"]).stdout)
    assert {"gpus", "host", "notes", "report"} == data.keys()
