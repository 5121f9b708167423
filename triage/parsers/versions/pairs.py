"""Messages that name two versions of one library: the one a program was built with, and the one it found."""

from __future__ import annotations

import re

from triage.parsers.versions.packages import PRINTED, SAID
from triage.reading.lazy import Pattern

_TUPLE = r"\(?(?P<{}>[0-9]{{1,2}}, [0-9]{{1,3}}, [0-9]{{1,3}})\)?"
_NUMBER = r"(?P<{}>[0-9]{{3,6}}\b|[0-9]{{1,2}}(?:\.[0-9]{{1,5}}){{1,3}})"
_BUILT, _FOUND = _NUMBER.format("built"), _NUMBER.format("found")

# How programs tell of two versions of one library: literal, pattern with the one `built` against and the one `found`, the library
# ('' where `name` is it), how surely it is the one in use, and the words that the message itself has for the two.
PAIRS = (
    (
        "found runtime version ",
        Pattern(
            rf"compiled\s{{1,40}}against {_TUPLE.format('built')}\s{{1,40}}but\s{{1,40}}found runtime version {_TUPLE.format('found')}"
        ),
        "cudnn",
        PRINTED + 1,
        "found compiled",
    ),
    (
        "but linked against ",
        Pattern(rf"PyTorch was compiled against {_BUILT} but linked against {_FOUND}"),
        "cudnn",
        PRINTED + 1,
        "linked compiled",
    ),
    (
        "but linked against ",
        Pattern(rf"PyTorch was compiled against {_TUPLE.format('built')} but linked against {_TUPLE.format('found')}"),
        "cudnn",
        PRINTED + 1,
        "linked compiled",
    ),
    (
        "CuDNN library: ",
        Pattern(rf"CuDNN library: {_FOUND}[^\n]{{0,40}}? but source was compiled with:? {_BUILT}"),
        "cudnn",
        PRINTED + 1,
        "loaded compiled",
    ),
    (
        "cudnn library: ",
        Pattern(rf"cudnn library: {_FOUND} but source was compiled against {_BUILT}"),
        "cudnn",
        PRINTED + 1,
        "loaded compiled",
    ),
    (
        "Runtime torch version",
        Pattern(rf"Install torch version={_BUILT}, Runtime torch version={_FOUND}"),  # of DeepSpeed's operators
        "torch",
        PRINTED + 1,
        "",
    ),
    (
        "Runtime CUDA version",
        Pattern(rf"Install (?P<name>CUDA) version={_BUILT}, Runtime CUDA version={_FOUND}"),
        "",
        PRINTED + 1,
        "",
    ),
    (
        " (you have ",
        Pattern(
            r"^ *(?:PyTorch) +(?P<built>[0-9]\S{2,40}) with CUDA [0-9]{3,4} \(you have (?P<found>[0-9][^\s)]{2,40})\)", re.M
        ),  # xFormers
        "torch",
        PRINTED + 1,
        "",
    ),
    (
        " but linked TensorFlow ",
        Pattern(rf"Loaded (?P<name>TensorRT) {_FOUND} but linked TensorFlow against TensorRT {_BUILT}"),
        "",
        PRINTED + 1,
        "loaded linked",
    ),
    (
        "compiled with ",
        Pattern(rf"cudnn version mismatch: compiled with {_BUILT}; detected {_FOUND}"),  # MegEngine
        "cudnn",
        PRINTED + 1,
        "detected compiled",
    ),
    (
        "Found runtime version ",
        Pattern(rf"(?P<name>cuDNN) [^\n]{{1,200}}Found runtime version {_FOUND} and build version {_BUILT}"),  # JAX
        "",
        PRINTED + 1,
        "runtime build",
    ),
    (
        "but JAX was built against ",
        Pattern(rf"Found (?P<name>\w{{3,9}}) version {_FOUND}, but JAX was built against version {_BUILT}"),
        "",
        PRINTED + 1,
        "found built",
    ),
    (
        "JAX was built against: ",
        Pattern(
            rf"(?:Outdated (?P<name>\w{{3,9}}) installation found[^\n]{{0,9}}\n)?[^\n]{{0,40}}JAX was built against: {_BUILT}\n"
            rf"[^\n]{{0,40}}supported: [0-9]{{3,6}}\n[^\n]{{0,40}}Installed version: {_FOUND}"
        ),
        "",
        PRINTED + 1,
        "",
    ),
    (
        "cuDNN compiled (",
        Pattern(rf"cuDNN compiled \({_BUILT}\) and runtime \({_FOUND}\)"),
        "cudnn",
        PRINTED + 1,
        "runtime compiled",
    ),  # Caffe2
    (
        "Mixed dnn version",
        Pattern(rf"The header is version {_BUILT} while the library is version {_FOUND}"),
        "cudnn",
        PRINTED + 1,
        "library header",
    ),  # Theano
    (
        "cuDNN lib mismatch",
        Pattern(rf"linked-against version {_FOUND} != compiled-against version {_BUILT}"),
        "cudnn",
        PRINTED + 1,
        "linked compiled",
    ),  # MXNet
    (
        "Paddle is compiled with ",
        Pattern(rf"with \w{{4,6}} {_BUILT}, but (?P<name>CUDNN|CUDA|cuDNN|MIOPEN)(?: runtime)? version in your machine is {_FOUND}"),
        "",
        PRINTED + 1,
        "found compiled",
    ),
    (
        "linked against cu",
        Pattern(rf"linked against (?P<name>cu\w{{3,4}})\S*(?: LT)? {_BUILT} but loaded \S{{5,16}}(?: LT)? {_FOUND}"),
        "",
        PRINTED + 1,
        "loaded linked",
    ),
    (
        "expecting library version ",
        Pattern(rf"expecting library version {_FOUND} got {_BUILT}"),
        "tensorrt",
        SAID - 1,
        "expected serialized",
    ),  # shortened: 8.0.1 for 8.0.1.6
    (
        "compiled with NCCL version ",
        Pattern(rf"compiled with NCCL version {_BUILT}, but is running with NCCL library version {_FOUND}"),
        "nccl",
        PRINTED + 1,
        "running compiled",
    ),
)
