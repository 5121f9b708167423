"""Values as logs print them, turned into typed values: bytes, milliseconds, versions, devices, dtypes.

Sizes are bytes as integers. PyTorch, TensorFlow and the driver print binary units under both
spellings ("GiB" and "GB"), so `GB` is read as 2**30 here; a source known to be decimal says so with
`parse_bytes(text, decimal=True)`.
"""

from __future__ import annotations

import re

from triage.engine.values import Version

_UNIT_POWER = {"": 0, "b": 0, "byte": 0, "bytes": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}
_SIZE = re.compile(r"\s*([0-9][0-9,]*\.?[0-9]*)\s*([A-Za-z]*)\s*\Z")
_DURATION_MS = {
    "ms": 1, "msec": 1, "milliseconds": 1, "millisecond": 1,
    "us": 0.001, "ns": 1e-6,
    "": 1000, "s": 1000, "sec": 1000, "secs": 1000, "second": 1000, "seconds": 1000,
    "m": 60_000, "min": 60_000, "mins": 60_000, "minute": 60_000, "minutes": 60_000,
    "h": 3_600_000, "hour": 3_600_000, "hours": 3_600_000,
}  # fmt: skip
_DECIMAL_COMMA = re.compile(r"\d+,(?:\d{1,2}|\d{4,})\Z")
_CLOCK = re.compile(r"(?:(\d+) days?, )?(\d+):(\d\d):(\d\d)(?:\.(\d+))?\Z")
_VERSION = re.compile(r"v?(\d+(?:\.\d+)*)")
_DRIVER_BRANCHES = range(300, 1000)
_WINDOWS_DRIVER = re.compile(r"\d{1,2}\.\d{1,2}\.1(\d)\.(\d{4})\Z")
_COMPACT_CUDA = re.compile(r"(?:cu|cuda)?[-_]?(\d{2})(\d)\Z")

_DTYPES = {
    "half": "float16", "fp16": "float16", "float16": "float16", "f16": "float16",
    "float": "float32", "fp32": "float32", "float32": "float32", "f32": "float32",
    "double": "float64", "fp64": "float64", "float64": "float64",
    "bfloat16": "bfloat16", "bf16": "bfloat16",
    "long": "int64", "int64": "int64", "int": "int32", "int32": "int32", "short": "int16", "int16": "int16",
    "char": "int8", "int8": "int8", "byte": "uint8", "uint8": "uint8", "bool": "bool",
    "float8_e4m3fn": "float8_e4m3fn", "fp8e4nv": "float8_e4m3fn", "float8_e5m2": "float8_e5m2", "fp8e5": "float8_e5m2",
    "complexfloat": "complex64", "complexdouble": "complex128", "complexhalf": "complex32",
}  # fmt: skip


def _count(text: str) -> float:
    """`"1,048,576"` → 1048576.0 and `"7,5"` → 7.5: a comma before other than three digits is a decimal one."""
    return float(text.replace(",", "." if _DECIMAL_COMMA.match(text) else ""))


def parse_bytes(text: str, decimal: bool = False) -> int | None:
    """`"6.00 GiB"` → 6442450944; `"704.00 KiB"` → 720896; a bare number is bytes. None when it is no size."""
    match = _SIZE.match(text)
    if not match:
        return None
    unit = match.group(2).lower()
    base = 1000 if decimal and "i" not in unit else 1024
    stem = unit if unit in _UNIT_POWER else unit.removesuffix("ytes").removesuffix("bytes").removesuffix("ib").removesuffix("b")
    power = _UNIT_POWER.get(stem)
    if power is None:
        return None
    return round(_count(match.group(1)) * float(base**power))


def parse_duration_ms(text: str) -> int | None:
    """`"1800000ms"`, `"30 seconds"`, `"0:10:00"`, `"1 day, 0:00:00"` → milliseconds. A bare number is seconds."""
    text = text.strip()
    clock = _CLOCK.match(text)
    if clock:
        days, hours, minutes, seconds = (int(clock.group(i) or 0) for i in range(1, 5))
        fraction = int((clock.group(5) or "0")[:3].ljust(3, "0"))
        return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + fraction
    match = _SIZE.match(text)
    if not match or match.group(2).lower() not in _DURATION_MS:
        return None
    return round(_count(match.group(1)) * _DURATION_MS[match.group(2).lower()])


def parse_version(text: str) -> Version | None:
    """`"v2.1.0+cu118"` → Version(2, 1, 0). A local suffix and pre-release letters are dropped."""
    match = _VERSION.match(text.strip())
    return Version(int(part) for part in match.group(1).split(".")) if match else None


def format_version(version: Version) -> str:
    """A version as its program prints it: NVIDIA writes the numbers after a driver's branch with two digits (535.183.01)."""
    if version and version[0] in _DRIVER_BRANCHES:
        return ".".join(f"{part:02}" for part in version)
    return str(version)


def parse_cuda_version(text: str) -> Version | None:
    """`"cu118"` → 11.8, `"12.4"` → 12.4, `"12040"` and `"9010"` (the API's integers) → 12.4 and 9.1."""
    text = text.strip().lower()
    compact = _COMPACT_CUDA.match(text)
    if compact:
        return Version((int(compact.group(1)), int(compact.group(2))))
    if text.isdigit() and len(text) in (4, 5):
        minor = int(text) % 1000 // 10
        if minor and minor % 10 == 0:  # "10200", typed anew: no minor has two digits
            minor //= 10
        return Version((int(text) // 1000, minor))
    return parse_version(text.removeprefix("cuda").removeprefix("cu").lstrip("-_ "))


def parse_cudnn_version(text: str) -> Version | None:
    """`"8.9.2"` and the API's integers `"8902"` (until cuDNN 8) and `"91300"` (from 9 on) → 8.9.2, 8.9.2, 9.13.0."""
    text = text.strip()
    if text.isdigit() and len(text) in (4, 5):
        number = int(text)
        unit = 1000 if len(text) == 4 else 10_000
        return Version((number // unit, number % unit // 100, number % 100))
    return parse_version(text)


def parse_driver_version(text: str) -> Version | None:
    """A release of NVIDIA's driver; Windows hides it in the last five digits: `"23.21.13.9135"` → 391.35, `"32.0.15.6094"` → 560.94."""
    windows = _WINDOWS_DRIVER.match(text.strip())
    if windows:
        digits = windows.group(1) + windows.group(2)
        return Version((int(digits[:3]), int(digits[3:])))
    return parse_version(text)


def parse_device(text: str) -> str:
    """`"GPU 1"`, `"cuda:1"`, `"CUDA:1"` and candle's `"Cuda { gpu_id: 1 }"` → `"cuda:1"`; `"cpu"` and MXNet's `"gpu(1)"` stay."""
    text = text.strip().strip("'\"").lower().replace(" { gpu_id: ", ":").rstrip(" }")
    if text.startswith("gpu") and not text.startswith("gpu("):
        index = text[3:].lstrip(" :")
        return f"cuda:{index}" if index.isdigit() else "cuda"
    return text


def normal_dtype(text: str) -> str:
    """The name torch gives a dtype: `"Half"`, `"c10::Half"`, `"torch.cuda.HalfTensor"` → `"float16"`.

    An unknown name comes back in lower case.
    """
    name = text.strip().strip("'\"").rsplit("::", 1)[-1].rsplit(".", 1)[-1]
    name = name.removesuffix("Tensor").lower().removeprefix("c10_")
    return _DTYPES.get(name, name)


def format_bytes(size: float) -> str:
    """Bytes as PyTorch prints them, two decimals and binary units: `"5.64 GiB"`."""
    sign, size = ("-", -size) if size < 0 else ("", size)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024 or unit == "GiB":
            break
        size /= 1024
    return f"{sign}{size:.0f} B" if unit == "B" else f"{sign}{size:.2f} {unit}"
