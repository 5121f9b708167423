"""Lines and words about containers for the engine that the text shows: what Docker is told means nothing to Podman, Apptainer or Enroot.

Options by the manuals of podman-run(1), apptainer-exec(1) and of pyxis, the plugin of Slurm for Enroot.
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
# What a container of Apptainer and Enroot shares with the host anyway.
_LIMITS = ("--shm-size", "--ipc=", "--ulimit", "--memory", "--cap-add", "--entrypoint", "--device", "--restart", " -d ")
_RUN = Pattern(r"docker run(?: --rm| -it| --gpus[= ]all| --runtime[= ]nvidia)*((?: -[ev] \S+)*) (\S+)(?: (.+))?\Z")
_OF_DOCKER = ("--gpus", "--runtime=docker", "Container Toolkit", "container toolkit")


def engine(shown: Collection[str]) -> str:
    """The engine that runs the reader's containers, where it is not Docker; '' otherwise."""
    found = next((name for name in _PRECEDENCE if name in shown), "")
    return "" if found == "podman" and "docker" in shown else found


def lines_for(lines: Iterable[str], engine: str) -> list[str]:
    """The lines to paste as the engine takes them, each once; those that it has no counterpart for are left out."""
    return list(dict.fromkeys(found for line in lines if (found := _line(engine, line)))) if engine else list(lines)


def words_for(text: str, engine: str) -> str:
    """A sentence with the option that gives a container its GPUs."""
    instead = {"apptainer": "--nv", "podman": "--device nvidia.com/gpu=all"}.get(engine)
    return text.replace("--gpus all", instead) if instead else text


def is_of_docker(text: Mapping[str, Any]) -> bool:
    """Whether a fix that a rule brings tells how Docker is given GPUs."""
    told = str([text.get("title"), text.get("detail"), text.get("commands")])
    return any(word in told for word in _OF_DOCKER)


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
