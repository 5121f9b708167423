"""Command lines that a text shows, and their options."""

from __future__ import annotations

import re

from triage.facts import Observation
from triage.parsers.seen import observe, observe_option
from triage.reading import Block, Line, Log
from triage.reading.lazy import Pattern

MAX_COMMANDS = 60
MAX_OPTIONS = 300
_MAX_TOKENS = 400
_MAX_CONTINUATIONS = 80

_PROMPT = (
    r"[ \t]{0,24}(?:[$%#>] ?|>>> ?|\++ |!|PS [A-Za-z]:[^>\n]{0,200}>\s?|[A-Za-z]:\\[^>\n]{0,200}>\s?"
    r"|(?:\([\w.-]{1,40}\) ?)?\[?[\w.-]{1,60}@[\w.-]{1,80}[: ~][^$#%\n]{0,200}[$#%] ?|\([\w.-]{1,40}\) [$#%]? ?"
    r"|(?:[Cc]ommand|cmd|CMD|COMMAND|[Rr]unning(?: command)?|[Ee]xecuting|ENTRYPOINT|RUN|\u547d\u4ee4\u884c?\u662f?)\s?[:=\uff1a]?\s?|`)?"
)
_WRAPPERS = (
    r"(?:(?:sudo|nohup|time|exec|env|numactl(?: -\S{1,40}){0,4}|uv run|poetry run|pipenv run"
    r"|conda run(?: -n \S{1,60})?|stdbuf \S{1,10}|nice|setsid) "
    r"|[A-Za-z_]\w{0,60}=(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'|[^\s\"']{0,300}) ){0,12}"
)
# name of the command → what must follow, so that prose ("python is slow") is no command
_COMMANDS = (
    ("python", r"(?:\S{0,120}[\\/])?python[0-9.]{0,5}(?:\.exe)?(?= +(?:-[a-zA-Z]|\S{1,300}\.py\b))"),
    ("torchrun", r"(?:\S{0,120}/)?torchrun(?= +\S)"),
    ("deepspeed", r"(?:\S{0,120}/)?deepspeed(?= +(?:-|\S{1,300}\.py\b))"),
    ("accelerate", r"(?:\S{0,120}/)?accelerate(?= +(?:launch|config|env|test|estimate-memory)\b)"),
    ("vllm", r"(?:\S{0,120}/)?vllm(?= +(?:serve|bench|chat|complete|run-batch)\b)"),
    ("docker", r"(?:docker|podman|nvidia-docker)(?= +(?:run|exec|compose|build|pull|start|logs|container)\b)"),
    ("docker-compose", r"docker-compose(?= +\S)"),
    ("mpirun", r"(?:mpirun|mpiexec(?:\.hydra)?|orterun|horovodrun)(?= +-)"),
    ("srun", r"srun(?= +(?:-|python|bash))"),
    ("sbatch", r"sbatch(?= +\S{1,300}\.(?:sh|slurm|sbatch|job)\b)"),
    ("nvidia-smi", r"nvidia-smi(?= +-|\s*$| +(?:topo|nvlink|mig)\b)"),
    ("pip", r"(?:\S{0,120}/)?pip[0-9.]{0,4}(?= +(?:install|list|freeze|uninstall|show|download|check)\b)"),
    ("conda", r"(?:conda|mamba|micromamba)(?= +(?:install|create|activate|list|env|update)\b)"),
    ("uv", r"uv(?= +(?:pip|sync|add)\b)"),
    ("llamafactory-cli", r"llamafactory-cli(?= +\S)"),
    ("swift", r"swift(?= +(?:sft|infer|rlhf|deploy|export|pt)\b)"),
    ("xtuner", r"xtuner(?= +\S)"),
    ("colossalai", r"colossalai(?= +run\b)"),
    ("tune", r"tune(?= +run +\S)"),
    ("axolotl", r"axolotl(?= +(?:train|preprocess|inference|evaluate|merge-lora)\b)"),
    ("trl", r"trl(?= +(?:sft|grpo|dpo|kto|rloo|reward|vllm-serve)\b)"),
    ("lmdeploy", r"lmdeploy(?= +(?:serve|lite|chat|convert)\b)"),
    ("ollama", r"ollama(?= +(?:run|serve|pull|create|ps)\b)"),
    ("server", r"(?:trtllm-serve|text-generation-launcher|text-embeddings-router|sglang|xinference|mlc_llm|infinity_emb)(?= +\S)"),
    ("ray", r"ray(?= +(?:start|job|submit|status|stop)\b)"),
    ("kubectl", r"kubectl(?= +\S)"),
    ("jupyter", r"jupyter(?:-lab|-notebook)?(?= +\S)"),
    ("llama.cpp", r"(?:\S{0,120}/)?(?:llama-(?:cli|server|bench|quantize)|main)(?= +-)"),
    ("trtexec", r"(?:\S{0,120}/)?trtexec(?= +-)"),
    ("trtllm-build", r"trtllm-build(?= +-)"),
    ("make", r"make(?= +[-\w])"),
    ("cmake", r"cmake(?= +[-.\w/])"),
    ("bash", r"(?:bash|sh|source)(?= +\S{1,300}\.sh\b)"),
    ("script", r"\./[\w./-]{1,200}(?= +-)"),
)  # fmt: skip
# A line is looked at only where one of these stands, which costs one search of the whole text each.
_PYTHON_WORD = Pattern(r"python[0-9.]{0,5}(?:\.exe)? ")
_LITERALS = (
    "torchrun ", "deepspeed ", "accelerate ", "vllm ", "docker", "podman ", "mpirun ", "mpiexec", "orterun ", "horovodrun ", "srun ",
    "sbatch ", "nvidia-smi", "pip ", "pip3 ", "conda ", "mamba ", "uv ", "llamafactory-cli ", "swift ", "xtuner ", "lmdeploy ", "ollama ",
    "ray ", "kubectl ", "jupyter", "llama-", "trtexec ", "trtllm-build ", "make ", ".sh", "./",
)  # fmt: skip
_COMMAND = Pattern(_PROMPT + _WRAPPERS + "(?:" + "|".join(f"({pattern})" for _, pattern in _COMMANDS) + ")")
_INLINE = Pattern(
    r"`((?:python|torchrun|deepspeed|accelerate launch|vllm serve|docker run|mpirun|srun|CUDA_VISIBLE_DEVICES)[^`\n]{1,500})`"
)
# Servers that a line starts behind words of somebody's: "on an A100: vllm serve …"
_BEHIND_WORDS = Pattern(
    r"(?<=[\s:,.;(\uff1a\uff0c\u3002`])(?:vllm(?= serve )|(?:python3? -m )(?=sglang\.launch_server |vllm\.entrypoints|fastchat\.serve)"
    r"|docker(?= run )|(?:trtllm-serve|text-generation-launcher|lmdeploy|llama-server|aphrodite)(?= \S))"
)
_TOKEN = Pattern(r"\"([^\"]{0,500})\"|'([^']{0,500})'|[^\s\"']{1,500}(?:\"[^\"]{0,500}\"|'[^']{0,500}')?|[\"']")
_OPTION_NAME = Pattern(r"--?([A-Za-z][\w.-]{0,80})(?:=(.*))?\Z", re.DOTALL)
_LIST_OPTION = Pattern(
    r"[ \t]{0,40}(?:- )?(?:(?:[Cc]ommand|[Aa]rgs|ARGS|[Aa]rguments|[Ff]lags|[Oo]ptions|\u53c2\u6570"
    r"|(?:(?:@?[Ss]et|SET|export) [\"']?)?COMMANDLINE_ARGS|Launching Web UI with arguments)\s?[:=\uff1a]\s?)?[\"'`]?--[A-Za-z]"
)
# What a container starts, as files of Compose and Kubernetes and Dockerfiles name it: a command line, or a list of its words.
_STARTED = Pattern(r"[ \t]{0,40}(?:- )?(?:(?:command|args|entrypoint)[\"']?[ \t]?:|CMD|ENTRYPOINT)[ \t]{1,4}(?=[\[\"'A-Za-z-])")
_WORD_OF_A_LIST = Pattern(r"\"([^\"\n]{1,1000})\"|'([^'\n]{1,1000})'|(?<=[\[, ])([^\s\[\],\"']{1,300})")
_ITEM = Pattern(r"[ \t]{0,40}- ([\"']?)([^\"'\n#]{1,200})\1[ \t]*\Z")
_DESCRIBED = Pattern(r" {2,}[^\s-]")
_PROSE_OPTION = Pattern(r"(?:(?<=[\s`\"'(])|^)--[A-Za-z][\w.-]{1,80}(?:[= ](?!-)[\"']?[\w./:,{}-]{1,200})?")
_NOT_SET = (
    "usage:", "unrecognized arguments", "the following arguments", "no such option", "deprecated", "No such option",
    # what a server proposes itself
    "to a smaller value", "isable cuda graph by --", "isable CUDA graph by --", "by not using --", "try to increase --",
)  # fmt: skip
_PASSTHROUGH = frozenset(("m", "c", "u", "e", "v", "it", "i", "t", "f", "r", "y", "h", "x", "U", "V", "O", "W"))
_WORDS_AFTER_FLAG = (".py", ".sh", ".yaml", ".ipynb")


class _Options:
    """Options found, each once."""

    def __init__(self) -> None:
        self.observations: list[Observation] = []
        self._seen: set[tuple[str, str]] = set()

    def add(self, name: str, value: str, line: Line) -> None:
        name = name.strip("-").replace("-", "_").lower()
        value = value.strip().strip("\"'`").rstrip("\\").strip()[:200]
        if (name, value) in self._seen or len(self.observations) >= MAX_OPTIONS or not name:
            return
        self._seen.add((name, value))
        self.observations.append(observe_option(name, value, line))


def parse_commands(log: Log) -> list[Observation]:
    """Facts `command` (name, and the whole command line as value) and `option` of command lines.

    Names of options lose their dashes, inner dashes become underscores; a flag without a value is "true".
    """
    commands: list[Observation] = []
    options = _Options()
    for block in log.blocks():
        done = -1
        for index in _candidates(block):
            line = block.lines[index]
            if index <= done or line.role in ("source", "diff") or len(line.text) > 16384:
                continue
            done = _look(block.lines, index, commands, options)
    return commands + options.observations


def _candidates(block: Block) -> list[int]:
    """Indices of the lines that may hold a command or an option."""
    text = block.text
    starts = block.starts
    found = {block.index(match.start()) for match in _PYTHON_WORD.finditer(text)} if "python" in text else set()
    for literal in (*_LITERALS, "--"):
        offset = text.find(literal)
        while offset >= 0:
            index = block.index(offset)
            found.add(index)
            if index + 1 >= len(starts):
                break
            offset = text.find(literal, starts[index + 1])
    return sorted(found)


def _look(lines: list[Line], index: int, commands: list[Observation], options: _Options) -> int:
    """Read what a line says of commands and options; gives the index of the last line that belongs to it."""
    line = lines[index]
    text = line.text
    started = _STARTED.match(text) if "--" in text else None
    if started is not None and _declared(text[started.end() :], line, commands, options):
        return index
    match = _COMMAND.match(text)
    if match is not None and match.lastindex is not None and len(commands) < MAX_COMMANDS:
        spoken = [line]
        while _continued(spoken[-1].text) and index + 1 < len(lines) and len(spoken) < _MAX_CONTINUATIONS:
            index += 1
            spoken.append(lines[index])
        _command(_COMMANDS[match.lastindex - 1][0], match.start(match.lastindex), spoken, commands, options)
    else:
        if "--" in text and not (index + 1 < len(lines) and _in_two_items(line, lines[index + 1], options)):
            behind = _BEHIND_WORDS.search(text) if line.role in ("prose", "output") else None
            if behind is not None and "--" in text[behind.start() :]:
                _options(_until_sentence(text[behind.start() :]).partition("`")[0], [line], options)
            else:
                _loose(line, options)
        if "`" in text and line.role == "prose":
            for inline in _INLINE.finditer(text):
                _options(inline[1], [line], options)
    return index


def _declared(text: str, line: Line, commands: list[Observation], options: _Options) -> bool:
    """Read what a container starts, where the whole of it stands in one line."""
    if text.startswith("["):
        if not text.rstrip().endswith("]"):
            return False
        text = " ".join(found[1] or found[2] or found[3] for found in _WORD_OF_A_LIST.finditer(text))
    else:
        text = text.strip().strip("\"'")
    if text.endswith(("\\", "|", ">", ">-")):
        return False
    match = _COMMAND.match(text)
    if match is not None and match.lastindex is not None and len(commands) < MAX_COMMANDS:
        value = text[match.start(match.lastindex) :][:1000]
        commands.append(observe("command", {"name": _COMMANDS[match.lastindex - 1][0], "value": value}, line))
    _options(text, [line], options)
    return True


def _in_two_items(line: Line, following: Line, options: _Options) -> bool:
    """Read an option and its value where both are items of a list."""
    item, value = _ITEM.match(line.text), _ITEM.match(following.text)
    named = _OPTION_NAME.match(item[2].strip()) if item is not None and item[2].startswith("--") else None
    if named is None or named[2] is not None or value is None or value[2].startswith("-"):
        return False
    options.add(named[1], value[2], line)
    return True


def _until_sentence(text: str) -> str:
    """The command alone, where Chinese prose goes on behind it."""
    for mark in "\uff0c\u3002\uff1b\uff09\u3001":
        text = text.partition(mark)[0]
    return text


def _continued(text: str) -> bool:
    stripped = text.rstrip()
    return stripped.endswith("\\") or (stripped.endswith(("^", "`")) and " -" in stripped)


def _command(name: str, start: int, spoken: list[Line], commands: list[Observation], options: _Options) -> None:
    text = spoken[0].text[start:] + "".join("\n" + line.text for line in spoken[1:])
    if not text.isascii():
        text = _until_sentence(text)
    value = " ".join(part.strip().rstrip("\\^`").strip() for part in text.split("\n"))
    commands.append(observe("command", {"name": name, "value": value[:1000]}, spoken[0], *spoken[1:4]))
    _options(text, spoken, options)


def _options(text: str, spoken: list[Line], options: _Options) -> None:
    """Options of a command line; each is shown by the line it stands in."""
    tokens: list[tuple[str, int]] = []
    row = 0
    position = 0
    for match in _TOKEN.finditer(text):
        row += text.count("\n", position, match.start())
        position = match.start()
        token = match[1] if match[1] is not None else match[2] if match[2] is not None else match[0]
        if token not in ("\\", "^", "`"):
            tokens.append((token, min(row, len(spoken) - 1)))
        if len(tokens) >= _MAX_TOKENS:
            break
    for index, (token, where) in enumerate(tokens):
        named = _OPTION_NAME.match(token) if token.startswith("-") else None
        if named is None:
            continue
        name, value = named[1], named[2]
        if not token.startswith("--") and name in _PASSTHROUGH:
            continue
        if value is None:
            following = tokens[index + 1][0] if index + 1 < len(tokens) else ""
            takes = (
                bool(following)
                and (not following.startswith("-") or following[1:2].isdigit())
                and not following.endswith(_WORDS_AFTER_FLAG)
            )
            if following in ("&&", "|", ";", ">", ">>", "2>&1", "&", "#"):
                takes = False
            value = following if takes else "true"
        options.add(name, value, spoken[where])


def _loose(line: Line, options: _Options) -> None:
    """Options outside commands: lists of arguments, one a line, and what prose mentions."""
    text = line.text
    if _LIST_OPTION.match(text) and not text.lstrip().startswith("---"):
        if any(mark in text for mark in _NOT_SET):
            return
        stripped = text[text.index("--") :].strip(" `'\"").rstrip(",")
        if line.role != "prose" and not stripped.endswith("\\") and _DESCRIBED.search(stripped):
            return  # a help text: option and description in columns
        _options(stripped.replace('", "', " ").replace('"', ""), [line], options)
    elif line.role == "prose" and not any(mark in text for mark in _NOT_SET):
        for match in _PROSE_OPTION.finditer(text):
            name, separator, value = match[0].partition("=" if "=" in match[0] else " ")
            known = separator == "=" or (bool(value) and (value[0].isdigit() or value in ("auto", "true", "false", "True", "False")))
            options.add(name, value.rstrip(".,:") if known else "true", line)
