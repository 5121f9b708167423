"""How long a whole `triage explain` of a short traceback takes, against an interpreter that does nothing.

    python benchmarks/startup.py [-n ROUNDS] [FILE]

Both are run in turn, so that a busy machine slows both alike; medians are compared. The goal is a ratio of at most 6.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Sequence

GOAL = 6.0

# Forty lines as a user pipes them in: a progress bar, a warning, a traceback through two libraries, the message.
_FRAME = '  File "/home/ana/venv/lib/python3.11/site-packages/{module}", line {line}, in {function}\n    {code}\n'
TRACEBACK = (
    "Loading checkpoint shards: 100%|##########| 2/2 [00:05<00:00,  2.61s/it]\n"
    "trainable params: 4194304 || all params: 6742609920 || trainable%: 0.0622\n"
    "  3%|3         | 12/400 [00:31<16:52,  2.61s/it]Traceback (most recent call last):\n"
    '  File "/home/ana/llm/finetune.py", line 116, in <module>\n    main()\n'
    '  File "/home/ana/llm/finetune.py", line 80, in main\n    trainer.train()\n'
    + "".join(
        _FRAME.format(module=module, line=100 + number, function=function, code=code)
        for number, (module, function, code) in enumerate(
            [
                ("transformers/trainer.py", "train", "return inner_training_loop("),
                ("transformers/trainer.py", "_inner_training_loop", "tr_loss_step = self.training_step(model, inputs)"),
                ("transformers/trainer.py", "training_step", "loss = self.compute_loss(model, inputs)"),
                ("transformers/trainer.py", "compute_loss", "outputs = model(**inputs)"),
                ("torch/nn/modules/module.py", "_call_impl", "return forward_call(*args, **kwargs)"),
                ("accelerate/utils/operations.py", "forward", "return model_forward(*args, **kwargs)"),
                ("peft/peft_model.py", "forward", "return self.base_model("),
                ("torch/nn/modules/module.py", "_call_impl", "return forward_call(*args, **kwargs)"),
                ("transformers/models/llama/modeling_llama.py", "forward", "outputs = self.model("),
                ("torch/nn/modules/module.py", "_call_impl", "return forward_call(*args, **kwargs)"),
                ("transformers/models/llama/modeling_llama.py", "forward", "layer_outputs = decoder_layer("),
                ("torch/nn/modules/module.py", "_call_impl", "return forward_call(*args, **kwargs)"),
                ("transformers/models/llama/modeling_llama.py", "forward", "hidden_states = self.mlp(hidden_states)"),
                ("torch/nn/modules/module.py", "_call_impl", "return forward_call(*args, **kwargs)"),
                ("transformers/models/llama/modeling_llama.py", "forward", "down_proj = self.down_proj(self.act_fn(x))"),
                ("torch/nn/modules/linear.py", "forward", "return F.linear(input, self.weight, self.bias)"),
            ]
        )
    )
    + "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 172.00 MiB. GPU 0 has a total capacity of 23.64 GiB of which "
    "98.25 MiB is free. Including non-PyTorch memory, this process has 23.53 GiB memory in use. Of the allocated memory 22.91 GiB is "
    "allocated by PyTorch, and 168.13 MiB is reserved by PyTorch but unallocated.\n"
)


def console_script() -> list[str]:
    """The installed `triage` of this interpreter, or the same two lines of Python where it is not installed."""
    path = os.path.join(sysconfig.get_path("scripts"), "triage.exe" if sys.platform == "win32" else "triage")
    return [path] if os.path.exists(path) else [sys.executable, "-c", "import sys; from triage.cli import main; sys.exit(main())"]


def seconds(command: Sequence[str]) -> float:
    """Wall time of a whole process, with compiled modules as an installation has them."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, env=environment, check=True)
    return time.perf_counter() - start


def measure(rounds: int, file: str) -> tuple[float, float]:
    """Medians in seconds: of `triage explain FILE`, and of `python -c pass`."""
    explain, nothing = [*console_script(), "explain", file], [sys.executable, "-c", "pass"]
    seconds(explain)  # compiles the rules, and Python its modules, on the first run
    pairs = [(seconds(explain), seconds(nothing)) for _ in range(rounds)]
    return statistics.median(pair[0] for pair in pairs), statistics.median(pair[1] for pair in pairs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", metavar="FILE", help="a log; default: a traceback of 40 lines")
    parser.add_argument("-n", "--rounds", type=int, default=31)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = arguments.file or os.path.join(folder, "traceback.log")
        if not arguments.file:
            with open(file, "w", encoding="utf-8") as stream:
                stream.write(TRACEBACK)
        explain, nothing = measure(arguments.rounds, file)
    print(f"triage explain  {explain * 1000:6.1f} ms")
    print(f"python -c pass  {nothing * 1000:6.1f} ms")
    print(f"ratio           {explain / nothing:6.2f}  (goal: at most {GOAL:g})")


if __name__ == "__main__":
    main()
