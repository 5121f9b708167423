"""Lines about containers and packages are those of the reader's engine and system."""

from __future__ import annotations

import pytest

from triage import explain
from triage.report.audience import engines, systems

NO_GPU = (
    "NVIDIA-SMI couldn't find libnvidia-ml.so library in your system. Please make sure that the NVIDIA Display Driver is properly installed"
)
NO_DRIVER = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."


def _commands(text: str) -> str:
    return "\n".join(line for fix in explain(text).diagnoses[0].fixes for line in fix.commands)


@pytest.mark.parametrize(
    ("shown", "wanted", "unwanted"),
    [
        ("$ apptainer exec --nv image.sif nvidia-smi", "apptainer exec --nv", "docker"),
        ("$ srun --container-image=ubuntu nvidia-smi\npyxis: importing docker image ...", "srun --gpus=1", "docker run"),
        ("$ podman run --rm ubuntu nvidia-smi", "podman run --rm --device nvidia.com/gpu=all", "docker"),
        ("$ docker run --rm ubuntu nvidia-smi", "docker run --rm --gpus all", "podman"),
        ("It runs in a k8s pod.", "nvidia.com/gpu: 1", "docker"),
    ],
)
def test_the_engine_that_runs_the_container(shown: str, wanted: str, unwanted: str) -> None:
    told = _commands(f"{shown}\n{NO_GPU}")
    assert wanted in told
    assert unwanted not in told


def test_docker_leads_where_podman_is_shown_beside_it() -> None:
    assert engines.engine({"docker", "podman"}) == ""
    assert engines.engine({"docker", "apptainer"}) == "apptainer"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("docker run --memory 64g …", ["resources: {limits: {memory: 64Gi}}"]),
        (
            "docker run --gpus all --cap-add SYS_ADMIN -e A_B=1 IMAGE",
            ["securityContext: {capabilities: {add: [SYS_ADMIN]}}", "env: [{name: A_B, value: '1'}]"],
        ),
        ("docker run --rm --gpus all IMAGE nvidia-smi -L", ["kubectl exec POD -- nvidia-smi -L"]),
        ("docker run --rm --gpus all ubuntu nvidia-smi", []),
        ("sudo systemctl restart docker", ["sudo systemctl restart containerd"]),
        ("df -h /dev/shm", ["df -h /dev/shm"]),
    ],
)
def test_a_line_of_docker_for_a_pod(line: str, told: list[str]) -> None:
    assert engines.lines_for([line], "kubernetes") == told


def test_shared_memory_of_a_pod() -> None:
    text = "In our k8s cluster:\nRuntimeError: DataLoader worker (pid 12) is killed by signal: Bus error."
    assert "volumeMounts: [{name: shm, mountPath: /dev/shm}]" in _commands(text)
    assert "docker" not in _commands(text)


@pytest.mark.parametrize(
    ("name", "line", "told"),
    [
        ("podman", "docker run --gpus all --ipc=host IMAGE", "podman run --device nvidia.com/gpu=all --ipc=host IMAGE"),
        ("podman", "sudo systemctl restart docker", ""),
        ("apptainer", "docker run --gpus all --shm-size=16g IMAGE", ""),
        ("apptainer", "docker run --rm --gpus all -e A=1 IMAGE clinfo -l", "apptainer exec --nv --env A=1 IMAGE.sif clinfo -l"),
        ("apptainer", "docker run --rm --gpus all ubuntu nvidia-smi", "apptainer exec --nv docker://ubuntu nvidia-smi"),
        ("enroot", "docker run --rm --gpus all IMAGE", "srun --gpus=1 --container-image=IMAGE nvidia-smi"),
        ("apptainer", "nvidia-smi -L", "nvidia-smi -L"),
    ],
)
def test_a_line_of_docker_elsewhere(name: str, line: str, told: str) -> None:
    assert engines.lines_for([line], name) == ([told] if told else [])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("kernel 3.10.0-1160.24.1.el7.x86_64", "rpm"),
        ("Linux 6.16.10-arch1-1", "arch"),
        ("NixOS 24.05", "other"),
        ("Rocky Linux, image of Ubuntu 22.04", ""),
        ("no system at all", ""),
    ],
)
def test_the_system_of_a_text(text: str, name: str) -> None:
    assert systems.system(text) == name


@pytest.mark.parametrize(
    ("name", "line", "told"),
    [
        ("rpm", "sudo apt-get install -y dkms build-essential", "sudo dnf install -y dkms gcc gcc-c++ make"),
        ("rpm", "sudo apt-get update && sudo apt-get install --only-upgrade nvidia-container-toolkit",
         "sudo dnf upgrade -y nvidia-container-toolkit"),
        ("rpm", "sudo apt-get purge '*nvidia*' && sudo ubuntu-drivers install && sudo reboot", "sudo dnf remove '*nvidia*'"),
        ("rpm", "dpkg -l | grep -i nvidia; dkms status", "rpm -qa | grep -i nvidia; dkms status"),
        ("rpm", "sudo apt-get install nvidia-driver-570", ""),
        ("arch", "sudo apt-get install linux-headers-$(uname -r)", "sudo pacman -S --needed linux-headers"),
        ("arch", "sudo update-initramfs -u && sudo reboot", "sudo mkinitcpio -P && sudo reboot"),
        ("other", "ubuntu-drivers devices", ""),
        ("other", "sudo reboot", "sudo reboot"),
    ],
)  # fmt: skip
def test_a_line_of_debian_elsewhere(name: str, line: str, told: str) -> None:
    assert systems.lines_for([line], name) == ([told] if told else [])


def test_packages_of_the_reader() -> None:
    assert "dpkg" not in _commands(f"CentOS 7.9, 3.10.0-1160.el7.x86_64\n{NO_DRIVER}")
    assert "dpkg" in _commands(NO_DRIVER)


def test_nothing_is_installed_into_the_store_of_nix() -> None:
    text = (
        "Traceback (most recent call last):\n"
        f'  File "/nix/store/{"a" * 32}-python3.11-torch-2.1.2/lib/python3.11/site-packages/torch/cuda/__init__.py", line 289, in _lazy\n'
        "AssertionError: Torch not compiled with CUDA enabled\n"
    )
    [found] = explain(text).diagnoses
    lines = [line for fix in found.fixes for line in fix.commands]
    assert lines
    assert not any("pip install" in line or "fresh/" in line for line in lines)
    assert systems.system(text) == "other"


def test_k3s_restarts_the_containerd_that_it_brings() -> None:
    lines = ["sudo nvidia-ctk runtime configure --runtime=containerd", "sudo systemctl restart containerd", "kubectl get nodes"]
    assert engines.for_k3s(lines) == [
        "sudo systemctl restart k3s  # k3s-agent, rke2-server or rke2-agent on other nodes",
        "kubectl get nodes",
    ]
