"""Forms in which clusters list software (environment modules, Spack), and in which programs of science print what they are."""

from __future__ import annotations

import re

from triage.parsers.versions.packages import BUILD, IMPLIED, PRINTED, SAID
from triage.reading.lazy import Pattern

_NUMBER = r"(?P<v>[0-9]{1,4}(?:\.[0-9]{1,6}){1,3}(?:rc[0-9])?)(?![0-9.])"
_LOADED = r"odule load (?:[\w./+-]{{1,60}} ){{0,8}}?(?i:{})/v?(?P<v>[0-9]{{1,2}}(?:\.[0-9]{{1,3}}){{1,3}}(?:rc[0-9])?)(?![0-9.])"
# What `module list` prints: "  3) openmpi/4.1.4 (L,D)   8) Python/3.10.4-GCCcore-11.3.0"
_LISTED = Pattern(r"(?:^|\s)[0-9]{1,3}\) (?:[\w-]{2,20}/){0,2}(?P<name>[A-Za-z][\w+-]{1,30})/v?" + _NUMBER)
# What Spack prints and is asked for: "cudnn@8.9.2.26", "py-torch@2.0.1"
_SPACK = Pattern(r"(?:^|\s)(?:py-)?(?P<name>[a-z][a-z0-9-]{1,30})@=?" + _NUMBER)

CLUSTER_FORMS = (
    # the form of the GPU operator's issues, and how people tell of the device plugin
    ("Kernel Version:", Pattern(r"Kernel Version: ?`?(?P<v>[2-7]\.[0-9]{1,2}\.[0-9][\w.+-]{0,60})"), "kernel", "as printed", SAID),
    (
        "K8s Flavor/Version",
        Pattern(r"K8s Flavor/Version(?:\([^)\n]{0,60}\))?: ?[^\n0-9]{0,30}?v?(?P<v>1\.[0-9]{1,2}(?:\.[0-9]{1,2})?)(?![0-9])"),
        "kubernetes",
        "{}",
        SAID,
    ),
    (
        "lugin version",
        Pattern(r"(?i:device plugin version)[ :=-]{1,4}v?(?P<v>0\.[0-9]{1,2}\.[0-9]{1,2})"),
        "nvidia-device-plugin",
        "{}",
        SAID,
    ),
    (
        "lugin Version",
        Pattern(r"(?i:device plugin version)[ :=-]{1,4}v?(?P<v>0\.[0-9]{1,2}\.[0-9]{1,2})"),
        "nvidia-device-plugin",
        "{}",
        SAID,
    ),
    *(
        ("odule load ", Pattern(_LOADED.format(name)), name.lower(), "{}", IMPLIED)
        for name in ("CUDA", "GCC", "cuDNN", "NCCL", "OpenMPI", "Python", "UCX")
    ),
    ("oaded Modul", _LISTED, "", "{}", SAID),
    ("spack find", _SPACK, "", "{}", SAID),
    ("spack install", _SPACK, "", "{}", SAID),
    ("LAMMPS", Pattern(r"\bLAMMPS(?: version:?)?[ :]{1,2}(?P<v>20[0-9]{6}(?:\.[0-9]{1,2})?)(?![0-9])"), "lammps", "{}", PRINTED),
    (
        "LAMMPS (",
        Pattern(r"\bLAMMPS \((?P<v>[0-9]{1,2} [A-Z][a-z]{2} 20[0-9]{2})(?: - [\w ]{1,40})?\)"),
        "lammps",
        "as printed",
        PRINTED,
    ),
    ("with CUDA version ", Pattern(r"Built with CUDA version (?P<v>[0-9]{4,5})(?![0-9])"), "cuda", "cuda", BUILD),  # NAMD
    ("XMRig/", Pattern(r"\bXMRig/(?P<v>[0-9]+\.[0-9]+\.[0-9]+)"), "xmrig", "{}", PRINTED),
    ("Blender", Pattern(r"\bBlender[\\/](?P<v>[2-9]\.[0-9]{1,2})[\\/]"), "blender", "{}", IMPLIED),  # its directory of settings
    (
        "/blender/",
        Pattern(r"/\.config/blender/(?P<v>[2-9]\.[0-9]{1,2})/(?:scripts|config|extensions|datafiles)\b"),
        "blender",
        "{}",
        IMPLIED,
    ),
    # what XMRig says of its plug-in: runtime, driver and the plug-in itself, then NVML and the driver
    ("CUDA ", Pattern(r"^ ?(?:\* )?CUDA {4,12}(?P<v>[0-9]{1,2}\.[0-9])/[0-9]{1,2}\.[0-9]/[0-9]", re.M), "runtime", "{}", PRINTED),
    ("CUDA ", Pattern(r"^ ?(?:\* )?CUDA {4,12}[0-9]{1,2}\.[0-9]/(?P<v>[0-9]{1,2}\.[0-9])/[0-9]", re.M), "driver_cuda", "{}", PRINTED),
    (
        "NVML ",
        Pattern(r"^ ?\* NVML {4,12}[0-9]{1,2}\.[0-9.]{3,12}/(?P<v>[0-9]{3}(?:\.[0-9]{1,3}){1,2})(?![0-9.])", re.M),
        "driver",
        "{}",
        PRINTED,
    ),
    ("CUDA API (CUDA ", Pattern(r"CUDA API \(CUDA (?P<v>[0-9]{1,2}\.[0-9])\)"), "driver_cuda", "{}", PRINTED),  # hashcat
    ("DriverVersion: ", Pattern(r"^ {2,20}DriverVersion: (?P<v>[0-9]{1,2}\.[0-9])(?:000)?$", re.M), "driver_cuda", "{}", PRINTED),  # MATLAB
    ("ToolkitVersion: ", Pattern(r"^ {2,20}ToolkitVersion: (?P<v>[0-9]{1,2}\.[0-9])(?:000)?$", re.M), "runtime", "{}", PRINTED),
    # CUDA.versioninfo() of Julia
    ("Julia packages:", Pattern(r"Julia packages: *\n- CUDA(?:\.jl)?: (?P<v>[0-9]+(?:\.[0-9]+){1,2})"), "cuda.jl", "{}", PRINTED),
    ("CUDA driver ", Pattern(r"^CUDA driver (?P<v>[0-9]{1,2}\.[0-9])$", re.M), "driver_cuda", "{}", PRINTED),
    # /etc/nv_tegra_release, with or without the sign it begins with
    ("(release), REV", Pattern(r"\bR3(?P<v>[0-9] \(release\), REVISION: [0-9.]{1,6}[0-9])"), "l4t", "l4t", PRINTED),
)
