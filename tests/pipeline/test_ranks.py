"""Logs of many ranks at once: the first rank to fail is the root cause, what the others report follows from it.

The logs are composed: every rank prints its own lines in order, a seeded shuffle interleaves the ranks, the launcher speaks last.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from triage.pipeline import explain
from triage.report.model import Diagnosis

RANKS = 8
Format = Callable[[int, str], str]

FORMATS: dict[str, Format] = {
    "torchrun": lambda rank, text: f"[rank{rank}]: {text}",
    "torchrun --tee": lambda rank, text: f"[default{rank}]:{text}",
    "srun -l": lambda rank, text: f"{rank}: {text}",
    "Open MPI": lambda rank, text: f"[1,{rank}]<stderr>: {text}",
    "Ray": lambda rank, text: f"(RayTrainWorker pid={4100 + rank}, ip=10.0.0.{5 + rank}) {text}",
    "kubectl --prefix": lambda rank, text: f"[pod/train-worker-{rank}/pytorch] [rank{rank}]: {text}",
}


def _oom(rank: int) -> list[str]:
    return [
        "Traceback (most recent call last):",
        '  File "/app/train.py", line 212, in <module>',
        "    main()",
        '  File "/app/train.py", line 174, in main',
        "    loss.backward()",
        f"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.95 GiB. GPU {rank} has a total capacity of 79.10 GiB of which "
        "812.00 MiB is free. Including non-PyTorch memory, this process has 78.30 GiB memory in use. Of the allocated memory 75.10 GiB is "
        "allocated by PyTorch, and 1.20 GiB is reserved by PyTorch but unallocated.",
    ]


def _assert(rank: int) -> list[str]:
    return [
        *(
            f"../aten/src/ATen/native/cuda/Indexing.cu:1289: indexSelectLargeIndex: block: [{rank},0,0], thread: [{thread},0,0] Assertion "
            "`srcIndex < srcSelectDimSize` failed."
            for thread in range(64, 67)
        ),
        "Traceback (most recent call last):",
        '  File "/app/train.py", line 160, in main',
        "    loss = model(batch).loss",
        "RuntimeError: CUDA error: device-side assert triggered",
        "CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.",
    ]


def _waits(rank: int) -> list[str]:
    return [
        f"[E1107 04:18:0{rank}.118230991 ProcessGroupNCCL.cpp:632] [Rank {rank}] Watchdog caught collective operation timeout: "
        f"WorkNCCL(SeqNum=4107, OpType=ALLREDUCE, NumelIn=5120, NumelOut=5120, Timeout(ms)=600000) ran for 60001{rank} milliseconds before "
        "timing out.",
        f"[E1107 04:18:0{rank}.218230991 ProcessGroupNCCL.cpp:684] [Rank {rank}] Some NCCL operations have failed or timed out. Due to the "
        "asynchronous nature of CUDA kernels, subsequent GPU operations might run on corrupted/incomplete data.",
        f"[E1107 04:18:0{rank}.318230991 ProcessGroupNCCL.cpp:698] [Rank {rank}] To avoid data inconsistency, we are taking the entire "
        "process down.",
    ]


def _loses_its_peer(rank: int) -> list[str]:
    return [
        "Traceback (most recent call last):",
        '  File "/app/train.py", line 188, in main',
        "    dist.barrier(group=gloo)",
        "RuntimeError: [/pytorch/third_party/gloo/gloo/transport/tcp/pair.cc:534] Connection closed by peer "
        f"[10.0.0.{5 + rank}]:4021{rank}",
    ]


def _loses_its_remote(rank: int) -> list[str]:
    return [
        "torch.distributed.DistBackendError: NCCL error in: /pytorch/torch/csrc/distributed/c10d/NCCLUtils.hpp:268, remote process exited "
        "or there was a network error, NCCL version 2.21.5",
        "ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.",
    ]


def _trains(rank: int) -> list[str]:
    return [f"step {step}: loss {4.2 - 0.01 * step + 0.001 * rank:.3f}, 3.1 s/step" for step in range(40, 43)]


def _torchrun(failed: int, killed: bool) -> list[str]:
    source = "torch/distributed/elastic/multiprocessing/api.py"
    return [
        *(f"W1107 04:19:11.030000 4090 {source}:897] Sending process {4100 + rank} closing signal SIGTERM" for rank in _others(failed)),
        f"E1107 04:19:12.714000 4090 {source}:869] failed (exitcode: {-9 if killed else 1}) local_rank: {failed} (pid: {4100 + failed}) "
        "of binary: /usr/bin/python3",
    ]


def _srun(failed: int, killed: bool) -> list[str]:
    return [
        f"srun: error: gpu-node-07: task {failed}: {'Killed' if killed else 'Exited with exit code 1'}",
        "srun: Terminating StepId=88120.0",
        "slurmstepd: error: *** STEP 88120.0 ON gpu-node-07 CANCELLED AT 2025-11-07T04:19:12 ***",
        *(f"srun: error: gpu-node-07: task {rank}: Terminated" for rank in _others(failed)),
    ]


def _mpirun(failed: int, killed: bool) -> list[str]:
    if killed:
        return [f"mpirun noticed that process rank {failed} with PID {4100 + failed} on node gpu-node-07 exited on signal 9 (Killed)."]
    return [
        "mpirun detected that one or more processes exited with non-zero status, thus causing the job to be terminated. The first process "
        "to do so was:",
        "",
        f"  Process name: [[48121,1],{failed}]",
        "  Exit code:    1",
    ]


def _ray(failed: int, killed: bool) -> list[str]:
    ended = [f"(raylet) Worker {rank} was terminated: SIGTERM" for rank in _others(failed)]
    if not killed:
        return [f"(TorchTrainer pid=4090) Worker {failed} has failed.", *ended]
    return [
        "ray.exceptions.OutOfMemoryError: Task was killed due to the node running low on memory.",
        f"Memory on the node (IP: 10.0.0.{5 + failed}, ID: 5b1f) where the task (actor ID: 0a11, name=_RayTrainWorker__execute.get_next, "
        f"pid={4100 + failed}, memory used=410.22GB) was running was 498.40GB / 503.00GB (0.990855), which exceeds the memory usage "
        "threshold of 0.95.",
        *ended,
    ]


LAUNCHERS = {"srun -l": _srun, "Open MPI": _mpirun, "Ray": _ray}


def _others(failed: int) -> list[int]:
    return [rank for rank in range(RANKS) if rank != failed]


def _greeting(form: str) -> list[str]:
    """What a launcher prints before any rank: Ray's labels name processes, so it lists their ranks."""
    if form != "Ray":
        return []
    workers = [
        f"(node_id=5b1f, ip=10.0.0.{5 + rank}, pid={4100 + rank}) world_rank={rank}, local_rank=0, node_rank={rank}"
        for rank in range(RANKS)
    ]
    return [
        "(TorchTrainer pid=4090) Started distributed worker processes: ",
        *(f"(TorchTrainer pid=4090) - {worker}" for worker in workers),
    ]


def _log(form: str, kind: str, seed: int) -> tuple[str, int]:
    """A log and the rank that failed first."""
    chance = random.Random(f"{form} {kind} {seed}")
    failed = chance.randrange(RANKS)
    queues = []
    for rank in range(RANKS):
        speaks = ENDS[kind] if rank == failed else chance.choice([_waits, _waits, _loses_its_peer, _loses_its_remote])
        ending = speaks(rank) if speaks is not None else []
        queues.append([FORMATS[form](rank, text) for text in _trains(rank) + ending])
    lines = []
    while any(queues):
        queue = chance.choice([queue for queue in queues if queue])
        for _ in range(chance.randint(1, 3)):
            if queue:
                lines.append(queue.pop(0))
    return "\n".join(_greeting(form) + lines + LAUNCHERS.get(form, _torchrun)(failed, kind == "sigkill")), failed


ENDS: dict[str, Callable[[int], list[str]] | None] = {"oom": _oom, "assert": _assert, "sigkill": None}
ROOTS = {"oom": "memory.gpu-oom", "assert": "kernel.device-assert", "sigkill": "memory.host-oom"}


def _explain(form: str, kind: str, seed: int) -> tuple[list[Diagnosis], int, str]:
    text, failed = _log(form, kind, seed)
    return list(explain(text).diagnoses), failed, text


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", sorted(ROOTS))
@pytest.mark.parametrize("form", sorted(FORMATS))
def test_the_first_to_fail_is_the_root(form: str, kind: str, seed: int) -> None:
    diagnoses, failed, text = _explain(form, kind, seed)
    root, *others = diagnoses
    assert root.family == ROOTS[kind], text
    assert root.facts.get("rank") == failed, text
    assert {other.family.split(".")[0] for other in others} == {"distributed"}, text
    for other in others:
        assert other.consequence_of is not None, (other.id, text)
