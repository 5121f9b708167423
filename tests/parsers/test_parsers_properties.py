"""What holds for any input: parsers never raise, keep to the vocabulary, and show the lines they read from."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from parser_support import check_observation

from triage.parsers import parse
from triage.reading import read

SNIPPETS = [
    "Traceback (most recent call last):", '  File "/home/a/train.py", line 3, in f', "    g(x=1)", "    ^^^^",
    "RuntimeError: CUDA out of memory", "ValueError", "During handling of the above exception, another exception occurred:",
    "The above exception was the direct cause of the following exception:", "Original Traceback (most recent call last):",
    "KeyError  Traceback (most recent call last)", "Cell In[3], line 2", "----> 2 f(x)", "File ~/a.py:12, in f(x)",
    "\u256d\u2500 Traceback (most recent call last) \u2500\u256e", "\u2502 /a/b.py:12 in f \u2502", "\u2502 \u2771 12 \u2502 f(x) \u2502",
    "a.py:3: in f", "E   ValueError: x", "  + Exception Group Traceback (most recent call last):", "  | ValueError: x",
    "    +---- 1 ----", "ray::f() (pid=1)", "Exception ignored in: <f>", "export PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:,x:1,[",
    "XLA_FLAGS=--a --b=", 'os.environ["A_B"]=str(1)', "- name: NCCL_X\n  value: 1", "A=1 B= C='", "$ python train.py --a --b=1 -c 'x \\",
    "  --d 4 \\", "docker run -e X_Y=1 --gpus all", "`python a.py --x`", "I use --flag=1 and --other 2", "--", "---", "a_key: 1",
    '"a_key": [1, 2],', "f(a_key=True, b='x', c=)", "x = 1", "Num Things = 8,024", "=====", "===", "a==", "torch==2.1.0+cu118",
    "torch 2.1.0.post1", "CUDA Version: 12.4", "python3.10/", "NCCL version 2.18.1+cuda12.1", "Successfully installed a-1.0 b-2",
    "Package Version\n------- -------\na 1.0", "cuDNN version 8907",
    "|   0  Tesla V100-SXM2...  On   | 00000000:00:1E.0 Off |                    0 |",
    "| N/A   42C    P0    36W / 300W |   4512MiB / 16130MiB |      5%      Default |",
    "|    0     12345      C   python          4500MiB |", "GPU 0: Tesla T4 (UUID: GPU-1)",
    "device: 0, name: T4, pci bus id: 0000:00:04.0", "Device 0: RTX 3090, compute capability 8.6", "two A100 80GB", "3090 cards",
    " 45%|##  | 9/20 [00:01<00:02]", "x: 100%|#| 1e9/?k", "3/4 [===>", "Llama-2-7b-chat", "70B model", "9999B model",
    "Process 12 has 3.00 GiB memory in use.", "```", "```python", "I wonder why.", "", "    ", "\u663e\u5361\u9a71\u52a8 460.80\uff0c",
    "[rank0]: ", "1.2.3.4.5.6", "v1.", "0" * 40 + ".1", "-1", "(" * 50, "\u0663.\u0664", "\u00b2",
]  # fmt: skip
PREFIXES = ["", "", "[rank0]: ", "[rank1]: ", "(Worker pid=7) ERROR 01-02 03:04:05 [a.py:6] ", "> ", "0: ", "\x1b[31m"]
lines = st.builds(str.__add__, st.sampled_from(PREFIXES), st.one_of(st.sampled_from(SNIPPETS), st.text(max_size=40)))
texts = st.lists(st.one_of(lines, st.tuples(lines, lines).map("".join)), max_size=30).map("\n".join)


@given(texts)
@settings(max_examples=500, deadline=None)
def test_observations_keep_to_the_vocabulary(text: str) -> None:
    raw_lines = text.encode("utf-8", "replace").decode().split("\n")
    for seen in parse(read(text)):
        check_observation(seen, raw_lines)


@given(texts)
@settings(max_examples=100, deadline=None)
def test_parsing_is_deterministic(text: str) -> None:
    assert repr(parse(read(text))) == repr(parse(read(text)))


@given(st.binary(max_size=400))
@settings(max_examples=200, deadline=None)
def test_parsers_take_any_bytes(data: bytes) -> None:
    parse(read(data))


def traceback_lines(number: int, depth: int) -> list[str]:
    lines = ["Traceback (most recent call last):"]
    for level in range(depth):
        lines += [f'  File "/home/u{number}/a{level}.py", line {level + 1}, in f{level}', f"    call_{level}()"]
    return [*lines, f"RuntimeError: number {number}"]


@given(st.lists(st.integers(0, 6), min_size=1, max_size=5), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_interleaving_of_ranks_changes_nothing(depths: list[int], random: object) -> None:
    """However the lines of several ranks are mixed, each rank's traceback is the one it printed."""
    queues = [[f"[rank{rank}]: {line}" for line in traceback_lines(rank, depth)] for rank, depth in enumerate(depths)]
    mixed = []
    while any(queues):
        rank = random.choice([rank for rank, queue in enumerate(queues) if queue])  # type: ignore[attr-defined]
        mixed.append(queues[rank].pop(0))
    seen = parse(read("\n".join(mixed)))
    for rank, depth in enumerate(depths):
        own = [observation for observation in seen if observation.slots.get("rank") == rank]
        frames = [observation.slots for observation in own if observation.template == "frame"]
        assert [(frame["path"], frame["depth"], frame.get("code")) for frame in frames] == [
            (f"/home/u{rank}/a{level}.py", level, f"call_{level}()") for level in range(depth)
        ]
        assert [observation.slots["message"] for observation in own if observation.template == "exception"] == [f"number {rank}"]
        assert len({observation.slots["traceback"] for observation in own}) == 1


UNITS = ["a=", "--x ", "1.1 ", "A_B=1 ", "(", "[", "a.b.", '"', "x: ", "|", "File ", "%|", "\u663e", "RTX ", "A100 ", "7B "]


@given(st.integers(1, 40), st.sampled_from(UNITS))
@settings(max_examples=60, deadline=None)
def test_repetition_is_harmless(count: int, unit: str) -> None:
    """Long runs of what patterns start with end in bounded time and bounded results."""
    assert len(parse(read(unit * (count * 500)))) < 2000
