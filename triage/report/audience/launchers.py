"""Lines that start a job, in the words of the launcher that the text shows: torchrun's options mean nothing to srun or deepspeed.

Options by torch/distributed/run.py, accelerate/commands/launch.py, deepspeed/launcher/runner.py, horovod/runner/launch.py, the manuals of
srun(1) and mpirun(1), accelerate/utils/dataclasses.py (DeepSpeedPlugin), the usage of MPICH's Hydra, which Intel MPI and MVAPICH share,
and Ray's pages on runtime environments: actors inherit no variable of the shell that the
driver was started in. Open MPI hands variables on by -x and Hydra by -genv; env(1) serves both.
"""

from __future__ import annotations

import json

from triage.reading.lazy import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import Final

# Those that start others stand before what they start: accelerate runs torchrun inside, a Slurm job may run any of them.
_PRECEDENCE: Final = ("accelerate", "deepspeed", "torchrun", "ray", "horovod", "mpich", "mpi", "slurm")
# How each starts a program, what gives every rank a log of its own, and what names the port that they meet at.
_START: Final = {
    "accelerate": "accelerate launch", "deepspeed": "deepspeed", "horovod": "horovodrun -np 8 python", "mpi": "mpirun -np 8 python",
    "mpich": "mpiexec -n 8 python", "slurm": "srun python",
}  # fmt: skip
# How each is called where a line has only the place for it.
STARTS: Final = {"torchrun": "torchrun ", "accelerate": "accelerate launch ", "deepspeed": "deepspeed "}
# How one program alone is started so that every rank of it has some variables; torchrun takes as many ranks as GPUs are visible.
_WITH_VARIABLES: Final = {
    "accelerate": "{variables} accelerate launch", "deepspeed": "{variables} deepspeed", "horovod": "{variables} horovodrun -np 8 python",
    "torchrun": "{variables} torchrun --nproc-per-node=gpu", "mpi": "mpirun -np 8 env {variables} python",
    "mpich": "mpiexec -n 8 env {variables} python",
    "slurm": "srun --export=ALL,{list} python",
    "ray": "ray job submit --runtime-env-json '{json}' -- python",
}  # fmt: skip
_LOGS: Final = {
    "accelerate": "accelerate launch --log_dir logs --tee 3",
    "deepspeed": "deepspeed --enable_each_rank_log logs",
    "horovod": "horovodrun --output-filename logs -np 8 python",
    "mpi": "mpirun --output-filename logs -np 8 python",
    "mpich": "mpiexec -outfile-pattern rank-%r.log -errfile-pattern rank-%r.log -n 8 python",
    "slurm": "srun --output=rank-%t.log python",
}
_PORT: Final = {
    "accelerate": "accelerate launch --main_process_port ",
    "deepspeed": "deepspeed --master_port ",
    "mpi": "mpirun -np 8 env MASTER_PORT=",
    "mpich": "mpiexec -n 8 env MASTER_PORT=",
    "slurm": "srun --export=ALL,MASTER_PORT=",
}
_LOGS_OF_RAY: Final = "grep -n -m 3 -iE 'error|out of memory|NCCL WARN' /tmp/ray/session_latest/logs/worker-*"
_TORCHRUN = Pattern(
    r"((?:[A-Z][A-Z0-9_]*=\S+ )*)torchrun((?: --log-dir logs --redirects 3 --tee 3)?)(?: --master-port ([0-9]+))?"
    r"(?: --nproc-per-node=(?:[0-9]+|gpu))? (train\.py|…(?:, .+)?)\Z"
)
# A variable that the ranks read; those for one GPU alone, for builds and with parts of others are left as they are.
_VARIABLE = r"(?!CUDA_VISIBLE_DEVICES|CUDA_HOME|TORCH_CUDA_ARCH_LIST|MAX_JOBS|LD_)[A-Z][A-Z0-9_]*=[\w.,:;/+-]+"
_PROGRAM = Pattern(rf"((?:{_VARIABLE} )+)python (?:-X faulthandler )?(train\.py.*)\Z")
_SETTING = Pattern(r"export ((?:(?:NCCL|RCCL|GLOO|TORCH|PYTORCH|CUDA_LAUNCH|XLA|HSA|AMD)_[A-Z0-9_]*=[\w.,:;/+-]+(?: |\Z))+)\Z")
_ONE_GPU = Pattern(r"CUDA_VISIBLE_DEVICES=\S* python train\.py")
_CHECKED = Pattern(r"compute-sanitizer [^|;&]*?(?=python train\.py)")


def launcher(shown: Collection[str]) -> str:
    """The one of the launchers shown that started the program; '' where none is."""
    return next((name for name in _PRECEDENCE if name in shown), "")


def lines_for(lines: Iterable[str], launcher: str) -> list[str]:
    """The lines to paste, each once: those of torchrun in the words of another launcher, where it has a counterpart."""
    return list(dict.fromkeys(found for line in lines if (found := _line(launcher, line))))


def in_its_configuration(lines: Iterable[str]) -> list[str]:
    """The lines with DeepSpeed's settings as Accelerate's own file names them."""
    return [own for line in lines for own in (_settings(line) if line.startswith('"zero_optimization": {') else [line])]


def _settings(line: str) -> list[str]:
    given = json.loads(f"{{{line}}}")["zero_optimization"]
    moved = ((part, given[part]["device"]) for part in ("offload_optimizer", "offload_param") if part in given)
    return [f"zero_stage: {given['stage']}", *(f"{part}_device: {device}" for part, device in moved)]


def _line(name: str, line: str) -> str:
    """A line in the words of a launcher; '' for one that it has no counterpart for."""
    found = _TORCHRUN.match(line) if name not in ("", "torchrun") else None
    if found is None:
        return _with_variables(name, line) if name else line
    variables, logs, port, program = found.groups()
    if name == "ray":
        return _LOGS_OF_RAY if logs else ""
    if port and name in _PORT:  # Horovod finds ports by itself
        return f"{variables}{_PORT[name]}{port}{' python' if name in ('mpi', 'mpich', 'slurm') else ''} {program}"
    return f"{variables}{(_LOGS if logs else _START)[name]} {program}"


def _with_variables(name: str, line: str) -> str:
    """A line that starts the program alone, so that it reaches every rank."""
    if name == "ray" and (_ONE_GPU.match(line) or _CHECKED.match(line)):  # Ray chooses GPU and process of each actor
        return ""
    started = {"mpi": "mpirun -np 8 ", "mpich": "mpiexec -n 8 ", "slurm": "srun "}.get(name)
    if started and _CHECKED.match(line):
        return started + line
    found = _PROGRAM.match(line)
    setting = _SETTING.match(line) if name == "ray" else None
    if name not in _WITH_VARIABLES or not (found or setting):
        return line
    variables, program = (found[1].split(), found[2]) if found else (str(setting and setting[1]).split(), "train.py")
    pairs = ", ".join('"{}": "{}"'.format(*variable.split("=", 1)) for variable in variables)
    start = _WITH_VARIABLES[name].format(variables=" ".join(variables), list=",".join(variables), json=f'{{"env_vars": {{{pairs}}}}}')
    return f"{start} {program}"
