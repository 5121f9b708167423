"""Arms as forks of one interpreter that has imported torch: importing it takes longer than most arms do.

Only tests do so, and only for arms that do not care how the interpreter was started. Each is still a process of its own, in its own
session, that runs the whole program; `TRIAGE_VERIFY_ALL` starts an interpreter for each, as `triage verify` does.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any

from triage.verify import runner

COLD = ("compile.", "data.", "distributed.", "env.", "memory.host", "version.")
"""Families whose arms start processes, or set variables that are read when torch is imported."""

SERVER = """
import os, socket, sys, traceback, types

import torch
import torch._dynamo  # what fake tensors and optimizers import when they are first used


def run(request, output):
    os.setsid()
    for number in (1, 2):
        os.dup2(output, number)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    sys.argv = request["command"][1:]
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    main.__file__ = sys.argv[0]
    status = 0
    try:
        exec(compile(open(main.__file__).read(), main.__file__, "exec"), main.__dict__)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException as error:
        traceback.print_exception(error.with_traceback(error.__traceback__.tb_next))  # without the frame of this server
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


asked = socket.socket(fileno=int(sys.argv[1]))
while True:
    text, descriptors, _, _ = socket.recv_fds(asked, 1 << 20, 1)
    if not text:
        break
    import json

    request = json.loads(text)
    if "status_of" in request:
        pid, status = os.waitpid(request["status_of"], os.WNOHANG)
        asked.send(json.dumps(os.waitstatus_to_exitcode(status) if pid else None).encode())
        continue
    child = os.fork()
    if not child:
        run(request, descriptors[0])
    os.close(descriptors[0])
    asked.send(json.dumps(child).encode())
"""


class WarmInterpreter:
    """Starts programs as `subprocess.Popen` would, those that may be warm as forks."""

    def __init__(self) -> None:
        self._here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._one_at_a_time = threading.Lock()
        self._cold = subprocess.Popen
        environment = runner.clean_environment(os.getcwd(), "warm") | {"CUDA_VISIBLE_DEVICES": "", "HIP_VISIBLE_DEVICES": ""}
        self._server = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(there.fileno())], pass_fds=[there.fileno()], env=environment, stdin=subprocess.DEVNULL
        )
        there.close()

    def popen(self, command: list[str], **options: Any) -> Any:
        name = Path(command[1]).name if len(command) > 1 else ""
        if command[0] != sys.executable or name.startswith((*COLD, "probe")) or "import torch" not in Path(command[1]).read_text():
            return self._cold(command, **options)
        return WarmProcess(self, {"command": command, "cwd": options["cwd"], "env": options["env"]})

    def ask(self, request: dict[str, Any], *descriptors: int) -> Any:
        with self._one_at_a_time:
            socket.send_fds(self._here, [json.dumps(request).encode()], descriptors)
            return json.loads(self._here.recv(1 << 16))

    def close(self) -> None:
        self._here.close()
        self._server.wait()


class WarmProcess:
    """What the runner uses of a `subprocess.Popen`."""

    def __init__(self, interpreter: WarmInterpreter, request: dict[str, Any]) -> None:
        read, write = os.pipe()
        self.stdout: IO[bytes] = os.fdopen(read, "rb", buffering=0)
        self._interpreter = interpreter
        self.returncode: int | None = None
        self.pid: int = interpreter.ask(request, write)
        os.close(write)

    def poll(self) -> int | None:
        if self.returncode is None:
            self.returncode = self._interpreter.ask({"status_of": self.pid})
        return self.returncode

    def wait(self) -> int:
        while self.poll() is None:
            time.sleep(0.01)
        assert self.returncode is not None
        return self.returncode
