"""The reader's own names in lines to paste: the script that was run, the model that was served or loaded, the image of the container, and
the switches that a program is started with.

A name is put in where the text has just one of its kind, and only such names as mean nothing to a shell or to Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from triage.reading.lazy import Pattern
from triage.report.audience import runs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from triage.engine.model import Model
    from triage.reading import Log

# Scripts: what stands for one in the library's lines, behind what starts it.
_STANDS_FOR_SCRIPT: Final = Pattern(r"(?<![\w./\\-])(?:train|app)\.py(?![\w/])")
_STARTS: Final = Pattern(r"\b(?:python|torchrun|accelerate launch|deepspeed|horovodrun)\b")
_STARTED_BY: Final = ("python", "torchrun", "accelerate", "deepspeed", "srun", "mpirun")
_FIRST_SCRIPT: Final = Pattern(r"(?<=[ =])[^\s'\";|&<>$`()]*\.py(?=\s|\Z)")
_A_SCRIPT: Final = Pattern(r"[\w./+:\\-]{1,160}\.py\Z")
_NO_SCRIPTS: Final = ("setup.py", "__main__.py", "ipykernel", "collect_env.py", "<")
_LONGEST: Final = 60  # a longer path would hide what the line is about
# Models: the options that name one, and where a line has a place for it.
_NAMES_MODEL: Final = frozenset(("model", "model_path", "model_id", "model_name_or_path", "pretrained_model_name_or_path", "base_model"))
_SERVED: Final = Pattern(r"(?:vllm serve|lmdeploy serve api_server|trtllm-serve) +(?!-)(\S+)")
_LOADED: Final = Pattern(r"Starting to load model (\S+?)\.{3}")  # vLLM, of the model that it was given
_A_MODEL: Final = Pattern(r"[A-Za-z0-9/.~](?=[^\n]*[/\d-])[\w./+-]{2,120}(?<!\.py)(?<!\.yaml)(?<!\.gguf)(?<!\.json)(?<!\.sh)(?<!/)\Z")
_IN_A_CALL: Final = Pattern(r"(?<=[(=])NAME(?=[,)])")
_FOR_A_SERVER: Final = Pattern(
    r"((?:vllm serve|trtllm-serve|lmdeploy serve api_server|lmdeploy lite auto_awq|sglang\.launch_server --model-path"
    r"|text-generation-launcher --model-id|mlx_lm\.\w+ --model)) NAME\b"
)
_A_GGUF: Final = Pattern(r"(?:[A-Za-z]:)?[\w./\\+-]{1,160}\.gguf(?![\w.])")
_OF_A_NODE: Final = Pattern(r"[\\/]custom_nodes[\\/]([\w.+-]{1,80})[\\/]")
# Switches of the web interfaces made of AUTOMATIC1111's, all in one variable, and those that exclude each other.
_SWITCHES: Final = Pattern(r"((?:export |set \")COMMANDLINE_ARGS=)'?([^'\"]+)['\"]?\Z")
_LAUNCHED_WITH: Final = Pattern(r"Launching Web UI with arguments: (--[^\n]{1,500})")
_A_SWITCH: Final = Pattern(r"--[a-z][a-z0-9-]*(?:[ =](?!--)[\w.,:/\\-]+)?")
_ATTENTION: Final = frozenset(
    ("--xformers", "--opt-sdp-attention", "--opt-sdp-no-mem-attention", "--opt-sub-quad-attention", "--opt-split-attention")
)
_ALTERNATIVES: Final = (
    frozenset(("--lowvram", "--medvram", "--medvram-sdxl")), _ATTENTION,
    frozenset(("--precision full", "--precision autocast", "--precision half")),
    frozenset(("--no-half", "--precision full", "--upcast-sampling")),
)  # fmt: skip
# Images, and the commands that run them.
_RUNS_AN_IMAGE: Final = Pattern(r"docker run (?!.*-e \S*\Z)")
_ALL_GPUS: Final = Pattern(r"--gpus[ =]all\b")
_RUNS_RANKS: Final = Pattern(r"\btorchrun\Z")
# The port of a job: the line that is advised, and the reader's own with it, up to the script.
_ANOTHER_PORT: Final = Pattern(
    r"(torchrun|deepspeed|accelerate launch|python -m torch\.distributed\.launch)"
    r" --(?:master_port|main_process_port) ([0-9]+) (?:train\.py|…)\Z"
)
_ITS_PORT: Final = Pattern(r"([^\n]{1,160}?--(?:master_port|main_process_port)[= ])[0-9]+( (?:[^\n]{0,120}? )?[^\s'\"]{1,120}\.py)(?= |\Z)")


class Own:
    """What the text names of the reader's, each thing looked up when a line first has a place for it."""

    def __init__(self, log: Log, model: Model) -> None:
        self._log = log
        self._model = model

    def fill(self, lines: Iterable[str]) -> list[str]:
        """The lines to paste with the reader's names; where one is not known, the word that stands for it stays."""
        return list(filter(None, (self._filled(line) for line in lines if not self._is_in_force(line))))

    def _is_in_force(self, line: str) -> bool:
        """Whether a line only sets variables that the text shows set so."""
        return line.startswith("export ") and bool(self._settings) and self._settings.issuperset(line.split()[1:])

    @cached_property
    def _settings(self) -> frozenset[str]:
        """The variables that are set, as a shell writes them; what NCCL prints as INFO it prints where it was asked for it."""
        shown = {f"{fact.get('name')}={fact.get('value')}" for fact in self._model.facts("setting")}
        if any(" NCCL INFO " in line.raw for line in self._log.lines):
            shown.add("NCCL_DEBUG=INFO")
        return frozenset(shown)

    def _filled(self, line: str) -> str:
        if "_port " in line and (found := _ANOTHER_PORT.match(line)) and (own := self._with_port(found[1], found[2])):
            return own
        if ".py" in line and _STARTS.search(line) and _STANDS_FOR_SCRIPT.search(line) and self.script:
            line = _STANDS_FOR_SCRIPT.sub(lambda _: self.script, line)
        if "NAME" in line and self.model:
            line = _IN_A_CALL.sub(lambda _: f"'{self.model}'", line)
            line = _FOR_A_SERVER.sub(lambda found: f"{found[1]} {self.model}", line)
        if "MODEL.gguf" in line and self.file:
            line = line.replace("MODEL.gguf", self.file)
        if "custom_nodes/NODE" in line and self.node:
            line = line.replace("NODE", self.node)
        if "COMMANDLINE_ARGS=" in line and self.switches and (found := _SWITCHES.match(line)):
            return self._beside_its_switches(found[1], _A_SWITCH.findall(found[2]))
        if line.endswith(" …"):
            line = self._ended(line.removesuffix(" …"))
        if line.startswith("docker run ") and line.endswith(" IMAGE") and (own := runs.with_options(line, self._run)):
            return own
        return line.replace("IMAGE", self.image) if "IMAGE" in line.split(" ") and self.image else line

    def _beside_its_switches(self, start: str, advised: list[str]) -> str:
        """A line that sets the switches of a program: the reader's, and those advised; '' where all of these are set already."""
        if not _ATTENTION.issuperset(advised) and not _ATTENTION.isdisjoint(self.switches):  # the reader's choice of it is as good
            advised = [switch for switch in advised if switch not in _ATTENTION]
        new = [switch for switch in advised if switch not in self.switches]
        excluded = {other for group in _ALTERNATIVES if not group.isdisjoint(advised) for other in group}
        if not new:
            return ""
        text = " ".join([*(switch for switch in self.switches if switch in advised or switch not in excluded), *new])
        return f'{start}{text}"' if start.startswith("set") else f"{start}'{text}'"

    @cached_property
    def switches(self) -> list[str]:
        """The switches of COMMANDLINE_ARGS, by where it is set, else by what the program prints; [] where none or several are told."""
        told = {str(fact.get("value")).strip() for fact in self._model.facts("setting") if fact.get("name") == "COMMANDLINE_ARGS"} - {""}
        if not told:
            told = {found[1].strip() for line in self._log.lines if (found := _LAUNCHED_WITH.search(line.raw))}
        return list(dict.fromkeys(_A_SWITCH.findall(told.pop()))) if len(told) == 1 else []

    def _with_port(self, launcher: str, port: str) -> str:
        """The reader's own line with another port; '' where none or several are shown."""
        names = (launcher, "python -m torch.distributed.") if launcher == "torchrun" else launcher
        shown = [value for fact in self._model.facts("command") if (value := str(fact.get("value"))).startswith(names)]
        found = _ITS_PORT.match(shown[0]) if len(set(shown)) == 1 else None
        return f"{found[1]}{port}{found[2]}{'' if found.end() == len(shown[0]) else ' …'}" if found else ""

    def _ended(self, line: str) -> str:
        """A line that ends where the reader's own part begins."""
        if _RUNS_AN_IMAGE.match(line) and self.image:
            own = runs.with_options(f"{line} IMAGE", self._run)
            if own:
                return own
            if self._gives_all_gpus and "--gpus" not in line:
                line = line.replace("docker run", "docker run --gpus all", 1)
            return f"{line} {self.image}"
        return f"{line} --nproc-per-node=gpu {self.script}" if _RUNS_RANKS.search(line) and self.script else f"{line} …"

    @cached_property
    def script(self) -> str:
        """The script that was run, by the command line, else by where tracebacks begin; '' where none is told or several are."""
        commands = self._only(self._scripts_of_commands())
        frames = self._only(
            str(fact.get("path"))
            for fact in self._model.facts("frame")
            if fact.get("depth") == 0 and fact.get("function") == "<module>" and fact.get("user")
        )
        found = commands or frames
        return found if len(found) <= _LONGEST else found.replace("\\", "/").rpartition("/")[2]

    def _scripts_of_commands(self) -> Iterator[str]:
        for fact in self._model.facts("command"):
            if fact.get("name") in _STARTED_BY and (found := _FIRST_SCRIPT.search(str(fact.get("value")))):
                yield found[0]

    def _only(self, names: Iterable[str]) -> str:
        found = {name for name in names if _A_SCRIPT.match(name) and not any(word in name for word in _NO_SCRIPTS)}
        return found.pop() if len(found) == 1 else ""

    @cached_property
    def model(self) -> str:
        """The model that options, the command of a server or the server itself name; '' where none or several are named."""
        told = {str(fact.get("value")) for fact in self._model.facts("option") if fact.get("name") in _NAMES_MODEL}
        told |= {served[1] for fact in self._model.facts("command") if (served := _SERVED.search(str(fact.get("value"))))}
        told |= {loaded[1] for line in self._log.lines if "load model" in line.raw and (loaded := _LOADED.search(line.raw))}
        named = {path for name in told if _A_MODEL.match(path := name if name.count("/") == 1 else name.rstrip("/"))}
        return named.pop() if len(named) == 1 else ""

    @cached_property
    def file(self) -> str:
        """The one file of a quantised model for llama.cpp that the text names."""
        found = {match[0] for line in self._log.lines if ".gguf" in line.raw for match in _A_GGUF.finditer(line.raw)}
        return found.pop() if len(found) == 1 else ""

    @cached_property
    def node(self) -> str:
        """The one node of ComfyUI whose code stands in tracebacks: the name of its directory."""
        found = {match[1] for fact in self._model.facts("frame") if (match := _OF_A_NODE.search(str(fact.get("path"))))}
        return found.pop() if len(found) == 1 else ""

    @cached_property
    def _gives_all_gpus(self) -> bool:
        """Whether the reader's containers are started with all GPUs."""
        return any(_ALL_GPUS.search(str(fact.get("value"))) for fact in self._model.facts("command") if fact.get("name") == "docker")

    @cached_property
    def _runs(self) -> list[list[str]]:
        """The words of the commands that start containers, each command once."""
        told = [str(fact.get("value")) for fact in self._model.facts("command") if fact.get("name") == "docker"]
        return [words for words in map(str.split, dict.fromkeys(told)) if runs.image_of(words)]

    @property
    def _run(self) -> list[str]:
        """The words of the one command that starts the reader's container; [] where the text shows none or several."""
        return self._runs[0] if len(self._runs) == 1 else []

    @cached_property
    def image(self) -> str:
        """The image that containers were started from; '' where the text shows none or several."""
        told = {runs.image_of(words) for words in self._runs}
        return told.pop() if len(told) == 1 else ""
