"""Asks an interpreter what it has: run as a program of its own, under the interpreter in question.

Only the standard library is imported at the top, and torch is asked in this child process, never in the caller's.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import shutil
import sys
import sysconfig
from typing import Any

PACKAGES = ("accelerate", "bitsandbytes", "flash-attn", "jax", "numpy", "nvidia-ml-py", "peft", "torch", "transformers", "triton", "vllm")
TOOLS = ("g++", "gcc", "ninja", "nvcc", "uv")
HEADERS = ("Python.h",)


def _is_header(name: str) -> bool:
    return os.path.exists(os.path.join(sysconfig.get_path("include"), name))


def probe() -> dict[str, Any]:
    """Versions of packages, tools on the path, and what torch says of its build and its GPUs."""
    versions = {}
    for name in PACKAGES:
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    found: dict[str, Any] = {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "versions": versions,
        "tools": [tool for tool in TOOLS if shutil.which(tool)] + [header for header in HEADERS if _is_header(header)],
        "gpus": [],
    }
    if "torch" in versions:
        try:
            found["torch"] = _ask_torch()
            found["gpus"] = found["torch"].pop("gpus")
        except Exception as error:  # an installation can be broken in any way, and that is an answer
            found["torch_error"] = f"{type(error).__name__}: {error}"[:500]
    return found


def _ask_torch() -> dict[str, Any]:
    import torch

    gpus = []
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    names = visible.split(",") if visible else [str(index) for index in range(torch.cuda.device_count())]
    if torch.cuda.is_available():
        for index in range(torch.cuda.device_count()):
            properties = torch.cuda.get_device_properties(index)
            free, total = torch.cuda.mem_get_info(index)
            gpus.append(
                {
                    "index": index,
                    "visible_as": names[index] if index < len(names) else str(index),
                    "uuid": str(getattr(properties, "uuid", "")),
                    "name": properties.name,
                    "capability": f"{properties.major}.{properties.minor}",
                    "total_bytes": total,
                    "free_bytes": free,
                }
            )
    distributed = torch.distributed.is_available()
    return {
        "version": torch.__version__,
        "cuda": torch.version.cuda,
        "hip": torch.version.hip,
        "gloo": distributed and bool(getattr(torch.distributed, "is_gloo_available", lambda: True)()),
        "nccl": distributed and bool(torch.distributed.is_nccl_available()),
        "gpus": gpus,
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--result", required=True)
    with open(parser.parse_args().result, "w", encoding="utf-8") as file:
        json.dump({"outcome": "passed", "measurements": probe()}, file)
    sys.stdout.flush()
