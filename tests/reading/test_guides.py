"""What guides show is no report; what a person shows is."""

from __future__ import annotations

import pytest

from triage.reading import read

ERROR = "RuntimeError: CUDA error: an illegal memory access was encountered"

GUIDES = {
    "what one might see": f"## Logs\n\nIn the log you are likely to see now and then errors like:\n\n```\n{ERROR}\n```\n",
    "what a step may cause": f"## Recovery\n\nIf a kernel causes:\n\n```\n{ERROR}\n```\n\ndo not retry.\n",
    "what is shown from now on": f"Improve the reporting\n\nHere is an example of the new error:\n```\n{ERROR}\n```\n",
    "what one gets": f"## Debugging\n\nThe job ends and you just get:\n\n```\n{ERROR}\n```\n",
    "what one will get": f"## Debugging\n\nYou'll see detailed output like this:\n\n```\n{ERROR}\n```\n",
    "an item with a condition": f'- "{ERROR}"\n\n  If you build it yourself, the compiler is too new.\n',
    "strings to compare with": f"# What do I see?\n\nThe log has errors that look like one of these exact strings:\n\n* `{ERROR}`\n",
    "what to look for": f"Search the log for errors like:\n\n- `{ERROR}`\n- `other`\n",
    "what one might see, in Chinese": f"## 日志\n\n如果您看到如下提示：\n\n```\n{ERROR}\n```\n",
    "a heading with its explanation": f"## Errors\n\n### {ERROR}\n\nIt is probably due to an old driver.\n",
    "an item with its explanation": f'- "{ERROR}"\n\n  1. This error is because of an old driver.\n',
    "an item with its explanation in Chinese": f'- "{ERROR}"\n\n  这个错误可能是由于驱动太旧。\n',
    "an error and its solution": f"Error: {ERROR}\nSolution: use the newer driver\n",
    "a numbered heading in bold": f"## Common issues\n\n### 1. **{ERROR}**\n\nIt occurs with an old driver.\n",
    "a problem and its cause in bold": f"**Problem**: a run stops with\n\n    {ERROR}\n\n**Cause**: the driver is old.\n",
    "a row of a table without its head": f"| `{ERROR}` | Use the newer driver |\n",
    "forms to compare with": f"# What errors mean\n\n* `error ... internal` (3)\n* `{ERROR} ... at` (1)\n* `other`\n",
    "a common problem": f"A common GPU-related problem occurs when a kernel is wrong, which ends it:\n\n{ERROR}\n\nNo more.\n",
    "what others reported": f"Themes:\n\n- Issue #1234 (open): {ERROR}\n- Issue #1300: other\n",
    "what a run gives, with advice": f"If you run `a.py` you will get:\n\n```\n{ERROR}\n```\n\nYou should set the device first.\n",
    "what a run gives, below a heading": f"## Known limits\n\nIf you run `a.py` you will get:\n\n```\n{ERROR}\n```\n",
    "the one below": f"## Memory\n\nIf you encounter a message like the one below, the card is full.\n\n```\n{ERROR}\n```\n",
    "the form of a message": f"#### What is an Xid?\n\nXids are written to the kernel log as\n\n```\n{ERROR}\n```\n",
    "a format": f"### Faults\n\nThe driver reports its errors in the system log in this format:\n\n```\n{ERROR}\n```\n",
    "a sample": f"## Tools\n\nSample output of `tool -q`:\n\n```\n{ERROR}\n```\n",
    "one of several": f"## Trigger\n\nYou'll see one of these:\n\n- `{ERROR}`\n- no metrics\n",
    "a question in bold": f"# A\n\n## Jobs\n\n- **It failed with error: `{ERROR}`.**\n\n    Your job might lack a driver.\n",
    "a table of messages": f"| `{ERROR}` | an old driver | take a newer one |\n| `error: no flag x` | old release | leave it out |\n",
    "common causes": f"# A\n\n### It fails\n\nThe server ends with\n`{ERROR}`.\n\nCommon causes:\n1. An old driver.\n",
    "common causes below bare headings": f"Introduction\nNo module.\nSymptoms\n- the log shows {ERROR}\nCommon Causes\n- no key\nFix\n",
    "other pages": f"It means an old driver.\n\nOther PyTorch Errors\n- {ERROR}\n- RuntimeError: no device\n",
    "a sentence that was wrapped": (
        f"## Driver\n\nYou have to reboot the machine in order to load it if\nyou see the warning below:\n\n```\n{ERROR}\n```\n"
    ),
    "what is quoted in a paragraph": f"## Libraries\n\nIf you encounter the following error:\n\n`{ERROR}`\n",
    "what often comes together": f"# Faults\n\nThe two messages often happen together:\n\n> first\n>\n> {ERROR}\n",
    "a heading in words with its explanation": f"### It could not go on, {ERROR}\n\nIt's probably due to an old driver.\n",
    "a heading that shows a message as code": f"### `{ERROR}` after the second step\n\nThe library of the system is older.\n",
    "a common error": f"### Common Errors\n\n```text\n{ERROR}\n```\n\n---\n",
    "headings that are items": f"# FAQ\n\n- ## how to build\n\n  run cmake\n\n- ## {ERROR}\n\n  see below\n\n- ## no layer\n\n  update\n",
    "a heading that was probably caused": f"## Errors\n\n### {ERROR}\n\nThis error probably occurred because of half precision.\n",
    "what may happen": f"## Discovery\n\nThe container may fail with the following error:\n\n> {ERROR}\n\nUpdate the toolkit.\n",
    "a typical error": f"## Shapes\n\nThe most typical error when it comes to indices is:\n\n```\n{ERROR}\n```\n\nCheck them.\n",
    "a heading with remedies": f"## Errors\n\n### {ERROR}\n\nIndices are the first suspect.\n\n- Use the checker.\n- Lower the size.\n",
    "what the reader hits": f"# Timeouts\n\nYou are training on several nodes and hit:\n\n{ERROR}\n\nIncrease the time.\n",
    "a question with its answer": f"## FAQ\n\n### How do I prevent {ERROR}?\n\nReduce the batch size.\n",
    "a class of cards": "## Requirements\n\n- Training on 24GB GPUs will result in CUDA OOM - illegal memory access - there.\n",
    "what to do instead": "## Notes\n\nLong prompts will cause CUDA OOM (illegal memory access); use fewer.\n",
    "a link": "- [RuntimeError: CUDA error: an illegal memory access was encountered](./errors.md#illegal)\n",
}
REPORTS = {
    "a question of one's own": f"## Question\n\nHow do I prevent {ERROR}?\n\nReduce the batch size did not help me.\n",
    "a card of one's own": f"## Bug\n\nTraining on 24GB GPUs will result in CUDA OOM for me: {ERROR}\n",
    "a report in a form": f"## Describe the bug\n\nTraining with two GPUs will result in {ERROR}\n",
    "a sentence that tells": f"## Logs\n\nYou can see the log here:\n\n```\n{ERROR}\n```\n",
    "a person": f"I wonder. If you see the log:\n\n```\n{ERROR}\n```\n",
    "a question": f"If you see the log:\n\n```\n{ERROR}\n```\n\nWhat can be done?\n",
    "a heading with the log": f"### {ERROR}\n\nThe log of the run:\n",
    "a problem in bold": f"**Problem**: a run stops with\n\n    {ERROR}\n\n**Environment**: driver 550\n",
    "a table of runs": f"| run 1 | `{ERROR}` | 12 s |\n| run 2 | finished | 14 s |\n",
    "an item in bold": f"# Notes\n\n## Run\n\n- **it ended with an error: `{ERROR}`**\n- the driver is 550\n",
    "causes that a person names": f"Symptoms\n\n{ERROR}\n\nRoot cause\n\nthe driver\n",
    "another error": f"Other errors: none. It ended with\n\n- {ERROR}\n",
    "a list of what was printed": f'The run printed\n\n- "{ERROR}"\n- "and more"\n',
    "what a run gives": f"If you run `a.py` you will get:\n\n```\n{ERROR}\n```\n\nThe older release runs through.\n",
    "a sample of one's own": f"I ran the tool again. Sample output of `tool -q`:\n\n```\n{ERROR}\n```\n",
    "a log of a run": "With many atoms one may encounter the following issue:\n\n```\n"
    + "".join(f"[2025-01-02 10:00:0{second},001] SOLVER INFO batch size {second}\n" for second in range(4))
    + f"{ERROR}\n```\n\nIt ends there.\n",
    "a list of one's own errors": f"It fails in three ways:\n\n* `{ERROR}`\n* `other`\n* `more`\n",
    "what will be raised": f"With two cards the error below will be raised:\n\n```\n{ERROR}\n```\n\nOne card is fine.\n",
    "one heading that is an item": f"- ## {ERROR}\n\nThe log of the run\n",
    "a link to elsewhere": f"{ERROR} [full log](https://example.org/log.html)\n",
}


def role(text: str) -> str:
    return next(line.role for line in read(text).lines if "illegal memory" in line.text)


@pytest.mark.parametrize("text", GUIDES.values(), ids=GUIDES)
def test_guides(text: str) -> None:
    assert role(text) == "document"


@pytest.mark.parametrize("text", REPORTS.values(), ids=REPORTS)
def test_reports(text: str) -> None:
    assert role(text) != "document"
