"""Which facts there are: every slot with its type and unit, every template with its slots.

Signatures and parsers may only assert what is declared here; rules may only ask for it, or for templates that rules
derive. `REPORTED` names the slots that a diagnosis shows in its `facts` (names and units are those of the JSON report).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final


# Names of versions that say which side of a comparison a number stood on, as a message puts it: "was built against", "found".
VERSION_ROLES: Final = frozenset((
    "built", "built_against", "compiled", "expected", "found", "installed", "linked", "loaded", "running", "serialized",
))  # fmt: skip

# Types: str, int, float, bool, bytes, ms, version, cuda-version, device, dtype, line; `list:` before one makes a tuple.
SLOTS: Final[dict[str, tuple[str, str]]] = {
    # where a fact was seen
    "line": ("line", "number of the raw line, from 1"),
    "stream": ("str", "label of the process that printed the line: 'rank3', 'EngineCore pid=7', '' when there is one only"),
    "rank": ("int", "global rank of the process that printed the line, or that the message names"),
    "time": ("float", "seconds, from the time stamp of the line; only differences mean anything"),
    "role": ("str", "output, prose, code, source, diff, document or table: what kind of line it is"),
    "sentence": ("int", "which sentence of the line it is, from 0, where sentences are told apart"),
    "origin": ("str", "source file that a logger names, with its directory ('external/xla/…/bfc.cc') or of Python ('gpu_worker.py')"),
    "level": ("str", "'warning' or 'info' where the logger that printed the line says so; absent otherwise"),
    # what was recognised
    "failure": ("str", "failure of the rule file whose signature matched"),
    "signature": ("str", "id of the signature that matched"),
    "framework": ("str", "torch, jax, tensorflow, cupy, paddle, onnxruntime, ggml, vllm …"),
    # sizes
    "requested_bytes": ("bytes", "what the failed allocation asked for"),
    "capacity_bytes": ("bytes", "total memory of the device"),
    "allowed_bytes": ("bytes", "limit set for this process (memory fraction)"),
    "allocated_bytes": ("bytes", "live tensors"),
    "reserved_bytes": ("bytes", "held by the caching allocator, live or not"),
    "reserved_unallocated_bytes": ("bytes", "held by the caching allocator, not live"),
    "free_bytes": ("bytes", "free on the device as the driver sees it"),
    "process_bytes": ("bytes", "everything this process holds on the device"),
    "other_process_bytes": ("bytes", "held by other processes on the device"),
    "private_pool_bytes": ("bytes", "held in private pools, for instance of CUDA graphs"),
    "needed_bytes": ("bytes", "what would be needed, where the message says so"),
    "available_bytes": ("bytes", "what is available, where the message says so"),
    "free_gib": ("float", "free memory in GiB, where the unit stands apart from the number"),
    "capacity_gib": ("float", "total memory in GiB, where the unit stands apart from the number"),
    "limit_bytes": ("bytes", "a configured limit"),
    "nominal_bytes": ("bytes", "memory that a product is sold with; the driver reports up to 9 % less"),
    "largest_bytes": ("bytes", "the most memory that a product of this name is sold with"),
    # devices and types
    "gpu": ("int", "index of the device as the process sees it"),
    "devices": ("list:device", "devices named by the message, in order"),
    "dtypes": ("list:str", "dtypes named by the message, as printed, in order"),
    "op": ("str", "operator, kernel, function or API call that failed, as printed"),
    "gpu_name": ("str", "product name"),
    "capability": ("str", "compute capability as printed: 8.6 or sm_86"),
    "capabilities": ("list:str", "compute capabilities that a build supports, as printed"),
    "arch": ("int", "compute capability as a number: 86 for 8.6 or sm_86; only comparisons mean anything"),
    "arch_low": ("int", "lowest compute capability that a build has code for, as a number"),
    "arch_high": ("int", "highest compute capability that a build has code for, as a number"),
    "pci": ("str", "PCI address"),
    "uuid": ("str", "UUID of a GPU"),
    "host": ("str", "host name"),
    "driver_version": ("version", "version of the kernel driver"),
    "utilization": ("float", "a fraction, 0 to 1"),
    "temperature": ("int", "degrees Celsius"),
    # processes and ranks
    "pid": ("int", "process id"),
    "exit_code": ("int", "exit status of a process; negative for a signal where the launcher prints it so"),
    "signal_name": ("str", "SIGKILL, SIGTERM …"),
    "own_rank": ("int",
                 "rank by which a message names its own process, within its group; becomes `rank` where the line's prefix names none"),
    "peer_rank": ("int", "another rank that the message names"),
    "ranks": ("list:int", "ranks named by the message"),
    "world_size": ("int", "number of ranks"),
    "collective": ("str", "collective as printed: ALLREDUCE, _ALLGATHER_BASE …"),
    "sequence": ("int", "sequence number of the collective"),
    "timeout_ms": ("ms", "timeout that ran out"),
    "elapsed_ms": ("ms", "how long it ran"),
    "port": ("int", "TCP port"),
    "address": ("str", "network address or host"),
    # codes
    "xid": ("int", "Xid code"),
    "sxid": ("int", "SXid code of NVSwitch"),
    "error_code": ("str", "numeric or symbolic code of the library"),
    "detail": ("str", "further text of the message that a report may quote"),
    # shapes, indices, counts
    "index": ("int", "index that is out of range"),
    "size": ("int", "size that an index must stay below"),
    "shapes": ("list:str", "shapes as printed"),
    "count": ("int", "a count"),
    "wanted": ("str", "what was required, as printed"),
    "found": ("str", "what was found instead, as printed"),
    # named things
    "name": ("str", "name of the setting, option, package, symbol, file … the template speaks of"),
    "key": ("str", "key inside a setting that holds several, such as PYTORCH_CUDA_ALLOC_CONF"),
    "value": ("str", "value as written"),
    "number": ("float", "the value as a number, where it is one; sizes in bytes"),
    "package": ("str", "distribution name in lower case: torch, transformers, cuda, driver, python …"),
    "version": ("version", "a version"),
    "text": ("str", "text as printed"),
    "version_text": ("str", "the version as printed, with its local suffix"),
    "diagnosis": ("str", "id of a diagnosis"),
    "fix": ("str", "id of a fix"),
    "low": ("version", "lowest version, inclusive"),
    "high": ("version", "lowest version beyond, exclusive"),
    "library": ("str", "library or symbol the message names: libcudart.so.11.0"),
    "path": ("str", "path as printed"),
    # Python
    "source_line": ("int", "line number inside the source file"),
    "function": ("str", "name of a function"),
    "code": ("str", "source text shown below a frame"),
    "user": ("bool", "whether a frame lies outside installed packages and the standard library"),
    "innermost_user": ("bool", "whether it is the last frame of the user's own code in its traceback"),
    "depth": ("int", "0 for the outermost frame"),
    "traceback": ("int", "number of the traceback in the text, from 0"),
    "type": ("str", "exception class as printed"),
    "message": ("str", "message of the exception, first line"),
    "chain": ("str", "'cause' or 'context' when another exception followed that it explains; 'ignored' when nothing was raised"),
    "parent": ("int", "number of the traceback that this one led to"),
    # progress and models
    "label": ("str", "label of a progress bar or of a table"),
    "current": ("int", "steps done"),
    "total": ("int", "steps in all"),
    "parameters": ("float", "number of parameters"),
    "topic": ("str", "what a remark of the poster says, one of the ids used by rules/context"),
}  # fmt: skip

REPORTED: Final[tuple[str, ...]] = (
    "requested_bytes", "capacity_bytes", "allowed_bytes", "allocated_bytes", "reserved_bytes", "reserved_unallocated_bytes",
    "free_bytes", "process_bytes", "other_process_bytes", "needed_bytes", "available_bytes", "limit_bytes",
    "gpu", "devices", "dtypes", "op", "xid", "sxid", "rank", "capability",
    "exit_code", "timeout_ms", "collective", "gpu_name", "pci", "index", "size", "shapes", "port", "library", "error_code",
)  # fmt: skip

_SEEN = ("line", "stream", "rank", "time", "role")

# Templates that signatures and parsers assert. `signal` takes every slot.
TEMPLATES: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "signal": (tuple(SLOTS), "a signature of a failure matched"),
    "version": (("package", "version", "version_text", *_SEEN), "a version of a package, CUDA, the driver, Python or the system"),
    "wheel-for-torch": (("name", "version", *_SEEN), "an extension whose wheel names the torch that it is built for, and which"),
    "version-bound": (("package", "low", "high", "signature", "line"), "the wording of a message bounds the release that printed it"),
    "setting": (("name", "key", "value", "number", "count", *_SEEN),
                "an environment variable in force or set in the text; `count` of the devices that a list of visible ones names"),
    "option": (("name", "value", "number", *_SEEN),
               "a command-line option, configuration entry or keyword argument; dashes are underscores"),
    "frame": (("path", "source_line", "function", "code", "user", "innermost_user", "package", "depth", "traceback", "op", *_SEEN),
              "a Python frame; `op` is what the innermost one calls"),
    "exception": (("type", "message", "traceback", "chain", "parent", *_SEEN), "a Python exception that ends a traceback"),
    "command": (("name", "value", *_SEEN), "a command the text shows: python, torchrun, docker, vllm …"),
    "progress": (("label", "current", "total", *_SEEN), "the furthest state of one progress bar run"),
    "outcome": (("detail", *_SEEN), "how far a program got: 'progress' at the last line that shows work, 'success' where it ended well"),
    "gpu": (("gpu", "gpu_name", "capacity_bytes", "free_bytes", "process_bytes", "capability", "driver_version", "pci", "uuid",
             "utilization", "temperature", *_SEEN), "a GPU of a table or of a message"),
    "gpu-process": (("gpu", "pid", "process_bytes", "name", *_SEEN), "a process holding device memory"),
    "printed-index": (("gpu", *_SEEN), "the index of a card that a message prints as a control character"),
    "gpu-model": (("gpu_name", "text", "capability", "nominal_bytes", "largest_bytes", *_SEEN),
                  "a GPU named anywhere, under the name that table `gpus` or `amd-gpus` has for it; `text` as printed"),
    "gpu-name": (("gpu_name", "capacity_bytes", "count", *_SEEN),
                 "a GPU product named anywhere, with the memory that stands beside the name; `count` of names before it,"
                 " absent for one that is only compared with or recommended"),
    "told-cards": (("count", "gpu_name", *_SEEN), "how many GPUs the machine at hand has, as people tell it, and of which name"),
    "model": (("name", "parameters", *_SEEN), "a model named in the text, with its size where the name tells it"),
    "known-model": (("name", "text", *_SEEN), "a model of the text, under the name that table `models` has for it; `text` as written"),
    "remark": (("topic", "value", "number", "sentence", "capability", *_SEEN),
               "something the poster says in prose or the log says in passing; `capability` where it names a GPU's"),
    "named-devices": (("devices", *_SEEN), "two devices that the poster names together"),
    "process-exit": (("rank", "pid", "exit_code", "signal_name", "host", "name", "line", "stream", "time", "role"),
                     "a process ended badly"),
    "text": (("detail", "count", "line"),
             "what is known of the text as a whole: 'document', 'issue', 'log', 'traceback'; count of its lines; the line of its title"),
    "log": (("name", "line"), "one of the logs of a job: its name, and where its lines begin; the order of logs tells nothing of time"),
    "emulation": (("gpu", "capacity_bytes", "name"), "the card is emulated by a limit of the process: the size it stands for"),
    "verdict": (("diagnosis", "fix", "value", "name", "detail", "message", "text"),
                "what the verifier found: value confirmed, refuted …; name the backend, detail where, message why, text its limits"),
}  # fmt: skip

LEVELS: Final = ("info", "warning")  # of a logger, as far as a signal tells them

# Templates that only signatures assert; parsers give none of them.
ASSERTED: Final = frozenset({"named-devices", "process-exit", "remark", "signal", "version-bound", "wheel-for-torch"})

# Templates that the compiler and the rules of rules/common derive.
DERIVED: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "candidate": (("id", "family", "cause", "line", "rank", "stream", "time", "confidence", "specific", "narrow"),
                  "a diagnosis that some rule proposes"),
    "proposed": (("id", "family", "cause", "confidence", "specific"), "the candidates of one id, however many lines show it"),
    "certainty": (("family", "confidence"), "how sure the surest reading of a family is, though one that names a cause took its place"),
    "uncovered": (("id",), "a plain candidate with a line of which no narrower one of its family speaks"),
    "yields": (("id", "to"), "a candidate is superfluous beside another"),
    "gives-way": (("id",), "a candidate that one of another family makes superfluous"),
    "found": (("id",), "there is a diagnosis of this id"),
    "overshadowed": (("id", "by"), "a candidate that another makes superfluous"),
    "diagnosis": (("id", "family", "cause", "line", "rank", "stream", "time", "confidence", "specific"), "a candidate that stands"),
    "keeps-advice": (("id",), "a diagnosis that adds a cause to the reading whose place it takes, and keeps the advice of that one"),
    "advises": (("id", "line", "on"), "the advice of the diagnosis `id` is shown with the diagnosis `on`: itself, or what took its place"),
    "lends": (("id", "to"), "what the diagnosis `id` advises follows what `to` advises, which took its place"),
    "only-told": (("id",), "a diagnosis of what the poster tells of and does not show"),
    "told-both": (("failure", "family"), "two failures that the poster tells of, each in a sentence of its own"),
    "told-apart": (("id", "other"), "readings of two such failures: neither takes the other's place"),
    "label-before": (("id", "line"), "where a label of the process may stand that met a diagnosis: at its message, above its traceback"),
    "labelled": (("id", "line", "rank"), "the rank that such a label names"),
    "only-named": (("id",), "a diagnosis that stands on the name of the failure in a sentence"),
    "title-leads": (("first", "then"), "a diagnosis that the title names leads one that is told below it"),
    "met-in-words": (
        ("failure", "line", "how", "role"),
        "a failure that a sentence names and that the poster met, by what the sentence says; `how`: the topic of the remark",
    ),
    "told-failure": (("failure", "line"), "a failure that the poster names as met, without its message"),
    "told-cause": (("value", "line"), "why it failed, as the poster says in plain words"),
    "told-to-help": (("value", "line", "sentence"), "the fix that a sentence says makes the failure go away"),
    "said-not-to-help": (("line", "sentence"), "a sentence says of something that it does not work, or did not help"),
    "standing": (("id", "family", "cause", "confidence"), "the diagnoses of one id, however many lines show it"),
    "apart": (("id", "other"), "two diagnoses of events of different cards, minutes and more from each other"),
    "consequence": (("of", "is"), "the diagnosis `is` follows from the diagnosis `of`"),
    "leads": (("first", "then"), "which of two independent diagnoses is shown first"),
    "solved": (("id", "line"), "a diagnosis of a failure that the poster says, by then, to have solved"),
    "about-gpus": (("detail",), "the text is about work on GPUs, and what tells so: 'card', 'software', 'work'"),
    "cards-at-hand": (("count",), "how many GPUs the machine at hand has, by a variable, a list or words"),
    "ranks-at-hand": (("count", "number"), "over how many of its `number` GPUs a machine can divide most models"),
    "told-size": (("capacity_bytes",), "what people say that their card has"),
    "printed-by": (("rank",), "a rank that printed frames of tracebacks, or paths with versions in them"),
    "told-length": (("timeout_ms",), "the one length of time that somebody says to have waited in vain"),
    "rank-budget": (("name", "process_bytes", "allowed_bytes", "capacity_bytes", "count"),
                    "the weights of the model `name` on each of `count` cards of a server, and what it may take of a card"),
    "weight-bits": (("number",), "how many bits a served model has for each weight"),
    "model-to-load": (("name",), "the text speaks of a model whose weights are loaded"),
    "weights-per-card": (("name", "process_bytes", "capacity_bytes", "count", "number"),
                         "the weights of the model `name`, of `number` bits, on each of `count` cards that serve it, and what a card has"),
    "told-gpu": (("diagnosis", "gpu_name"), "of several GPUs that are named, the one that a size, a form or an index tells"),
    "infers": (("detail",), "a model is run, not trained: there is no backward pass"),
    "pipeline": (("diagnosis",), "a failure of a program that runs a diffusion model as a pipeline of several models"),
    "uses": (("name",), "a server or library that the text shows: lines to paste are given in its words"),
    "maker": (("name",), "who made the GPUs of the text, where it is another than NVIDIA and only one is named"),
    "amd-target": (("capability",), "the target (gfx) of the AMD GPU that a message, its name or the poster tells"),
    "attribute": (("diagnosis", *REPORTED), "a fact to show with a diagnosis"),
    "fix": (("diagnosis", "fix", "order", "text"), "a fix that applies"),
    "no-use": (("diagnosis", "fix", "order", "text"), "advice that does not help here"),
    "in-vain": (("diagnosis", "fix"), "advice that the text says was tried already: it is given last"),
    "in-favour": (("diagnosis", "fix"), "advice that the text says helped: it is given first"),
    "cannot-follow": (("diagnosis",), "a diagnosis that the text shows cannot come next, whatever is done"),
    "said-to-load": (("id",), "a diagnosis of a failure that is said to come while a model is loaded"),
    "needless": (("diagnosis", "fix"), "advice that the text shows to be followed already, or to have no use here: it is not given"),
    "missing": (("diagnosis", "order", "text"), "a decisive fact that the text lacks"),
    "recovered": (("line", "by"), "an error that the program got over, and the line that says how"),
    "harmless": (("line",), "a line that looks like a failure and is none: no diagnosis follows from it"),
    "noise": (("line", "text"), "what to say of a line that looks like a failure and is none"),
    "withdrawn": (("diagnosis", "fix", "detail", "message"), "a fix that was tried and did not prevent the failure"),
    "proved": (("diagnosis", "fix", "detail", "message"), "a fix that was tried and prevented the failure"),
}  # fmt: skip
