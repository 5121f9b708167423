"""What the words in capitals in lines to paste stand for, said where the text does not tell it."""

from __future__ import annotations

from collections.abc import Sequence

from triage.reading.lazy import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from triage.report.model import Fix

# What shows that a line has such a word, and what it stands for; of several that share a word the first that fits.
_SAID: Final = (
    (Pattern(r"custom_nodes/NODE\b"), "NODE",
     "the directory of the node under custom_nodes",
     "custom_nodes 下该节点的目录名"),
    (Pattern(r"(?:build-isolation|--only-binary|--no-binary|MAX_JOBS)\b.*\bPACKAGE\b"), "PACKAGE",
     "the package with the compiled code",
     "含编译代码的那个包"),
    (Pattern(r"-m pip install PACKAGE\b"), "PACKAGE",
     "the package that is missing",
     "缺少的那个包"),
    (Pattern(r"\bPACKAGE\b"), "PACKAGE",
     "the package that the message comes from",
     "报错所属的包"),
    (Pattern(r"cuda-toolkit=(?:VERSION|TOOLKIT)\b"), "",
     "The version of the toolkit is what torch.version.cuda shows",
     "工具包版本即 torch.version.cuda 显示的版本"),
    (Pattern(r"pip install [^\n]*==VERSION\b"), "VERSION",
     "one of the releases that pip index versions lists, with the name of the package behind it",
     "要安装的版本，可用 pip index versions 加包名列出"),
    (Pattern(r"/cuda-TOOLKIT\b"), "TOOLKIT",
     "the version in the name of that directory: ls -d /usr/local/cuda*",
     "该目录名中的版本，可用 ls -d /usr/local/cuda* 查看"),
    (Pattern(r"(?<=[(=])NAME(?=[,)])|(?:serve|api_server|--model-path|--model-id|--model) NAME\b"), "NAME",
     "the name or directory of the model",
     "模型名称或目录"),
    (Pattern(r"\bMODEL\.gguf\b"), "MODEL.gguf",
     "the file of the model",
     "模型文件"),
    (Pattern(r"'NAME\*'|grep NAME\b"), "NAME",
     "the file that the message names",
     "报错中指出的文件名"),
    (Pattern(r"\bFILE\.so\b"), "FILE.so",
     "the file that the message names",
     "报错中指出的文件"),
    (Pattern(r"amd-smi .*\bGPU_ID\b"), "GPU_ID",
     "the number that amd-smi list shows",
     "amd-smi list 显示的编号"),
    (Pattern(r"\bGPU_ID\b"), "GPU_ID",
     "the number that nvidia-smi -L shows",
     "nvidia-smi -L 显示的编号"),
    (Pattern(r"\bFREE_GPU\b"), "FREE_GPU",
     "the number of a GPU that is free",
     "空闲 GPU 的编号"),
    (Pattern(r"py-spy .*\bPID\b"), "PID",
     "the process of a rank, as pgrep -af python lists them",
     "某个 rank 的进程号，可用 pgrep -af python 列出"),
    (Pattern(r"kill .*\bPID\b|/PID PID\b"), "PID",
     "the number of that process in the list",
     "列表中该进程的编号"),
    (Pattern(r"kubectl exec POD\b"), "POD",
     "the name of the pod",
     "Pod 的名称"),
    (Pattern(r"kubectl describe node NODE\b"), "NODE",
     "the name of the node",
     "节点的名称"),
    (Pattern(r"\bIMAGE\b"), "IMAGE",
     "the image that the container is made from",
     "容器所用的镜像"),
    (Pattern(r"\bMASTER_ADDR\b"), "MASTER_ADDR",
     "the address of the node with rank 0",
     "rank 0 所在节点的地址"),
    (Pattern(r"\bMASTER_PORT\b"), "MASTER_PORT",
     "the port that the ranks are started with",
     "启动各 rank 时所用的端口"),
    (Pattern(r"\bFRAMEWORK\b"), "FRAMEWORK",
     "torch, tensorflow or jax, as the program needs",
     "程序所用的框架：torch、tensorflow 或 jax"),
    (Pattern(r"\bPROGRAM\b"), "PROGRAM",
     "the command that starts the program",
     "启动该程序的命令"),
    (Pattern(r"\bCAPABILITY\b"), "CAPABILITY",
     "what nvidia-smi --query-gpu=compute_cap --format=csv shows",
     "nvidia-smi --query-gpu=compute_cap --format=csv 显示的数值"),
    (Pattern(r"-i CARD\b"), "CARD",
     "the number that npu-smi info shows",
     "npu-smi info 显示的编号"),
    (Pattern(r"(?<![\w*-])LOG(?=$| \|)"), "LOG",
     "the log files of the ranks",
     "各 rank 的日志文件"),
)  # fmt: skip
_HOLE: Final = Pattern(r"[A-Z][A-Z_.]{2,}")


def explain_words(fixes: Sequence[Fix], lang: str) -> None:
    """Add to each fix what stands in its lines for a value that nobody told, each word once in a list of fixes."""
    told: set[str] = set()
    for fix in fixes:
        text = "\n".join(fix.commands)
        if not _HOLE.search(text):
            continue
        found: dict[str, str] = {}
        for pattern, word, *said in _SAID:
            if (
                word not in found
                and word not in told
                and (word or "torch.version.cuda") not in (fix.detail if word else fix.detail + text)
                and pattern.search(text)
            ):
                found[word] = said[lang == "zh"]
        told.update(found)
        fix.detail = _together(fix.detail, [_sentence(word, said, lang) for word, said in found.items()], lang)


def without_words(detail: str) -> str:
    """What a fix says, without what was added for lines that are not shown."""
    for sentence in _ADDED:
        detail = detail.replace(sentence, "")
    return detail.strip()


def _sentence(word: str, said: str, lang: str) -> str:
    if lang == "zh":
        return f"{word} 指{' ' if said[0].isascii() else ''}{said}。" if word else f"{said}。"
    return f"{word} is {said}." if word else f"{said}."


def _together(detail: str, sentences: list[str], lang: str) -> str:
    if not sentences:
        return detail
    if detail and not detail.endswith((".", "。", "!", "?", "？", "！", "…", ":", "：")):
        detail += "。" if lang == "zh" else "."
    return ("" if lang == "zh" else " ").join([*([detail] if detail else []), *sentences])


_ADDED: Final = tuple(_sentence(word, said[lang == "zh"], lang) for _, word, *said in _SAID for lang in ("en", "zh"))
