"""Scripts of a shell and files of settings that stand in a text as they are: what they remark, print and compare was never printed.

Such lines get the role 'code'. What a script sets and runs keeps its role, for it tells of the machine; so does what fits neither, which is
what somebody says of the script, or what it printed.
"""

from __future__ import annotations

from triage.reading.lazy import Pattern
from triage.reading.log import NO_PREFIX, Line
from triage.reading.prose import ERROR_LINE

_MOST_LINES = 2000  # of a script that somebody wrote
_FITS = 0.85  # of the lines that hold anything
_FEWEST_STATEMENTS, _FEWEST_KEYS = 3, 4
# What nothing but a shell reads: where a block ends, what is exported, what is asked of the cluster.
_SURE = Pattern(
    r"\s*(?:fi|done|esac)\b\s*(?:$|[;&|<>#)])|#! ?/(?:usr/)?bin/(?:env )?(?:ba|da|z|k)?sh\b"
    r"|#(?:SBATCH|PBS|BSUB|\$) -|\s*set -[a-zA-Z]{1,6}\b"
    r"|\s*export [A-Za-z_]\w*=|.{0,400}; (?:then|do)\s*$|\s*(?:function )?[\w:-]{1,60}(?: ?\(\))? \{\s*$|\s*(?:readonly|local) [a-z_]\w*"
)
_STATEMENT = Pattern(
    r"\s*(?:(?:export |local |readonly |declare (?:-\w+ )?)?[A-Za-z_]\w*(?:\[[^\]]{0,40}\])?\+?=\S*|[A-Za-z_]\w*=[\"'(].*"
    r"|(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|function|return|exit|break|continue|set|source|\.|trap|shift|local|export"
    r"|unset|eval|exec|cd|echo|printf|mkdir|rm|cp|mv|ln|cat|tee|grep|sed|awk|sleep|wait|kill|ulimit|module|conda|mamba|micromamba|uv|pip3?"
    r"|python3?|torchrun|accelerate|deepspeed|srun|sbatch|mpirun|sudo|apt|apt-get|yum|dnf|docker|podman|kubectl|git|curl|wget|tar|chmod|chown"
    r"|nohup|nvidia-smi|nvcc|make|cmake|ninja|bash|sh|time|date|test|true|false|command|which|read|tail|head|ps|env|touch|find)(?:\s.*|;.*|$)"
    r"|[\w:.-]{1,60} [\"'$-].*|[{}()\]]+[;,)]*(?:\s.*)?|;;|\[{1,2} .*|-{1,2}[A-Za-z][\w-]*(?:[ =].*)?"
    r"|.*(?:\\|\||&&|\{|;;)\s*$|(?:\||&&|>|<).*"
    r"|[\w.*?/|\"'-]{1,80}\)(?:\s.*)?|[\"'].*|\$.*|\"?[\w./-]+\"?|[\w:-]{1,60} ?\(\) ?\{.*|<<.*|EOF)\s*$"
)
_REMARK = Pattern(r"\s*#")
_HEREDOC = Pattern(r".{0,400}<<-?\s?[\"']?(\w{1,40})[\"']?")
# A call with what it prints or is given to compare; a program that is run, or what is set, is none.
_PRINTS = Pattern(
    r"\s*(?:\w{0,12}echo|printf|\w{0,30}(?:log|err|error|warn|warning|info|die|fail|fatal|msg|say|note|ok|skip)\w{0,12}"
    r"|[\w:]{0,40}::\w{1,20}|assert\w{0,20}|[efz]?grep|read)\b.{0,20}[\"'].*"
    r"|.{0,300}(?:\$\(|`|\| ?)(?:sudo |dmesg \| ?)?[efz]?grep (?:-\w+ )*[\"'].*"
    r"|.{0,400}(?:\|\||&&) (?:\{ ?)?\w[\w:]{1,30} [\"'].*[\"'].*"
)
_KEY = Pattern(r"\s*(?:- )?[\"']?[\w./-]{1,60}[\"']?\s?:(?:\s.*|$)|\s*- \S.*|\s*[\]}\[{],?\s*$|---\s*$")  # of YAML


def mark_scripts(lines: list[Line]) -> None:
    """Mark remarks, and calls that print or compare, of a text that is a script; remarks of a file of settings."""
    if len(lines) > _MOST_LINES or any(line.prefix is not NO_PREFIX for line in lines):
        return
    spoken = [line for line in lines if line.text.strip() and line.role in ("output", "prose", "code")]
    if any(ERROR_LINE.match(line.text) for line in spoken):
        return
    script = _is_script(lines, spoken)
    if not (script or _is_settings(spoken)):
        return
    for line in spoken:
        if line.role != "code" and (_REMARK.match(line.text) or (script and _PRINTS.match(line.text))):
            line.role = "code"


def _is_script(lines: list[Line], spoken: list[Line]) -> bool:
    """Whether nearly all lines are what a shell reads, and some can be nothing else."""
    sure = sum(_SURE.match(line.text) is not None for line in spoken)
    statements = sum(not _REMARK.match(line.text) for line in spoken)
    if not sure or statements < _FEWEST_STATEMENTS:
        return False
    return _fitting(lines) >= _FITS * len(spoken)


def _fitting(lines: list[Line]) -> int:
    """How many lines are remarks, statements, or stand in what is handed to a program as its input."""
    fitting = 0
    end = ""
    for line in lines:
        text = line.text
        if not text.strip():
            continue
        if end:
            fitting += 1
            end = "" if text.strip() == end else end
        elif _REMARK.match(text) or _STATEMENT.match(text):
            fitting += 1
            opened = _HEREDOC.match(text) if "<<" in text else None
            end = opened[1] if opened else ""
    return fitting


def _is_settings(spoken: list[Line]) -> bool:
    """Whether all lines are keys, items or remarks, as in YAML."""
    keys = sum(_KEY.match(line.text) is not None for line in spoken)
    remarks = sum(_REMARK.match(line.text) is not None for line in spoken)
    return keys >= _FEWEST_KEYS and remarks > 0 and keys + remarks == len(spoken)
