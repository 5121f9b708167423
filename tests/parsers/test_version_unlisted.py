"""Versions of software that no list knows."""

from __future__ import annotations

import pytest
from parser_support import versions

NAMED = [
    ("NNI version: 1.7\nNNI mode: local", "nni", "1.7"),
    ("- Kubeflow version: build version 0.7.0", "kubeflow", "0.7.0"),
    ("TensorFlow Serving version: 2.2.0", "tensorflow-serving", "2.2.0"),
    ("Haystack version (commit or version number): v0.5.0", "haystack", "0.5.0"),
    ("Foolib version used: 0.24.0", "foolib", "0.24.0"),
    ("Mapper version you tried to install: 1.9.2", "mapper", "1.9.2"),
    ("ONNX Runtime version: tried both 1.3.0 and 1.4.0", "onnxruntime", "1.3.0"),
    ("version of gridpack: 3.4.1", "gridpack", "3.4.1"),
    ("The version of my agents is 0.10.1 here.", "agents", "0.10.1"),
    ("I am using the 0.18.5 version of ktrain on a T2000.", "ktrain", "0.18.5"),
    ("Anyone with PowerAI 1.6.1 on these machines?", "powerai", "1.6.1"),
    ("It began with GluonX v0.9 and stays.", "gluonx", "0.9"),
    ("import mesher\nRuntimeError: CUDA error\nThis is mesher 1.2.3.", "mesher", "1.2.3"),
    ("My asteroids version is 0.3.4", "asteroids", "0.3.4"),
    ("MXNet version: cu101mkl 1.5.0", "mxnet", "1.5.0"),
    ("Anyone on Kubeflow v 0.5.0 with this?", "kubeflow", "0.5.0"),
    ("I use openposer-1.3.0-win64-cpu-binaries.zip", "openposer", "1.3.0"),
    ("macOS Mojave 10.14.5", "macos", "10.14.5"),
]
NOT_NAMED = [
    "We saw it in 0.8.6 and since 0.9.1.",
    "Started at 10.0.0.5 and Server 192.168.1.20 answers.",
    "Section 2.3.4 of the manual and Figure 1.2.3",
    "Linux node17 5.8.14-050814-generic #20 SMP",
    "GCC version: (Red Hat 4.8.5-11)",
    "Downloading PyFoo-1.7.1-py2.py3-none-any.whl",
    "Epoch 1.2.3 Loss 0.5.1",
    "0x7fff8db7b000 libxyz.dylib (2422.90.20) <EF476345>",
    "Speed 1.2.3 ms and Adam 0.9",
    "Released 1.2.3%",
    "cudart-1.3.0-linux-x64.tgz",
    "My current version is 0.3.4",
    "launch --model-path ada/Mini-7B-Instruct-v0.2 --tp 2",
    "general.name str = Mini Chat v1.0",
    "connect ECONNREFUSED v0.18.0",
    "v2.13.0-rc2-7-g1cb1a030a62 2.13.0",
]


@pytest.mark.parametrize(("text", "package", "version"), NAMED)
def test_named(text, package, version):
    assert versions(text).get(package) == version


@pytest.mark.parametrize("text", NOT_NAMED)
def test_not_named(text):
    known = {"linux", "gcc", "kernel", "tensorflow"}
    assert not set(versions(text)) - known


def test_nothing_gives_way_to_them():
    """A name that a list has is not taken again for something else."""
    assert versions("PyTorch version: 2.1.0\nCUDA version: 12.1") == {"torch": "2.1.0", "cuda": "12.1"}


def test_numbers_of_a_configuration_are_no_versions():
    text = '{\n  "_diffusers_version": "0.15.0",\n  "beta_end": 0.012,\n  "clip_sample_range": 1.0,\n  "steps_offset": 0\n}\n'
    assert versions(text) == {"diffusers": "0.15.0"}
