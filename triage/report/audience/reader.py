"""Who reads a report, as far as the text tells: framework, system and maker of the GPU decide which words and lines help."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial

from triage.engine.values import Value, Version
from triage.facts.servers import SERVERS, STARTED_BY, only_server
from triage.report.audience import frameworks, interfaces, launchers, notebooks, programs, releases, servers, trainers
from triage.report.audience.own import Own
from triage.report.told import last_before, versions
from triage.rulebook.rulebook import told_instead

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from triage.engine.model import Model
    from triage.facts.observation import Observation
    from triage.knowledge.tables import Tables
    from triage.reading import Log
    from triage.report.audience.makers import Maker

    Translation = Callable[[Iterable[str]], list[str]]

_RUN_FROM_PYTHON = ("", "torch", "transformers", "diffusers")
_NO_RELEASE = Version((0, 1))  # what is built from a checkout without tags calls itself so, or 0.0.0
_OF_THE_TIME_OF_THD = Version((0, 4))  # before c10d, PyTorch's processes met by the library THD


class Reader:
    """What is known of who reads, each thing looked up when it is first needed."""

    def __init__(self, log: Log, observations: Sequence[Observation], model: Model, tables: Tables) -> None:
        self._log = log
        self._observations = observations
        self._model = model
        self._tables = tables
        self._own = Own(log, model)

    @cached_property
    def on_windows(self) -> bool:
        """Whether the text speaks of Windows, and of no path or subsystem of Linux beside it."""
        if not self.remarks("on-windows") or self.in_wsl or self.remarks("kernel-log-of-linux"):
            return False
        return not any(item.template == "frame" and str(item.slots.get("path")).startswith("/") for item in self._observations)

    @cached_property
    def in_wsl(self) -> bool:
        """Whether the program runs in Windows' subsystem for Linux: its driver is that of Windows."""
        return bool(self.remarks("wsl")) and not self.remarks("not-in-wsl")

    @cached_property
    def on_jetson(self) -> bool:
        """Whether the GPU is part of a Tegra chip: its driver comes with JetPack, and its memory is the host's."""
        return bool(self.remarks("on-jetson"))

    @cached_property
    def uses(self) -> frozenset[str]:
        """The servers and libraries that the text shows."""
        return frozenset(str(fact.get("name")) for fact in self._model.facts("uses"))

    @cached_property
    def speaks(self) -> frozenset[str]:
        """Whose lines the reader can paste: of an engine that runs inside a trainer those of the trainer."""
        return self.uses - frozenset(SERVERS) if self.uses & frameworks.RUNS_ENGINES else self.uses

    def framework(self, bindings: Mapping[str, Value]) -> str:
        """The framework whose message it was, else what the program is written in, else the only one that the text names."""
        told = str(bindings.get("framework") or self._written_in or self._named or self._shown).lower()
        if not told or told in frameworks.RUNTIMES:
            if self._runs_ggml:
                return "ggml"
            if told and (program := self._written_in or self._shown) in programs.OF_PROGRAMS:
                return program
            if told and programs.is_apart_from_torch(self._shown):
                told = self._shown
            told = self._calling or self._named or told
        if told in ("torch", "pytorch") and self._written_in in frameworks.BINDINGS_OF_TORCH:
            return self._written_in
        if told in SERVERS and self.uses & frameworks.RUNS_ENGINES:
            return "torch"
        if told == "tensorflow" and "jax" in self.uses and self._named != "tensorflow":  # XLA speaks to both
            return "jax"
        if told == "ggml" and self._binds_ggml:
            return "llama-cpp-python"
        if told == "rmm":
            return "rapids"
        return "torch" if told == "pytorch" else told

    @cached_property
    def _calling(self) -> str:
        """The one framework whose messages the text has, runtimes aside: what CUDA said stands in them; '' otherwise."""
        speak = {str(fact.get("framework")).lower() for fact in self._model.facts("signal") if fact.get("framework")} - frameworks.RUNTIMES
        return speak.pop() if len(speak) == 1 else ""

    @cached_property
    def _binds_ggml(self) -> bool:
        """Whether ggml is called through its bindings of Python, which pip installs and compiles."""
        return bool(self._packages & {"llama-cpp-python", "llama_cpp"})

    @cached_property
    def around_ggml(self) -> str:
        """The program around llama.cpp that the text shows, or its bindings; '' where its own tools are run."""
        if any(fact.get("name") == "llama.cpp" for fact in self._model.facts("command")):
            return ""
        return frameworks.around_ggml(self.uses, self._binds_ggml)

    @cached_property
    def _missing(self) -> dict[str, list[tuple[releases.Word, str]]]:
        """The programs whose lines the reader runs: what the releases that are told, or the newest, do not know of the advice's words."""
        names = {"torch", self.server, self.around_ggml or "llama.cpp"} - {""}
        return {name: releases.lacking(self._words_of(name), self._releases_of(name)) for name in sorted(names)}

    def _words_of(self, program: str) -> list[releases.Word]:
        return self._tables.made("words-of-releases", releases.Word, program=program)

    def _releases_of(self, program: str) -> list[Version]:
        if told := [version for version in versions(self._model, program) if version > _NO_RELEASE]:
            return told
        if program == "torch" and "/torch/lib/thd/" in self.text:
            return [_OF_THE_TIME_OF_THD]
        bounds = [fact.get("version") for fact in self._model.facts("below") if fact.get("package") == program]
        return [last_before(min(known))] if (known := [bound for bound in bounds if isinstance(bound, Version)]) else []

    def _as_released(self, program: str) -> Iterator[Translation]:
        """What puts lines of a program into the words of the reader's release."""
        if missing := self._missing.get(program):
            yield partial(releases.lines_for, missing=missing)

    @cached_property
    def _runs_ggml(self) -> bool:
        """Whether a program of ggml printed something, and no Python around it."""
        return bool(self.remarks("runs-ggml")) and not self._model.facts("frame")

    @cached_property
    def served(self) -> str:
        """The one engine for language models that the text shows, loaders of quantised files among them; '' where none is, or it runs
        inside a trainer."""
        return "" if self.trainer else only_server(self.uses, SERVERS)

    @cached_property
    def trainer(self) -> str:
        """The trainer that runs a server's engine inside; '' where the text shows none."""
        return trainers.trainer(self.uses & frameworks.RUNS_ENGINES) if self.uses & frozenset(SERVERS) else ""

    @cached_property
    def server(self) -> str:
        """The ready-made server that is run, where nothing shows that its user trains a model besides; '' otherwise."""
        server = "" if self.trainer else only_server(self.uses, STARTED_BY)
        if not server or any(fact.get("package") in servers.TRAINERS for fact in self._model.facts("frame")):
            return ""
        return server if self._launcher in ("", "ray", "slurm") else ""

    @cached_property
    def interface(self) -> frozenset[str]:
        """The programs with an interface of their own that the text shows, where its reader writes no code besides; of several the one
        whose release is told."""
        shown = self.uses & interfaces.INTERFACES
        if len(shown) > 1:
            told = shown & {str(fact.get("package")) for fact in self._model.facts("version")}
            shown = told if len(told) == 1 else shown
        if len(shown) > 1:
            shown = shown - {"app"}  # what starts a program is named beside it
        return frozenset() if self.server or self.remarks("writes-code") else shown

    @cached_property
    def desktop(self) -> str:
        """The program with windows and menus of its own, such as Blender, that the text shows alone; '' otherwise."""
        shown = {str(fact.get("value")) for fact in self.remarks("desktop")}
        return shown.pop() if len(shown) == 1 else ""

    @cached_property
    def in_notebook(self) -> bool:
        """Whether the reader works in cells of a notebook that others host: no shell keeps what is exported."""
        hosted = bool(self.remarks("colab") or self.remarks("kaggle"))
        return hosted and not self.on_windows and not self.remarks("starts-a-container")

    @cached_property
    def in_cells(self) -> bool:
        """Whether what failed runs in cells of a notebook of the reader's own: no script is started."""
        cells = ("Cell In", "Input In", "<ipython-input")
        frames = [fact for fact in self._model.facts("frame") if fact.get("depth") == 0]
        return bool(frames) and all(str(fact.get("path")).startswith(cells) for fact in frames) and not self._own.script

    @cached_property
    def own_python(self) -> str:
        """The Python that the program brings with it on Windows, as it is called from the program's directory; '' where none is known."""
        if not self.on_windows:
            return ""
        return interfaces.python_of(self.interface, {str(fact.get("value")) for fact in self.remarks("own-python")})

    @cached_property
    def started(self) -> str:
        """How the server is started: by its command, or by a script that imports its engine."""
        return "python app.py" if self.remarks("offline-engine") else STARTED_BY[self.server]

    @cached_property
    def _options(self) -> dict[str, set[str]]:
        """The values that options have on the command lines of the text."""
        given: dict[str, set[str]] = {}
        for fact in self._model.facts("option"):
            given.setdefault(str(fact.get("name")), set()).add(str(fact.get("value")))
        return given

    @cached_property
    def _speaks_of_a_mac(self) -> bool:
        """Whether some line names what only a Mac has: whether it runs there, `_system` tells."""
        return any(
            word in self.text
            for word in ("macos", "mac os", "macbook", "mac studio", "mac mini", "darwin", "apple m", "/users/", "homebrew")
        )

    @cached_property
    def _system(self) -> str:
        """The kind of Linux by its packages, where it is not Debian's; '' otherwise."""
        logs = [log for log, _ in self._log.parts] or [self._log]
        from triage.report.audience.systems import system

        return system("\n".join([line.raw for log in logs for line in log.lines]))

    @cached_property
    def engine(self) -> str:
        """What runs the reader's containers, where it is not Docker; '' otherwise."""
        shown = {str(fact.get("value")) for fact in self.remarks("engine")}
        if not shown:
            return "kubernetes" if self.remarks("kubernetes") else ""
        from triage.report.audience.engines import engine  # most run their containers with Docker, or none

        return engine(shown)

    def of_containers(self, text: str) -> str:
        """A sentence with the option by which the reader's engine gives a container its GPUs."""
        if not self.engine:
            return text
        from triage.report.audience.engines import words_for

        return words_for(text, self.engine)

    def own_words(self, text: dict[str, Any], library: dict[str, Any]) -> dict[str, Any]:
        """What a rule brings of a fix, without words for users of another engine where the library has some for the reader's."""
        if not self.engine or self.engine not in (library.get("for") or {}):
            return text
        from triage.report.audience.engines import is_of_docker

        if not is_of_docker(text, self.engine):
            return text
        return {key: value for key, value in text.items() if key not in ("title", "detail", "commands", "commands_of")}

    @cached_property
    def has_several_gpus(self) -> bool:
        """Whether something shows a second GPU."""
        if self.remarks("several-gpus") or self.remarks("several-gpus-listed"):
            return True
        return any(fact.get("gpu") not in (None, 0) for template in ("signal", "gpu") for fact in self._model.facts(template))

    @cached_property
    def several_nodes(self) -> bool:
        """Whether something shows that the ranks of a server run on more machines than one, or nothing shows how many ranks there are."""
        if self._launcher or not self._options.keys() & servers.RANKS:
            return True
        return bool(self._options.keys() & servers.NODES) or bool(self.remarks("several-nodes"))

    @cached_property
    def one_gpu(self) -> bool:
        """Whether the reader says so, or works at a desk, in an interface, a hosted notebook or on Windows, and nothing shows a second."""
        at_a_desk = self.interface or self.on_windows or self.desktop or self.in_notebook
        return bool(at_a_desk or self.remarks("one-gpu-told")) and not self.has_several_gpus

    def only_infers(self, framework: str) -> bool:
        """Whether the reader runs a model that nothing trains, from Python."""
        return framework in _RUN_FROM_PYTHON and bool(self._model.facts("infers"))

    def how_to_know(self, text: str, framework: str) -> str:
        """How a missing fact is found out, in the words of the reader's program; '' where only others could."""
        steps = (programs.how_to_know(step, framework) for step in programs.steps(text))
        return (" & " if self.on_windows else "; ").join(self.lines([step for step in steps if step], framework))

    def library_fix(self, library: dict[str, Any], framework: str) -> dict[str, Any]:
        """What the library says of a fix, as this reader needs it: the GPU's maker decides before the system, that before the framework."""
        instead = library.get("for") or {}
        told = library
        for kind in self._kinds(framework):
            own = instead.get(kind, {})
            told = told_instead(library if "detail" in own else told, own)  # no title of one kind above the text of another
        return told

    def said(self, text: str, framework: str) -> str:
        """What is said of a diagnosis, without the sentences that only users of another framework understand, where others remain."""
        text = self.of_containers(programs.words_for(text, framework) or text)
        maker = self._as_made(framework)
        return maker.said(text) if maker else text

    def words(self, text: str, framework: str) -> str:
        """What is advised, as far as it speaks to the reader, with the names that hold for the reader's GPUs."""
        text = self.of_containers(servers.words_for(text, self._options) if self.server else programs.words_for(text, framework))
        if self.trainer:
            text = trainers.words_for(text, self.trainer)
        if self.around_ggml and framework == "ggml":
            from triage.report.audience.llamas import words_for as for_the_program_around

            text = for_the_program_around(text, self.around_ggml)
        for missing in self._missing.values():
            text = releases.words_for(text, missing)
        maker = self._as_made(framework)
        return maker.words(text) if maker else text

    def understood(self, lines: Iterable[str], framework: str) -> list[str]:
        """Those of the lines that the reader's program understands: a framework of many languages has no Python around it in some."""
        kept = programs.understood(lines, framework)
        compiled = self._written_in in programs.WITHOUT_PYTHON and programs.is_apart_from_torch(framework)
        return programs.understood(kept, self._written_in) if compiled else kept

    def lines(self, lines: Iterable[str], framework: str) -> list[str]:
        """The lines to paste with the names that hold for the reader's GPUs and the reader's own, as the reader's system takes them."""
        lines = [line.replace("LAUNCHER ", launchers.STARTS.get(self._launcher, "LAUNCHER ")) for line in lines]
        for translation in self._translations(framework):
            lines = translation(lines)
        return self._own.fill(lines)

    def _translations(self, framework: str) -> Iterator[Translation]:
        """What puts lines to paste into this reader's words, one after the other; each is loaded where it is needed."""
        if maker := self._as_made(framework):
            yield maker.lines
        if self.on_jetson:
            from triage.report.audience.jetson import lines_for as for_a_jetson

            yield for_a_jetson
        if self.remarks("configured-for-accelerate"):
            yield launchers.in_its_configuration
        if self._launcher and not (self.server or self.interface):
            yield partial(launchers.lines_for, launcher=self._launcher)
        yield from self._as_released("torch")
        if self.engine:
            from triage.report.audience.engines import lines_for as for_its_engine

            yield partial(for_its_engine, engine=self.engine)
            if any(fact.get("value") == "k3s" for fact in self.remarks("cluster-of")):
                from triage.report.audience.engines import for_k3s

                yield for_k3s
        if self.server:
            yield partial(servers.lines_for, started=self.started)
            yield partial(servers.without_what_is_set, given=self._options)
            yield from self._as_released(self.server)
            if self.remarks("offline-engine"):
                yield partial(servers.for_an_engine, server=self.server)
            elif self._starters:
                from triage.report.audience.places import lines_for as for_what_starts_it

                yield partial(for_what_starts_it, shown=self._starters)
        if self.trainer:
            yield partial(trainers.lines_for, name=self.trainer, given=self._options)
        if "kohya" in self.interface:
            yield partial(interfaces.for_the_script, text=self.text)
        if self.interface:
            yield interfaces.lines_for
            yield partial(servers.without_what_is_set, given=self._options)
        if self.around_ggml:
            from triage.report.audience.llamas import lines_for as for_the_program_around

            yield partial(for_the_program_around, program=self.around_ggml)
        yield from self._as_released(self.around_ggml or "llama.cpp")
        if self.server and not self._releases_of(self.server) and not self.remarks("offline-engine"):
            yield partial(releases.with_earlier_ways, words=self._words_of(self.server))
        if self.in_cells and not self.in_notebook:
            yield notebooks.lines_for
        if self.on_windows:
            from triage.report.audience.windows import lines_for as for_windows

            yield for_windows
        else:
            yield self._as_its_linux_takes_them
            if self.in_wsl:
                from triage.report.audience.systems import for_wsl

                yield for_wsl
            if self.remarks("on-nix") and not self.remarks("on-another-linux"):
                from triage.report.audience.systems import for_nixos

                yield for_nixos
            if self.remarks("packages-in-the-store"):
                from triage.report.audience.systems import without_installing

                yield without_installing
        if self.own_python:
            yield partial(interfaces.with_its_python, python=self.own_python)
        if self.in_notebook:
            yield notebooks.lines_for

    def _as_its_linux_takes_them(self, lines: Iterable[str]) -> list[str]:
        lines = list(lines)
        if not (programs.speak_of_packages(lines) or (self._speaks_of_a_mac and self._system == "mac")):
            return lines
        from triage.report.audience.systems import lines_for

        return lines_for(lines, self._system)

    @cached_property
    def without_root(self) -> bool:
        """Whether the reader says so, or works on a machine that many share and shows no sign of being root there."""
        shown = {str(fact.get("value")) for fact in self.remarks("rights")}
        return "none" in shown or ("root" not in shown and ("shared" in shown or self._launcher == "slurm"))

    def of_place(self, lines: list[str], lang: str) -> str:
        """Where the options of a server go, for who starts it with a file or another program."""
        if not self._starters or not self.server:
            return ""
        from triage.report.audience.places import remark

        return remark(self._starters, lines, lang)

    @cached_property
    def _starters(self) -> set[str]:
        """What starts the server, where that is not its own command."""
        return {str(fact.get("value")) for fact in self.remarks("starts-server")}

    def of_rights(self, fix: str, lines: list[str], lang: str) -> str:
        """What is said beside a fix that needs root, where the reader seems to have no such rights; '' otherwise."""
        if not self.without_root:
            return ""
        from triage.report.audience.rights import remark

        return remark(fix, lines, lang)

    def comes_later(self, fix: str) -> bool:
        """Whether a fix is not for this reader to apply, so that what the reader can do oneself comes first."""
        if not self.without_root:
            return False
        from triage.report.audience.rights import OF_DRIVERS

        return fix in OF_DRIVERS

    @cached_property
    def programs(self) -> frozenset[str]:
        """The programs that the reader runs, by the names that cases and fixes have for them."""
        trainers = {str(fact.get("name")) for fact in self._model.facts("trainer")}
        own = {*self.interface, *(self.uses & frameworks.TRAINS), *trainers, self.served} - {""}
        return frozenset(own | {"llama.cpp", "ollama", "llama-cpp-python"} if "ggml" in own else own)

    def _kinds(self, framework: str) -> Iterable[str]:
        if self.only_infers(framework):  # any words of its framework say more
            yield "inference"
        if self.interface == {"app"}:  # any words of its framework say more
            yield "app"
        if framework in programs.OF_PROGRAMS or framework == "llama-cpp-python":
            yield "native"
        if framework == "llama-cpp-python":
            yield "ggml"
        if framework in frameworks.IN_RUST:
            yield "rust"
        yield framework
        if self.around_ggml and framework in ("ggml", "native", "cuda", ""):
            yield self.around_ggml
        if self.served != framework:
            yield self.served
        if "triton-server" in self.uses and framework != "triton-server":
            yield "triton-server"
        if self.uses & frameworks.TRAINS:
            yield "trainer"
        yield from sorted(self.uses & frameworks.TRAINS)
        if self.server:
            yield "server"
        if self.on_windows and framework != "r-torch":  # what R takes is the same everywhere
            yield "windows"
        if len(self.interface) == 1:
            yield from self.interface - {"app"}
        if self.own_python:
            yield "own-python"
        if self.in_notebook:
            yield "kaggle" if self.remarks("kaggle") else "colab"
        if self.desktop:
            yield "desktop"
            yield self.desktop
        if self.engine:
            yield self.engine
        if self.in_wsl:
            yield "wsl"
        if self.on_jetson:
            yield "jetson"
        yield self.maker(framework)
        if self.on_windows and self.maker(framework):
            yield f"{self.maker(framework)}-windows"
        if framework in programs.WITHOUT_PYTHON:
            yield f"native-{self.maker(framework)}"

    def maker(self, framework: str) -> str:
        """Who made the GPUs, by the message or else by the text, where that is not NVIDIA; '' otherwise."""
        return (
            frameworks.MADE_BY.get(framework)
            or next((str(fact.get("name")) for fact in self._model.facts("maker")), "")
            or self._maker_of_messages
        )

    def _as_made(self, framework: str) -> Maker | None:
        """What the maker of the GPUs calls things; None where that is NVIDIA, or a maker whose words are not known."""
        name = self.maker(framework)
        if not name:
            return None
        from triage.report.audience.makers import Maker  # few GPUs are of other makers

        return next(iter(self._tables.made("makers", Maker, maker=name)), None)

    @cached_property
    def _maker_of_messages(self) -> str:
        """Who made the GPUs by what printed the messages, where all of those that tell it tell the same."""
        told = {frameworks.MADE_BY.get(str(fact.get("framework"))) for fact in self._model.facts("signal")} - {None}
        return str(told.pop()) if len(told) == 1 else ""

    @cached_property
    def _launcher(self) -> str:
        return launchers.launcher({str(fact.get("value")) for fact in self.remarks("launched-by")})

    def remarks(self, topic: str) -> list[Any]:
        """What the text shows of a topic."""
        return [fact for fact in self._model.facts("remark") if fact.get("topic") == topic]

    @cached_property
    def _written_in(self) -> str:
        """What the program is written in where that is known, and no Python beside it; '' otherwise."""
        shown = sorted(str(fact.get("value")) for fact in self.remarks("program"))
        return "" if not shown or programs.speaks_of_python(line.raw for line in self._log.lines) else shown[0]

    @cached_property
    def _named(self) -> str:
        """The one framework that frames and versions name, where PyTorch is not among them."""
        return frameworks.named(self._packages)

    @cached_property
    def _packages(self) -> frozenset[str]:
        """What frames and versions of the text are of."""
        return frozenset(str(fact.get("package")) for template in ("frame", "version") for fact in self._model.facts(template))

    @cached_property
    def _shown(self) -> str:
        """The framework that the words of the text show."""
        return frameworks.shown(self.text, bool(self.remarks("built-by-make") or self.remarks("compiled-by-hand")))

    @cached_property
    def text(self) -> str:
        """The text in small letters."""
        return "\n".join([line.raw for line in self._log.lines]).lower()
