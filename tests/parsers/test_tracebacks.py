"""Python tracebacks in every form in which people paste them."""

from __future__ import annotations

import pytest
from parser_support import facts, values

from triage.parsers.frames import is_user_code, operator_of, package_of

PLAIN = """Traceback (most recent call last):
  File "/home/ann/train.py", line 10, in <module>
    main()
  File "/home/ann/train.py", line 7, in main
    loss = model(batch)
           ^^^^^^^^^^^^
  File "/opt/conda/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1511, in _wrapped_call_impl
    return self._call_impl(*args, **kwargs)
torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.
"""


def frames(text: str) -> list[tuple[object, ...]]:
    return [(f.get("path"), f.get("source_line"), f.get("function"), f.get("code")) for f in facts(text, "frame")]


def exceptions(text: str) -> list[tuple[object, ...]]:
    return [(e["type"], e["message"]) for e in facts(text, "exception")]


def test_frames_and_exception() -> None:
    assert frames(PLAIN) == [
        ("/home/ann/train.py", 10, "<module>", "main()"),
        ("/home/ann/train.py", 7, "main", "loss = model(batch)"),
        (
            "/opt/conda/lib/python3.11/site-packages/torch/nn/modules/module.py",
            1511,
            "_wrapped_call_impl",
            "return self._call_impl(*args, **kwargs)",
        ),
    ]
    assert exceptions(PLAIN) == [("torch.cuda.OutOfMemoryError", "CUDA out of memory. Tried to allocate 2.00 GiB.")]
    assert values(PLAIN, "frame", "depth") == [0, 1, 2]
    assert values(PLAIN, "frame", "user") == [True, True, False]
    assert values(PLAIN, "frame", "innermost_user") == [False, True, False]
    assert values(PLAIN, "frame", "package") == [None, None, "torch"]


@pytest.mark.parametrize(
    ("path", "own"),
    [
        (r"D:\ComfyUI_windows_portable\ComfyUI\execution.py", False),
        ("/home/ann/ComfyUI/custom_nodes/ComfyUI-Some/nodes.py", False),
        (r"C:\SD\stable-diffusion-webui\launch.py", False),
        (r"C:\Stable Diffusion\webui\modules\launch_utils.py", False),
        ("/home/ann/sd-scripts/train_network.py", False),
        ("/srv/webui/train.py", True),
        ("/home/ann/guide/train.py", True),
    ],
)
def test_programs_that_are_only_run_are_nobodys_own_code(path: str, own: bool) -> None:
    assert is_user_code(path, package_of(path)) is own


def test_code_is_evidence_of_its_frame() -> None:
    from triage.parsers import parse
    from triage.reading import read

    first = next(seen for seen in parse(read(PLAIN)) if seen.template == "frame")
    assert [(evidence.line, evidence.text.strip()) for evidence in first.evidence] == [
        (2, 'File "/home/ann/train.py", line 10, in <module>'),
        (3, "main()"),
    ]


@pytest.mark.parametrize(
    ("connector", "chain"),
    [
        ("During handling of the above exception, another exception occurred:", "context"),
        ("The above exception was the direct cause of the following exception:", "cause"),
    ],
)
def test_chains(connector: str, chain: str) -> None:
    text = f'{PLAIN}\n{connector}\n\nTraceback (most recent call last):\n  File "/home/ann/run.py", line 3, in f\n    g()\nValueError: no\n'
    found = facts(text, "exception", "type", "traceback", "chain", "parent")
    assert found == [
        {"type": "torch.cuda.OutOfMemoryError", "traceback": 0, "chain": chain, "parent": 1},
        {"type": "ValueError", "traceback": 1},
    ]


def test_worker_traceback_inside_a_message() -> None:
    text = """Traceback (most recent call last):
  File "train.py", line 5, in <module>
    for batch in loader:
RuntimeError: Caught RuntimeError in DataLoader worker process 0.
Original Traceback (most recent call last):
  File "data.py", line 9, in __getitem__
    return self.items[index].cuda()
RuntimeError: Cannot re-initialize CUDA in forked subprocess.
"""
    assert facts(text, "exception", "type", "traceback", "chain", "parent") == [
        {"type": "RuntimeError", "traceback": 0},
        {"type": "RuntimeError", "traceback": 1, "chain": "cause", "parent": 0},
    ]
    assert values(text, "frame", "traceback") == [0, 1]


def test_message_that_is_a_traceback() -> None:
    text = """Traceback (most recent call last):
  File "train.py", line 5, in <module>
    for batch in loader:
RuntimeError: Traceback (most recent call last):
  File "data.py", line 9, in __getitem__
    return self.items[index].cuda()
ValueError: inner
"""
    assert facts(text, "exception", "type", "traceback", "chain", "parent") == [
        {"type": "RuntimeError", "traceback": 0},
        {"type": "ValueError", "traceback": 1, "chain": "cause", "parent": 0},
    ]


def test_remote_traceback_of_a_pool() -> None:
    text = '''multiprocessing.pool.RemoteTraceback:
"""
Traceback (most recent call last):
  File "work.py", line 3, in f
    g()
ValueError: inner
"""

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "main.py", line 9, in <module>
    pool.map(f, x)
ValueError: outer
'''
    inner, outer = facts(text, "exception", "message", "chain", "parent")
    assert inner == {"message": "inner", "chain": "cause", "parent": 1}
    assert outer == {"message": "outer"}


def test_ray_task_error() -> None:
    text = """Traceback (most recent call last):
  File "main.py", line 9, in <module>
    ray.get(x)
ray.exceptions.RayTaskError(RuntimeError): ray::Worker.step() (pid=71, ip=10.0.0.1)
  File "/home/ann/work.py", line 3, in step
    y = f(x)
RuntimeError: CUDA error: no
"""
    assert facts(text, "exception", "type", "chain", "parent") == [
        {"type": "ray.exceptions.RayTaskError(RuntimeError)"},
        {"type": "RuntimeError", "chain": "cause", "parent": 0},
    ]


def test_interleaved_ranks_are_read_apart() -> None:
    one = [f"[rank0]: {line}" for line in PLAIN.splitlines()]
    two = [f"[rank1]: {line}" for line in PLAIN.replace("train.py", "other.py").splitlines()]
    mixed = "\n".join(line for pair in zip(one, two, strict=True) for line in pair)
    assert values(mixed, "frame", "traceback") == [0, 0, 0, 1, 1, 1]
    assert facts(mixed, "exception", "rank", "traceback") == [{"traceback": 0, "rank": 0}, {"traceback": 1, "rank": 1}]
    assert [str(path).endswith("train.py") for path in values(mixed, "frame", "path")] == [True, True, False, False, False, False]


def test_foreign_lines_inside_a_traceback_are_skipped() -> None:
    lines = PLAIN.splitlines()
    lines[5:5] = ["some other process says hello", "and again"]
    assert len(frames("\n".join(lines))) == 3
    assert len(exceptions("\n".join(lines))) == 1


def test_cut_off_traceback_has_no_exception() -> None:
    text = "\n".join(PLAIN.splitlines()[:5])
    assert len(frames(text)) == 2
    assert exceptions(text) == []


def test_traceback_without_its_header() -> None:
    text = "\n".join(PLAIN.splitlines()[4:])
    assert frames(text)[0][0] == "/opt/conda/lib/python3.11/site-packages/torch/nn/modules/module.py"
    assert len(exceptions(text)) == 1


def test_traceback_without_indentation() -> None:
    text = "\n".join(line.strip() for line in PLAIN.splitlines())
    assert [frame[3] for frame in frames(text)] == ["main()", "loss = model(batch)", "return self._call_impl(*args, **kwargs)"]
    assert len(exceptions(text)) == 1


def test_frames_without_code() -> None:
    text = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n  File "b.py", line 2, in g\nKeyError: \'x\'\n'
    assert frames(text) == [("a.py", 1, "f", None), ("b.py", 2, "g", None)]
    assert exceptions(text) == [("KeyError", "'x'")]


def test_exception_without_message() -> None:
    text = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    assert x\nAssertionError\n'
    assert exceptions(text) == [("AssertionError", "")]


def test_syntax_error() -> None:
    text = '  File "a.py", line 3\n    print x\n          ^\nSyntaxError: invalid syntax\n'
    assert frames(text) == [("a.py", 3, None, "print x")]
    assert exceptions(text) == [("SyntaxError", "invalid syntax")]


def test_code_over_several_lines_of_python_3_13() -> None:
    text = """Traceback (most recent call last):
  File "a.py", line 3, in f
    g(
    ~^
        x=1,
        ^^^^
    ...<2 lines>...
    )
    ^
TypeError: no
"""
    assert frames(text) == [("a.py", 3, "f", "g(")]
    assert exceptions(text) == [("TypeError", "no")]


def test_windows_paths() -> None:
    text = (
        'Traceback (most recent call last):\n  File "D:\\work\\train.py", line 1, in <module>\n    f()\n'
        '  File "C:\\Users\\ann\\Lib\\site-packages\\torch\\nn\\functional.py", line 2, in g\n    h()\n'
        '  File "C:\\Python310\\lib\\threading.py", line 3, in run\n    i()\nRuntimeError: no\n'
    )
    assert values(text, "frame", "user") == [True, False, False]
    assert values(text, "frame", "package") == [None, "torch", None]


def test_exception_ignored_by_the_interpreter() -> None:
    text = """Exception ignored in: <function Loader.__del__ at 0x7f>
Traceback (most recent call last):
  File "a.py", line 1, in __del__
    f()
AssertionError: no
"""
    assert values(text, "exception", "chain") == ["ignored"]


def test_exception_group() -> None:
    text = """  + Exception Group Traceback (most recent call last):
  |   File "a.py", line 1, in <module>
  |     main()
  | ExceptionGroup: unhandled errors in a TaskGroup (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "b.py", line 2, in f
    |     g()
    | ValueError: one
    +---------------- 2 ----------------
    | Traceback (most recent call last):
    |   File "c.py", line 3, in f
    |     g()
    | RuntimeError: two
    +------------------------------------
"""
    assert facts(text, "exception", "type", "chain", "parent") == [
        {"type": "ExceptionGroup"},
        {"type": "ValueError", "chain": "cause", "parent": 0},
        {"type": "RuntimeError", "chain": "cause", "parent": 0},
    ]
    assert values(text, "frame", "path") == ["a.py", "b.py", "c.py"]


def test_old_notebook() -> None:
    text = """---------------------------------------------------------------------------
RuntimeError                              Traceback (most recent call last)
<ipython-input-3-0a1b2c> in <module>
      1 x = 1
----> 2 model(x)
      3 y = 2

~/lib/net.py in forward(self, x)
     10     def forward(self, x):
---> 11         return self.w @ x

RuntimeError: CUDA error: no
"""
    assert frames(text) == [
        ("<ipython-input-3-0a1b2c>", 2, "<module>", "model(x)"),
        ("~/lib/net.py", 11, "forward", "return self.w @ x"),
    ]
    assert exceptions(text) == [("RuntimeError", "CUDA error: no")]


def test_new_notebook() -> None:
    text = """RuntimeError                              Traceback (most recent call last)
Cell In[3], line 2
      1 x = 1
----> 2 model(x)

File /opt/conda/lib/python3.10/site-packages/torch/nn/modules/module.py:1501, in Module._call_impl(self, *args, **kwargs)
   1496 # skip
-> 1501     return forward_call(*args, **kwargs)
   1502 # Do not call

RuntimeError: CUDA error: no
"""
    assert frames(text) == [
        ("Cell In[3]", 2, "<module>", "model(x)"),
        (
            "/opt/conda/lib/python3.10/site-packages/torch/nn/modules/module.py",
            1501,
            "_call_impl",
            "return forward_call(*args, **kwargs)",
        ),
    ]
    assert values(text, "frame", "user") == [True, False]


def test_notebook_of_colab() -> None:
    text = """ImportError                               Traceback (most recent call last)
[/usr/local/lib/python3.10/dist-packages/peft/utils.py](https://localhost:8080/#) in load(self, name)
   1116         try:
-> 1117             return importlib.import_module(name)

ImportError: no module
"""
    assert frames(text) == [("/usr/local/lib/python3.10/dist-packages/peft/utils.py", 1117, "load", "return importlib.import_module(name)")]


def test_rich_box() -> None:
    text = """╭───────────────── Traceback (most recent call last) ──────────────────╮
│ /usr/local/bin/accelerate:8 in <module>                               │
│                                                                       │
│ ❱ 8 │   sys.exit(main())                                              │
│                                                                       │
│ /home/ann/train.py:12 in main                                         │
│                                                                       │
│   11 │   x = 1                                                        │
│ ❱ 12 │   model(x)                                                     │
│   13                                                                  │
│                                                                       │
│ /usr/lib/python3/dist-packages/torch/nn/functional.py:99 in linear    │
╰───────────────────────────────────────────────────────────────────────╯
RuntimeError: CUDA error: no
"""
    assert frames(text) == [
        ("/usr/local/bin/accelerate", 8, "<module>", "sys.exit(main())"),
        ("/home/ann/train.py", 12, "main", "model(x)"),
        ("/usr/lib/python3/dist-packages/torch/nn/functional.py", 99, "linear", None),
    ]
    assert exceptions(text) == [("RuntimeError", "CUDA error: no")]


def test_pytest_report() -> None:
    text = """tests/test_net.py:12: in test_forward
    net(x)
net.py:34: in forward
    return self.w @ x
E   RuntimeError: CUDA error: no
"""
    assert frames(text) == [
        ("tests/test_net.py", 12, "test_forward", "net(x)"),
        ("net.py", 34, "forward", "return self.w @ x"),
    ]
    assert exceptions(text) == [("RuntimeError", "CUDA error: no")]


def test_exception_alone() -> None:
    assert exceptions("It fails.\n\nRuntimeError: CUDA error: no\n") == [("RuntimeError", "CUDA error: no")]


@pytest.mark.parametrize(
    "text",
    [
        "UserWarning: this is deprecated",
        "Error: no",
        "INFO: all is well",
        "Epoch 1: done",
        "Note: nothing",
        "I saw a RuntimeError: it was bad, and we could not find out why.",
    ],
)
def test_what_is_no_exception(text: str) -> None:
    assert exceptions(text) == []


def test_message_that_announces_another_exception() -> None:
    text = """torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:
RuntimeError: Cannot find a working triton installation.
"""
    assert facts(text, "exception", "type", "chain", "parent") == [
        {"type": "torch._dynamo.exc.BackendCompilerFailed"},
        {"type": "RuntimeError", "chain": "cause", "parent": 0},
    ]


@pytest.mark.parametrize(
    ("path", "user", "package"),
    [
        ("/home/ann/train.py", True, None),
        ("train.py", True, None),
        ("/workspace/train.py", True, None),
        ("<ipython-input-1-ab>", True, None),
        ("<stdin>", True, None),
        ("<string>", False, None),
        ("<frozen importlib._bootstrap>", False, None),
        ("/usr/lib/python3.10/threading.py", False, None),
        ("/home/ann/.local/lib/python3.9/site-packages/peft/tuners/lora.py", False, "peft"),
        ("/usr/local/lib/python3.12/dist-packages/vllm/engine/llm_engine.py", False, "vllm"),
        ("/opt/vllm/vllm/engine/llm_engine.py", False, "vllm"),
        ("/workspace/DeepSpeed/deepspeed/runtime/engine.py", False, "deepspeed"),
        ("/home/ann/LLaMA-Factory/src/llamafactory/train/sft/trainer.py", False, "llamafactory"),
        ("/workspace/axolotl/src/axolotl/train.py", False, "axolotl"),
        ("/tmp/torchinductor_ann/ab/cabc123.py", False, None),
        ("/root/.cache/huggingface/modules/transformers_modules/chatglm/modeling.py", False, "transformers_modules"),
        ("/opt/conda/bin/torchrun", False, None),
        ("/home/ann/bin/train.py", True, None),
        ("C:\\Users\\ann\\miniconda3\\envs\\x\\lib\\runpy.py", False, None),
        ("C:\\Users\\ann\\train.py", True, None),
        ("/home/ann/torch_models/net.py", True, None),
    ],
)
def test_whose_code(path: str, user: bool, package: str | None) -> None:
    text = f'Traceback (most recent call last):\n  File "{path}", line 1, in f\n    g()\nRuntimeError: no\n'
    assert facts(text, "frame", "user", "package") == [{"user": user} | ({"package": package} if package else {})]


def test_endless_recursion_is_bounded() -> None:
    text = "Traceback (most recent call last):\n" + '  File "a.py", line 1, in f\n    f()\n' * 3000 + "RecursionError: deep\n"
    found = facts(text, "frame", "depth")
    assert len(found) == 200
    assert (found[0]["depth"], found[-1]["depth"]) == (0, 2999)


def test_many_tracebacks_are_bounded() -> None:
    one = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    f()\nValueError: {}\n'
    text = "".join(one.format(number) for number in range(1000))
    found = values(text, "exception", "message")
    assert len(found) == 400
    assert (found[0], found[-1]) == ("0", "999")


@pytest.mark.parametrize(
    ("code", "operator"),
    [
        ("return torch._C._nn.gelu(input)", "gelu"),
        ("h = torch.mm(code, self.w_in)", "mm"),
        ("return F.conv2d(input, weight, bias, self.stride,", "conv2d"),
        ("out = torch.nn.functional.linear(x, w)", "linear"),
        ("with torch.no_grad(): y = torch.bmm(a, b)", "bmm"),
        ("out = nn.functional.conv2d(x, w) / n", "conv2d"),
        ("x = x.view(groups, -1)", "view"),
        ("energy = energy.masked_fill_(mask == 0, -1e9)", "masked_fill"),
        ("a = torch.cat(parts).view(n, -1)", "cat"),
        ("x = x.permute(0, 2, 1).reshape(n, -1)", ""),  # either may have failed
        ("return hidden.float()", "float"),
        ("attn = attn.float().view(n, -1)", "view"),
        ("scores = (q @ k.transpose(-2, -1)) * self.scale", "matmul"),
        ("ops.paged_attention_v1(out, query)", "paged_attention_v1"),
        ("out = flash_attn_cuda.fwd(q, k, v)", ""),
        ("loss.backward()", ""),
        ("x = self.layer(x)", ""),
        ("self.torch.nn(", ""),
    ],
)
def test_the_operator_of_a_line_of_source(code: str, operator: str) -> None:
    assert operator_of(code) == operator


def test_frames_of_an_old_notebook_without_header() -> None:
    text = """/usr/lib/python3.6/site-packages/torch/utils/data/_utils/collate.py in default_collate(batch)
     54         out = elem.new(storage)
---> 55     return torch.stack(batch, 0, out=out)

RuntimeError: stack expects each tensor to be equal size
"""
    found = facts(text, "frame")
    assert [(f["function"], f["source_line"], f["op"]) for f in found] == [("default_collate", 55, "stack")]


def test_a_sentence_with_a_script_is_no_frame() -> None:
    assert facts("It fails in train.py in the second epoch (always).\nRuntimeError: no\n", "frame") == []


def test_call_of_a_library_that_cupy_names() -> None:
    text = (
        "Traceback (most recent call last):\n"
        '  File "main.py", line 21, in <module>\n    c = cp.dot(a, b)\n'
        '  File "cupy_backends/cuda/libs/cublas.pyx", line 1328, in cupy_backends.cuda.libs.cublas.gemmEx\n'
        '  File "cupy_backends/cuda/libs/cublas.pyx", line 396, in cupy_backends.cuda.libs.cublas.check_status\n'
        "cupy_backends.cuda.libs.cublas.CUBLASError: CUBLAS_STATUS_EXECUTION_FAILED\n"
    )
    assert values(text, "frame", "op")[-1] == "gemmEx"


def test_what_was_typed_at_a_prompt_is_the_code_of_its_frame() -> None:
    text = (
        ">>> import torch\n"
        ">>> a = torch.zeros([1024, 1024, 1024], device='xpu')\n"
        "Traceback (most recent call last):\n"
        '  File "<stdin>", line 1, in <module>\n'
        "torch.OutOfMemoryError: XPU out of memory. Tried to allocate 8.00 GiB.\n"
    )
    assert facts(text, "frame", "code", "op") == [{"code": "a = torch.zeros([1024, 1024, 1024], device='xpu')", "op": "zeros"}]
