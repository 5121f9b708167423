"""Lines and words about containers for what runs them: what Docker is told means nothing to Podman, Apptainer, Enroot or Kubernetes.

Options by the manuals of podman-run(1), apptainer-exec(1) and of pyxis, the plugin of Slurm for Enroot; fields by the reference of
Kubernetes for pods, whose nodes mostly run containerd.
"""

from __future__ import annotations

from triage.reading.lazy import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import Any, Final

# Where two are shown, the one that runs the program: images for Apptainer and Enroot are often made with Docker.
_PRECEDENCE: Final = ("apptainer", "enroot", "podman")
_GPUS = Pattern(r"--gpus[= ]all|--runtime[= ]nvidia(?: -e NVIDIA_VISIBLE_DEVICES=all)?")
_CDI: Final = "sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml"
# K3s and RKE2 bring a containerd of their own, by https://docs.k3s.io/advanced#nvidia-container-runtime-support.
_RESTARTS_K3S: Final = "sudo systemctl restart k3s  # k3s-agent, rke2-server or rke2-agent on other nodes"
# What a container of Apptainer and Enroot shares with the host anyway.
_LIMITS = ("--shm-size", "--ipc=", "--ulimit", "--memory", "--cap-add", "--entrypoint", "--device", "--restart", " -d ")
_RUN = Pattern(r"docker run(?: --rm| -it| --gpus[= ]all| --runtime[= ]nvidia)*((?: -[ev] \S+)*) (\S+)(?: (.+))?\Z")
_OF_DOCKER = ("--gpus", "--runtime=docker", "Container Toolkit", "container toolkit")
# Fields of a pod's specification in place of options of Docker.
_SHARED_MEMORY: Final = ("volumes: [{name: shm, emptyDir: {medium: Memory}}]", "volumeMounts: [{name: shm, mountPath: /dev/shm}]")
_FIELDS: Final = (
    (Pattern(r" --shm-size[= ]\S+| --ipc[= ]host"), _SHARED_MEMORY),
    (Pattern(r" --memory[= ]([0-9]+)g"), (r"resources: {limits: {memory: \1Gi}}",)),
    (Pattern(r" --network[= ]host"), ("hostNetwork: true",)),
    (Pattern(r" --cap-add[= ](\w+)"), (r"securityContext: {capabilities: {add: [\1]}}",)),
    (Pattern(r" -e ([A-Z][A-Z0-9_]*)=([\w.,:/-]+)"), (r"env: [{name: \1, value: '\2'}]",)),
)
_IN_THE_POD = Pattern(r"docker (?:run\b.* IMAGE|exec(?: -it)? \w+) (\S.*)\Z")


def engine(shown: Collection[str]) -> str:
    """The engine that runs the reader's containers, where it is not Docker; '' otherwise."""
    found = next((name for name in _PRECEDENCE if name in shown), "")
    return "" if found == "podman" and "docker" in shown else found


def lines_for(lines: Iterable[str], engine: str) -> list[str]:
    """The lines to paste as the engine takes them, each once; those that it has no counterpart for are left out."""
    if engine == "kubernetes":
        return list(dict.fromkeys(found for line in lines for found in _for_a_pod(line)))
    return list(dict.fromkeys(found for line in lines if (found := _line(engine, line)))) if engine else list(lines)


def words_for(text: str, engine: str) -> str:
    """A sentence with the option that gives a container its GPUs."""
    instead = {"apptainer": "--nv", "podman": "--device nvidia.com/gpu=all"}.get(engine)
    return text.replace("--gpus all", instead) if instead else text


def is_of_docker(text: Mapping[str, Any], engine: str) -> bool:
    """Whether a fix that a rule brings tells how Docker is given GPUs, or has only lines for it; to a pod its words may be of use all
    the same, where the lines are not."""
    own = [text.get("title"), text.get("detail")]
    if not any(own):
        return any(word in str(text.get("commands")) for word in ("docker run", *_OF_DOCKER))
    told = str(own if engine == "kubernetes" else [*own, text.get("commands")])
    return any(word in told for word in _OF_DOCKER)


def for_k3s(lines: Iterable[str]) -> list[str]:
    """The lines for a cluster whose containerd is its own: it writes the configuration itself at every start, and is restarted with it."""
    told = [_RESTARTS_K3S if "systemctl restart containerd" in line else line for line in lines]
    return list(dict.fromkeys(line for line in told if "nvidia-ctk runtime configure" not in line))


def _for_a_pod(line: str) -> list[str]:
    """A line of Docker as fields of a pod, or as a command in it; [] where it has no counterpart."""
    line = line.replace("--runtime=docker", "--runtime=containerd").replace("systemctl restart docker", "systemctl restart containerd")
    if not line.startswith("docker "):
        return [line]
    fields = [found.expand(field) for pattern, told in _FIELDS for found in pattern.finditer(line) for field in told]
    inside = _IN_THE_POD.match(line)
    return [*fields, *([f"kubectl exec POD -- {inside[1]}"] if inside else [])]


def _line(name: str, line: str) -> str:
    if "--runtime=docker" in line or line == "sudo systemctl restart docker":
        return _CDI if name == "podman" and "nvidia-ctk" in line else ""
    if not line.startswith("docker "):
        return line
    if name == "podman":
        return _GPUS.sub("--device nvidia.com/gpu=all", line.replace("docker ", "podman ", 1))
    found = None if any(option in line for option in _LIMITS) else _RUN.match(line)
    if found is None:
        return ""
    options, image, command = found.groups()
    told = [word for word in options.split() if word not in ("-e", "-v")]
    variables, binds = [word for word in told if "=" in word], [word for word in told if ":" in word and "=" not in word]
    if name == "enroot":
        mounts = f" --container-mounts={','.join(binds)}" if binds else ""
        return " ".join([*variables, f"srun --gpus=1 --container-image={image}{mounts} {command or 'nvidia-smi'}"])
    given = [*(f"--env {word}" for word in variables), *(f"--bind {word}" for word in binds)]
    named = f"{image}.sif" if image == "IMAGE" else f"docker://{image}"
    return " ".join(["apptainer", "exec" if command else "run", "--nv", *given, named, *([command] if command else [])])
