"""GPUs: tables of nvidia-smi, what frameworks print about devices, and product names anywhere."""

from __future__ import annotations

import re
from itertools import islice

from triage.engine.values import Value
from triage.facts import Observation
from triage.facts.quantities import parse_bytes, parse_version
from triage.parsers.product_names import is_product
from triage.parsers.products import Named, find_products
from triage.parsers.seen import observe
from triage.reading import Block, Line, Log
from triage.reading.lazy import Pattern

MAX_GPUS = 128
MAX_PROCESSES = 200
MAX_NAMES = 40  # in a report; `products` bounds what is looked for
_MIB = 1 << 20

_ROW = Pattern(
    r"\|\s{0,4}([0-9]{1,3})\s{1,4}(\S[^|]{1,60}?)\s{1,30}(?:On|Off|N/A|WDDM|TCC|MCDM|ERR!)\s{0,4}"
    r"\|\s{0,4}([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9])"
)
_USAGE = Pattern(
    r"\|\s{0,4}(?:N/A|ERR!|[0-9]{1,3}%)\s{1,6}(?:([0-9]{1,3})C|N/A|ERR!)[^|]{0,60}"
    r"\|\s{0,12}([0-9]{1,9})Mi?B\s?/\s{0,8}([0-9]{1,9})Mi?B\s{0,4}\|\s{0,8}([0-9]{1,3}%|N/A|ERR!)?"
)
_PROCESS = Pattern(
    r"\|\s{1,6}([0-9]{1,3})\s{1,8}(?:(?:N/A|[0-9]{1,3})\s{1,6}(?:N/A|[0-9]{1,3})\s{1,20})?([0-9]{1,10})\s{1,8}(?:([CGM+]{1,5})\s{1,6})?"
    r"(\S.{0,200}?)\s{1,60}(?:([0-9]{1,9})Mi?B|N/A)\s{0,12}\|"
)
_HEADER = Pattern(r"(?:Driver|KMD) Version: ([0-9.]{3,15})")
_LISTED = Pattern(
    r"GPU ([0-9]{1,3}(?:,[0-9]{1,3}){0,31})'?[:,] '?"
    r"((?:NVIDIA |Tesla |GeForce |Quadro |AMD |RTX |GTX |TITAN |A|H|B|L|V|P|T|G)[\w /+.-]{1,60}?)"
    r"(?: \(UUID: ([\w/-]{1,80})\))?\s*(?:$|[,;(|'])"
)
_TENSORFLOW = Pattern(
    r"device: ([0-9]{1,3}), name: ([^,]{1,80}), pci bus id: ([0-9A-Fa-f:.]{5,20})(?:, compute capability: ([0-9]{1,2}\.[0-9]))?"
)
_TF_PROPERTIES = Pattern(
    r"Found device ([0-9]{1,3}) with properties:[ \n]{1,2}[^\n]{0,60}?name: ([^\n]{2,60}?)"
    r"[ \n]{1,9}(?:(?:computeCapability|ROCm AMD GPU ISA): ([0-9]{1,2}\.[0-9]|gfx[0-9a-f]{3,5})|major: ([0-9]{1,2}) minor: ([0-9]))"
    r"(?:[^\n]{0,80}\n[^\n]{0,80}?deviceMemorySize: ([0-9.]{3,8}GiB)"
    r"|[^\n]{0,80}\n[^\n]{0,60}\ntotalMemory: ([0-9.]{3,8}GiB) freeMemory: ([0-9.]{3,8}[KMG]iB)"
    r"|[^\n]{0,80}\n[^\n]{0,60}\nTotal memory: ([0-9.]{3,8}GiB)\nFree memory: ([0-9.]{3,8}[KMG]iB))?"
)
_TF_MEMORY = Pattern(r"device:GPU:([0-9]{1,3}) with ([0-9]{1,9}) MB memory")
_GGML = Pattern(
    r"Device ([0-9]{1,3}): ([^,(\n]{2,80}?)(?:, compute capability ([0-9]{1,2}\.[0-9])|, (gfx[0-9a-f]{3,5})[^,\n]{0,20}"
    r"| \(([0-9A-Fa-f:.]{7,20})\)|$)"
    r"(?:.{0,40}?VRAM: ([0-9]{1,9}) ?MiB)?"
)
_PADDLE = Pattern(r"device: ([0-9]{1,3}), (?:GPU Compute|CUDA) Capability: ([0-9]{1,2}\.[0-9]|[0-9]{2})")
_DARKNET = Pattern(r"([0-9]{1,3}) : compute_capability = ([0-9]{2,4}), cudnn_half = [01], GPU: (\S.{1,60})")
_NUNCHAKU = Pattern(r"GPU ([0-9]{1,3}) \(([^()\n]{3,60})\) Memory: ([0-9.]{3,10} [MG]iB)")
_YOLO = Pattern(r"CUDA:([0-9]{1,3}) \(([^,()]{2,60}), ([0-9.]{1,10}) ?MiB?B?\)")
# ComfyUI's report of an error names the device in one item of a list and its memory in those below.
_COMFY = Pattern(
    r"\*\*Name:\*\* cuda:([0-9]{1,3}) ([^:\n]{2,80}) : \w{1,40}[ \t]*\n[^\n]{0,60}\n"
    r"[^\n]{0,20}\*\*VRAM Total:\*\* ([0-9]{1,15})[ \t]*\n[^\n]{0,20}\*\*VRAM Free:\*\* ([0-9]{1,15})"
)
# The same in its page about the system, a name and a value a line.
_COMFY_PANEL = Pattern(
    r"cuda:([0-9]{1,3}) ([^:\n]{2,80}) : \w{1,40}(?: \(\w{1,20}\))?[ \t]*\n(?:[^\n]{0,40}\n){0,4}?"
    r"[^\n]{0,12}VRAM[^\n0-9]{0,12}\s{1,3}([0-9.]{1,8} [KMG]i?B)[ \t]*\n"
    r"[^\n]{0,12}VRAM[^\n0-9]{0,12}\s{1,3}([0-9.]{1,8} [KMG]i?B)"
)
# `torch.cuda.get_device_properties`, with and without the capability; the index stands before it where a program prints it.
_PROPERTIES = Pattern(
    r"(?:device ?|cuda:?)?([0-9]{1,2})?[^\n]{0,4}?_CudaDeviceProperties\(name='([^'\n]{2,60})'(?:, major=([0-9]{1,2}), minor=([0-9]))?"
    r", total_memory=([0-9]{1,9})MB"
)
_QUERY = Pattern(  # deviceQuery of the CUDA samples
    r"Device ([0-9]{1,2}): \"([^\"\n]{2,60})\"(?:\n[^\n]{0,120}){1,3}?"
    r"\n {0,4}CUDA Capability Major/Minor version number: {1,8}([0-9]{1,2}\.[0-9])"
    r"(?:\n {0,4}Total amount of global memory: {1,30}([0-9]{1,9}) MBytes)?"
)
# clinfo, of a device of NVIDIA's; the next device begins with its name.
_CLINFO = Pattern(
    r"Device Name {10,50}([^\n]{2,60}?)[ \t]*\n(?:(?! {2,8}Device Name  )[^\n]{0,160}\n){1,40}?"
    r"[^\n]{0,8}Compute Capability \(NV\) {8,40}([0-9]{1,2}\.[0-9])[ \t]*$"
    r"(?:(?:\n(?! {2,8}Device Name  )[^\n]{0,160}){0,50}?\n[^\n]{0,8}Global memory size {8,40}([0-9]{9,13}) \()?",
    re.MULTILINE,
)
# What samples and ports of NVIDIA's for point clouds print before they start, in its spelling
_LIDAR = Pattern(
    r"device id: ([0-9]{1,2}) info----[ \t]*\n[^\n]{0,40}\bGPU : ([^\n]{2,60}?)[ \t]*\n[^\n]{0,40}\bCapbility: ([0-9]{1,2}\.[0-9])[ \t]*$"
    r"(?:\n(?:[^\n]{0,60}\n){0,2}?[^\n]{0,40}\bGlobal memory: ([0-9]{3,7})MB)?",
    re.MULTILINE,
)
_CC = r"(?P<cc>[0-9]{1,2}\.[0-9])"
# A line that tells the index, the name, the capability and the memory of a device, or some of these
_EXECUTOR = Pattern(
    rf"StreamExecutor (?:\[[0-9]{{1,2}}\]: )?device \((?P<index>[0-9]{{1,2}})\): (?P<name>[^,\n]{{2,60}}), Compute Capability {_CC}"
)
_TOO_OLD = Pattern(rf"device \((?P<index>[0-9]{{1,2}})\) is of insufficient compute capability: [0-9.]{{3,4}} required, device is {_CC}")
_DETECTRON = Pattern(rf"GPU (?P<index>[0-9]{{1,2}})[0-9,]{{0,40}}\s{{1,60}}(?P<name>\S[^(\n]{{2,60}}?) \(arch={_CC}\)")
_SGLANG = Pattern(rf"GPU (?P<index>[0-9]{{1,2}}(?:,[0-9]{{1,2}}){{0,31}}) Compute Capability: {_CC}")
_OLLAMA = Pattern(
    r"library=\w{2,8} .{0,60}?\bcompute=(?P<cc>[0-9]{1,2}\.[0-9]|gfx[0-9a-f]{3,5}) .{0,80}?(?:name|description)=\"(?P<name>[^\"\n]{3,60})\""
    r".{0,160}?\btotal=\"(?P<size>[0-9.]{1,8} [MG]iB)\""
)
_GROMACS = Pattern(rf"#(?P<index>[0-9]{{1,2}}): NVIDIA (?P<name>[^,\n]{{3,60}}), compute cap\.: {_CC}")
_KOKKOS = Pattern(
    rf"Kokkos::Cuda\[ (?P<index>[0-9]{{1,2}}) \] (?P<name>[^\n]{{3,60}}?) capability {_CC}, Total Global Memory: (?P<size>[0-9.]{{1,8}} G)"
)
_NAMD = Pattern(
    r"binding to CUDA device (?P<index>[0-9]{1,2}) on \S{1,60}: '(?P<name>[^'\n]{3,60})' {1,4}"
    rf"Mem: (?P<size>[0-9]{{3,8}} ?MB) {{1,4}}Rev: {_CC}"
)
_INSTANT_NGP = Pattern(r"Active GPU is #(?P<index>[0-9]{1,2}): (?P<name>[^\n\[]{3,60}?) \[(?P<major>[0-9]{1,2})(?P<minor>[0-9])\]")
# gpuDevice of MATLAB
_MATLAB = Pattern(r"Name: '([^'\n]{3,60})'\s{1,60}Index: ([0-9]{1,2})\s{1,60}ComputeCapability: '([0-9]{1,2}\.[0-9])'")
# A form factor that the table of nvidia-smi has no room for.
_CUT_SUFFIX = Pattern(r"[ -](?:P|PC|PCI|S|SX|SXM)\.{3}\Z")
# `nvidia-smi --query-gpu=name,compute_cap,… --format=csv`: names of columns that matter, as slots of a fact `gpu`.
_COLUMNS = {"index": "gpu", "name": "gpu_name", "compute_cap": "capability", "pci.bus_id": "pci", "uuid": "uuid"}
_CSV_HEADER = Pattern(
    r"^[^\n]{0,40}?\b((?:index|name|uuid|compute_cap|pci\.bus_id|driver_version), [a-z_.,\[\] A-Za-z%]{3,200})$", re.MULTILINE
)
# AMD's tools: rocm-smi, a property a line; the boxes of amd-smi, two rows a GPU; the agents of rocminfo.
_ROCM_SMI = Pattern(
    r"^GPU\[([0-9]{1,2})\]\s{0,6}: (VRAM Total Memory|VRAM Total Used Memory|Card [Ss]eries|Card SKU|GFX Version)(?: \(B\))?:\s{1,8}"
    r"(\S[^\n]{0,80}?)\s*$",
    re.MULTILINE,
)
_AMD_SMI = Pattern(
    r"^\| ([0-9A-Fa-f]{4}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9])\s{1,12}(\S[^|\n]{2,40}?)\s{0,12}\|[^\n]{0,60}\n"
    r"\|\s{1,4}([0-9]{1,2})\s[^|\n]{0,40}\|[^\n]{0,40}?\s([0-9]{1,9})/([0-9]{1,9}) MB \|",
    re.MULTILINE,
)
_ROCMINFO = Pattern(
    r"^\s{1,4}Name:\s{1,30}(gfx[0-9a-f]{3,4})\S{0,20}\s*\n[^\n]{0,80}\n\s{1,4}Marketing Name:\s{1,20}(\S[^\n]{0,60}?)?\s*$", re.MULTILINE
)
# FFmpeg and GStreamer when they open an encoder; the client of Folding@home.
_ENCODER = Pattern(
    rf"GPU #(?P<index>[0-9]{{1,2}})(?: - <| supports NVENC: \w{{2,3}} \() ?(?P<name>[^<>()\n]{{2,60}}?) ?[>)] (?:has |\()Compute SM {_CC}"
)
_FOLDING = Pattern(rf"CUDA Device (?P<index>[0-9]{{1,2}}): Platform:[0-9]{{1,2}} Device:[^\n]{{1,60}} Compute:{_CC}")
# Theano, with either of its back ends
_THEANO = Pattern(
    r"(?:Using gpu device ([0-9]{1,2})|Mapped name \S{1,12} to device cuda([0-9]{1,2})): "
    r"([^(\n]{2,60}?(?: \([A-Z][a-z]{4,9}\))?)(?: \(|\s*\n|\s*\Z)"
)
_THEANO_MEMORY = Pattern(r"Preallocating [0-9]{1,6}/([0-9]{2,6}) Mb \([0-9.]{3,8}\) on cuda([0-9]{1,2})")
# cupy.show_config()
_CUPY = Pattern(
    r"Device ([0-9]{1,2}) Name {1,30}: ([^\n]{2,60})(?:\nDevice [0-9]{1,2} Compute Capability {1,20}: ([0-9]{1,2})([0-9])(?![0-9]))?"
)
_ND4J = Pattern(rf"CUDA device (?P<index>[0-9]{{1,2}}): \[(?P<name>[^\]\n]{{2,60}})\]; cc: \[{_CC}\]")
_ND4J_ALONE = Pattern(rf"Device Name: \[(?P<name>[^\]\n]{{2,60}})\]; CC: \[{_CC}\]; Total/free memory: \[[0-9]{{3,15}}\]")
# Miners of Ethereum: "cuda-0   Using Pci Id : 01:00.0 GeForce GTX 1650 (Compute 7.5) Memory : 4.00 GB"
_MINER = Pattern(
    rf"\bcu(?:da)?-(?P<index>[0-9]{{1,2}})\s{{1,8}}Using Pci Id : [0-9A-Fa-f:.]{{5,16}} (?P<name>[^(\n]{{2,60}}?) \(Compute {_CC}\)"
    r" Memory : (?P<size>[0-9.]{1,8} [MG]B)"
)
# CUDA.versioninfo() of Julia
_JULIA = Pattern(
    r"(?P<index>[0-9]{1,2}): (?P<name>[^(\n]{2,60}?) \((?P<cc>sm_[0-9]{2,3}), [0-9.]{3,8} [MG]iB / (?P<size>[0-9.]{3,8} [MG]iB) available\)"
)
# hashcat's backends, which count from 1; and what it tells with -I
_HASHCAT = Pattern(
    r"\* Device #(?P<ordinal>[0-9]{1,2}): (?P<name>[^,\n]{2,60}), (?:[A-Za-z][^,\n]{1,40}, )?(?:[0-9]{1,7}/)?(?P<size>[0-9]{3,7} MB)"
    r"(?: \([0-9]{1,7} MB)?(?: allocatable\)?)?, [0-9]{1,4}MCU"
)
_HASHCAT_INFO = Pattern(
    r"Device ID #([0-9]{1,2})[^\n]{0,20}\n\s{1,6}Name\.{11}: ([^\n]{2,60})\n(?:[^\n]{0,60}\n){1,6}?"
    r"\s{1,6}Memory\.Total\.{3}: ([0-9]{3,7}) MB\n(?:\s{1,6}Memory\.Free\.{4}: ([0-9]{1,7}) MB)?"
)
_LINES = (
    ("MCU", _HASHCAT),
    (", Compute Capability ", _EXECUTOR),
    (" (arch=", _DETECTRON),
    ("Compute SM ", _ENCODER),
    (" Compute:", _FOLDING),
    ("]; cc: [", _ND4J),
    ("]; CC: [", _ND4J_ALONE),
    ("Using Pci Id : ", _MINER),
    ("iB available)", _JULIA),
    ("insufficient compute capability: ", _TOO_OLD),
    (" Compute Capability: ", _SGLANG),
    (" compute=", _OLLAMA),
    ("compute cap.: ", _GROMACS),
    ("Kokkos::Cuda[ ", _KOKKOS),
    ("binding to CUDA device ", _NAMD),
    ("Active GPU is #", _INSTANT_NGP),
)
_NUMBERED = tuple([f"{digit}{mark}" for digit in range(10) for mark in (": ", "': ", "', ")])
# As many programs list them: "GPU 0:   NVIDIA GeForce RTX 3090 (11119 MB free / 24576 MB)", "[GPU 0] RTX 3090", "cuda:1 (Tesla T4)".
# Where a blank alone stands between, the number may count them: "GPU: 2 RTX 3090".
_OF_MEMORY = r"[0-9.]{1,8} ?[MG]i?B"
_ANY_LISTED = Pattern(
    r"(?<![\w./-])(?:(?:GPU|gpu|[Dd]evice|CUDA|cuda) ?(?P<index>[0-9]{1,2})(?: ?[:=-]\s{1,16}|\]\s{1,2}| ?[(\[])"
    r"|cuda:(?P<cuda>[0-9]{1,2}) \(?)"
    r"(?:name=)?['\"]?(?P<name>(?:NVIDIA|GeForce|Tesla|Quadro|AMD|Radeon|RTX|GTX|TITAN) [\w ./+-]{1,50}?)['\"]?\s{0,3}"
    rf"(?:$|[;|:)\]]|(?: - )?[,([] ?(?:(?:memory=|VRAM:? ?)?(?:(?P<free>{_OF_MEMORY}) free ?/ ?)?"
    rf"(?P<size>{_OF_MEMORY})(?: total)?(?=[\s,)\]]|$))?)",
)
_OF_A_NAME = frozenset(("gpu", "gpu_name", "line", "stream", "rank", "time", "role"))  # the slots of one that only names a GPU
_MAKERS = ("NVIDIA ", "GeForce ", "Tesla ", "Quadro ", "AMD ", "Radeon ", "RTX ", "GTX ", "TITAN ")
# ComfyUI and Forge
_STARTED = Pattern(r"Device: cuda:([0-9]{1,2}) ([^\n:]{3,60}?) : (?:native|cudaMallocAsync)\b")
_STARTED_WITH = Pattern(r"Total VRAM ([0-9]{3,7}) MB, total RAM ")
_UNSLOTH = Pattern(r"(NVIDIA [\w -]{2,50})\. Num GPUs = [0-9]{1,3}\. Max memory: ([0-9.]{1,10} GB)")


def parse_gpus(log: Log) -> list[Observation]:
    """Facts `gpu`, `gpu-process`, `gpu-name` and `told-cards`."""
    gpus: list[Observation] = []
    processes: list[Observation] = []
    named = Named()
    for block in log.blocks():
        text = block.text
        if "MiB |" in text or "NVIDIA-SMI" in text or "Compute processes:" in text:
            _nvidia_smi(block, gpus, processes)
        _printed(block, gpus)
        if "GPU[" in text or "Marketing Name:" in text or "HIP-ID" in text:
            _tools_of_amd(block, gpus)
        if "compute_cap" in text or "driver_version" in text:
            _table_asked_for(block, gpus)
        find_products(block, named)
        if "GPU" in text or "gpu" in text or "cards" in text or "\u5361" in text:
            named.count_unnamed(block)
    gpus = _with_whole_names(gpus)
    names = named.ordered()
    known = {str(name.slots["gpu_name"]) for name in names}
    for gpu in gpus:
        name = gpu.slots.get("gpu_name")
        if isinstance(name, str) and name not in known:
            known.add(name)
            names.append(Observation("gpu-name", {"gpu_name": name, "line": gpu.slots["line"], "role": gpu.slots["role"]}, gpu.evidence))
    return [*gpus[:MAX_GPUS], *processes[:MAX_PROCESSES], *names[:MAX_NAMES], *named.counts()]


def _with_whole_names(gpus: list[Observation]) -> list[Observation]:
    """The GPUs without those that another line tells of with the whole name for the same index: "NVIDIA GeForce" of one tool is
    "NVIDIA GeForce RTX 3090" of the other. What tells more than the name is kept, under the whole one."""
    names: dict[Value, set[str]] = {}
    for gpu in gpus:
        if isinstance(name := gpu.slots.get("gpu_name"), str) and "gpu" in gpu.slots:
            names.setdefault(gpu.slots["gpu"], set()).add(name)
    if all(len(of_one) == 1 for of_one in names.values()):
        return gpus
    kept = []
    for gpu in gpus:
        beginning = f"{gpu.slots.get('gpu_name')} "
        whole = [name for name in names.get(gpu.slots.get("gpu", ""), ()) if name.startswith(beginning)]
        if len(whole) != 1:
            kept.append(gpu)
        elif gpu.slots.keys() - _OF_A_NAME:
            kept.append(Observation(gpu.template, {**gpu.slots, "gpu_name": whole[0]}, gpu.evidence))
    return kept


def _nvidia_smi(block: Block, gpus: list[Observation], processes: list[Observation]) -> None:
    """The boxes of nvidia-smi: a row with name and address, below it one with temperature and memory."""
    driver = ""
    row: re.Match[str] | None = None
    row_line: Line | None = None
    for line in block.lines:
        text = line.text
        if "|" not in text:
            continue
        text = text[text.index("|") :]
        header = _HEADER.search(text) if "NVIDIA-SMI" in text or "Driver Version" in text else None
        if header is not None:
            driver = header[1]
        match = _ROW.match(text)
        if match is not None:
            _cut_row(row, row_line, gpus)
            row, row_line = match, line
            continue
        usage = _USAGE.match(text)
        if usage is not None and row is not None and row_line is not None:
            gpus.append(_table_gpu(row, usage, driver, row_line, line))
            row = None
            continue
        process = _PROCESS.match(text)
        if process is not None:
            slots: dict[str, Value] = {"gpu": int(process[1]), "pid": int(process[2]), "name": process[4]}
            if process[5]:
                slots["process_bytes"] = int(process[5]) * _MIB
            processes.append(observe("gpu-process", slots, line))
    _cut_row(row, row_line, gpus)


def _tools_of_amd(block: Block, gpus: list[Observation]) -> None:
    text = block.text
    told: dict[str, dict[str, str]] = {}
    first: dict[str, Line] = {}
    for match in islice(_ROCM_SMI.finditer(text), 8 * MAX_GPUS):
        told.setdefault(match[1], {})[match[2].lower()] = match[3]
        first.setdefault(match[1], block.line(match.start()))
    for index, properties in told.items():
        total, used = (properties.get(key, "") for key in ("vram total memory", "vram total used memory"))
        capacity = int(total) if total.isdigit() else None
        free = max(capacity - int(used), 0) if capacity is not None and used.isdigit() else None
        name = properties.get("card series", "")
        target = properties.get("gfx version", "")
        _add(
            gpus,
            first[index],
            index,
            "" if name.startswith(("0x", "N/A")) else name,
            capability=target if target.startswith("gfx") else None,
            capacity=capacity,
            free=free,
        )
    for match in _AMD_SMI.finditer(text):
        used_bytes, capacity = int(match[4]) * _MIB, int(match[5]) * _MIB
        name = "" if match[2] == "N/A" else match[2]
        _add(gpus, block.line(match.start()), match[3], name, pci=match[1], capacity=capacity, free=max(capacity - used_bytes, 0))
    for agent, match in enumerate(islice(_ROCMINFO.finditer(text), MAX_GPUS)):
        _add(gpus, block.line(match.start(1)), str(agent), match[2] or "", capability=match[1])


def _cut_row(row: re.Match[str] | None, line: Line | None, gpus: list[Observation]) -> None:
    """A row with name and address whose row with the memory was left out."""
    if row is not None and line is not None:
        _add(gpus, line, row[1], row[2], pci=row[3])


def _table_asked_for(block: Block, gpus: list[Observation]) -> None:
    """Rows below a line of column names, as nvidia-smi prints what it is asked for."""
    header = _CSV_HEADER.search(block.text)
    if header is None:
        return
    columns = [_COLUMNS.get(name.split(" ")[0], "") for name in header[1].split(", ")]
    first = block.index(header.start(1)) + 1
    for line in block.lines[first : first + MAX_GPUS]:
        values = line.text.strip().split(", ")
        if len(values) != len(columns):
            if values != [""]:
                return
            continue
        slots: dict[str, Value] = {slot: value for slot, value in zip(columns, values, strict=True) if slot}
        if "gpu" in slots and not str(slots["gpu"]).isdigit():
            return
        slots["gpu"] = int(str(slots.get("gpu", len(gpus))))
        gpus.append(observe("gpu", slots, line))


def _table_gpu(row: re.Match[str], usage: re.Match[str], driver: str, first: Line, second: Line) -> Observation:
    used, total = int(usage[2]) * _MIB, int(usage[3]) * _MIB
    slots: dict[str, Value] = {"gpu": int(row[1]), "pci": row[3], "capacity_bytes": total, "free_bytes": max(total - used, 0)}
    name = _CUT_SUFFIX.sub("", row[2]).removesuffix("...").strip()
    if not row[2].endswith("...") or any(map(str.isdigit, name)):  # "NVIDIA GeForce ..." is any of them
        slots["gpu_name"] = name
    if usage[1]:
        slots["temperature"] = int(usage[1])
    if usage[4] and usage[4].endswith("%"):
        slots["utilization"] = int(usage[4][:-1]) / 100
    version = parse_version(driver)
    if version is not None:
        slots["driver_version"] = version
    return observe("gpu", slots, first, second)


def _printed(block: Block, gpus: list[Observation]) -> None:
    """What programs print about the devices they found."""
    text = block.text
    if "GPU " in text and any(map(text.__contains__, _NUMBERED)):
        for line in _lines_with(block, "GPU "):
            for match in _LISTED.finditer(line.text):
                for index in match[1].split(","):  # "GPU 0,1,2,3", as OpenMMLab's tools put it
                    _add(gpus, line, index, match[2], uuid=match[3])
    if "pci bus id" in text:
        for line in _lines_with(block, "pci bus id"):
            found = _TENSORFLOW.search(line.text)
            if found is not None:
                memory = _TF_MEMORY.search(line.text)
                free = int(memory[2]) * _MIB if memory else None
                _add(gpus, line, found[1], found[2], pci=found[3], capability=found[4], free=free)
    if "with properties" in text:
        for match in _TF_PROPERTIES.finditer(text):
            capability = match[3] or (f"{match[4]}.{match[5]}" if match[4] else None)
            size, spare = match[6] or match[7] or match[9], match[8] or match[10]
            line = block.line(match.start(2))
            capacity, free = (parse_bytes(printed) if printed else None for printed in (size, spare))
            _add(gpus, line, match[1], match[2], capability=capability, capacity=capacity, free=free)
    if "Device " in text:
        for line in _lines_with(block, "Device "):
            found = _GGML.search(line.text)
            if found is not None and (any(found.groups()[2:]) or is_product(found[2])):
                size = int(found[6]) * _MIB if found[6] else None
                _add(gpus, line, found[1], found[2], pci=found[5], capability=found[3] or found[4], capacity=size)
    if "apability" in text:
        for line in _lines_with(block, " Capability: "):
            for match in _PADDLE.finditer(line.text):
                _add(gpus, line, match[1], "", capability=match[2] if "." in match[2] else f"{match[2][0]}.{match[2][1]}")  # 61 until 2.0
        for line in _lines_with(block, "compute_capability = "):
            for match in _DARKNET.finditer(line.text):
                _add(gpus, line, match[1], match[3], capability=str(int(match[2]) / 100))  # 610, 1200
    if ") Memory: " in text:
        for line in _lines_with(block, ") Memory: "):
            for match in _NUNCHAKU.finditer(line.text):
                _add(gpus, line, match[1], match[2], capacity=parse_bytes(match[3]))
    if "CUDA:" in text:
        for line in _lines_with(block, "CUDA:"):
            for match in _YOLO.finditer(line.text):
                _add(gpus, line, match[1], match[2], capacity=round(float(match[3].rstrip(".") or 0)) * _MIB)
    if "**VRAM Total:**" in text:
        for match in _COMFY.finditer(text):
            _add(gpus, block.line(match.start()), match[1], match[2], capacity=int(match[3]), free=int(match[4]))
    if "VRAM" in text and "cuda:" in text:
        for match in _COMFY_PANEL.finditer(text):
            _add(gpus, block.line(match.start()), match[1], match[2], capacity=parse_bytes(match[3]), free=parse_bytes(match[4]))
    _asked(block, gpus)


def _asked(block: Block, gpus: list[Observation]) -> None:
    """What programs print that asked the driver for the properties of a device."""
    text = block.text
    if "_CudaDeviceProperties(" in text:
        for match in _PROPERTIES.finditer(text):
            capability = f"{match[3]}.{match[4]}" if match[3] else None
            _add(gpus, block.line(match.start(2)), match[1] or "0", match[2], capability=capability, capacity=int(match[5]) * _MIB)
    if "CUDA Capability Major" in text:
        for match in _QUERY.finditer(text):
            size = int(match[4]) * _MIB if match[4] else None
            _add(gpus, block.line(match.start()), match[1], match[2], capability=match[3], capacity=size)
    if "Compute Capability (NV)" in text:
        for index, match in enumerate(_CLINFO.finditer(text)):
            size = int(match[3]) if match[3] else None
            _add(gpus, block.line(match.start()), str(index), match[1], capability=match[2], capacity=size)
    if "Capbility: " in text:
        for match in _LIDAR.finditer(text):
            size = int(match[4]) * _MIB if match[4] else None
            _add(gpus, block.line(match.start()), match[1], match[2], capability=match[3], capacity=size)
    for literal, pattern in _LINES:
        if literal in text:
            for line in _lines_with(block, literal):
                found = pattern.search(line.text)
                if found is not None:
                    _add_told(found.groupdict(), line, gpus)
    if "ComputeCapability: '" in text:
        for match in _MATLAB.finditer(text):
            _add(gpus, block.line(match.start()), match[2], match[1], capability=match[3])
    if " Name   " in text:
        for match in _CUPY.finditer(text):
            _add(gpus, block.line(match.start()), match[1], match[2], capability=f"{match[3]}.{match[4]}" if match[3] else None)
    if "Memory.Total...: " in text:
        for match in _HASHCAT_INFO.finditer(text):
            free = int(match[4]) * _MIB if match[4] else None
            _add(gpus, block.line(match.start(2)), str(max(int(match[1]) - 1, 0)), match[2], capacity=int(match[3]) * _MIB, free=free)
    if "Using gpu device " in text or "Mapped name " in text:
        for match in _THEANO.finditer(text):
            _add(gpus, block.line(match.start()), match[1] or match[2], match[3])
    if "Preallocating " in text:
        for match in _THEANO_MEMORY.finditer(text):
            _add(gpus, block.line(match.start()), match[2], "", capacity=int(match[1]) * _MIB)
    if "Device: cuda:" in text:
        for match in _STARTED.finditer(text):
            total = _STARTED_WITH.search(text, 0, match.start())
            _add(gpus, block.line(match.start()), match[1], match[2], capacity=int(total[1]) * _MIB if total else None)
    named = {line.number: line for maker in _MAKERS if maker in text for line in _lines_with(block, maker)}  # most names hold several
    for line in named.values():
        for match in _ANY_LISTED.finditer(line.text):
            if is_product(match["name"]):
                sizes = {slot: parse_bytes(match[slot]) if match[slot] else None for slot in ("size", "free")}
                _add(gpus, line, match["index"] or match["cuda"], match["name"], capacity=sizes["size"], free=sizes["free"])
    if "Max memory: " in text:
        for line in _lines_with(block, "Max memory: "):
            found = _UNSLOTH.search(line.text)
            if found is not None:
                _add(gpus, line, "0", found[1], capacity=parse_bytes(found[2]))


def _add_told(told: dict[str, str], line: Line, gpus: list[Observation]) -> None:
    """The device, or the devices, that a line tells of."""
    capability = told.get("cc") or (f"{told['major']}.{told['minor']}" if "major" in told else None)
    size = parse_bytes(told["size"]) if "size" in told else None
    indices = str(int(told["ordinal"]) - 1) if "ordinal" in told else told.get("index", "0")
    for index in indices.lstrip("-").split(","):
        _add(gpus, line, index, told.get("name", ""), capability=capability, capacity=size)


def _lines_with(block: Block, literal: str) -> list[Line]:
    """Each line that holds a literal, once."""
    found: list[Line] = []
    offset = block.text.find(literal)
    while offset >= 0 and len(found) < 4 * MAX_GPUS:
        index = block.index(offset)
        found.append(block.lines[index])
        if index + 1 >= len(block.starts):
            break
        offset = block.text.find(literal, block.starts[index + 1])
    return found


def _add(
    gpus: list[Observation],
    line: Line,
    index: str,
    name: str,
    *,
    pci: str | None = None,
    uuid: str | None = None,
    capability: str | None = None,
    capacity: int | None = None,
    free: int | None = None,
) -> None:
    slots: dict[str, Value] = {"gpu": int(index)}
    if name:
        slots["gpu_name"] = name.strip().removesuffix("...").strip()
    for slot, value in (("pci", pci), ("uuid", uuid), ("capability", capability), ("capacity_bytes", capacity), ("free_bytes", free)):
        if value is not None:
            slots[slot] = value
    if len(gpus) < MAX_GPUS and all(any(other.slots.get(slot) != value for slot, value in slots.items()) for other in gpus):
        gpus.append(observe("gpu", slots, line))
