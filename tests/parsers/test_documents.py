"""What a document quotes is no fact of the run that a text reports."""

from __future__ import annotations

from triage.parsers import parse
from triage.reading import read

PAGE = """# Troubleshooting

If you see this, update the driver:

```
Traceback (most recent call last):
  File "train.py", line 3, in <module>
    torch.zeros(1).cuda()
RuntimeError: CUDA error: no kernel image is available for execution on the device
```

You may also set `CUDA_VISIBLE_DEVICES=1` or lower `--batch-size 8`. Please check that PyTorch 2.1.0 is installed.

## Slow start

The first step takes minutes. You can keep the compiled kernels in a cache.
"""
ERROR = 'Traceback (most recent call last):\n  File "run.py", line 9, in <module>\n    main()\nValueError: x\n'


def test_a_document_gives_no_facts() -> None:
    assert parse(read(PAGE)) == []


def test_commits_beside_an_error_give_none_either() -> None:
    commits = "$ git log --oneline -2\n1a2b3c4 raise torch 1.2.3 to torch 2.4.0\n5d6e7f8 set CUDA_LAUNCH_BLOCKING=1\n$ python run.py\n"
    found = parse(read(commits + ERROR))
    assert {seen.template for seen in found} >= {"frame", "exception"}
    assert not [seen for seen in found if seen.template in ("version", "setting")]
    assert [seen.slots["line"] for seen in found if seen.template == "exception"] == [8]
