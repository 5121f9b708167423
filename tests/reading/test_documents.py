"""What explains, lists or records failures is told apart from what reports one; reports keep their roles whatever they look like."""

from __future__ import annotations

import pytest

from triage import explain
from triage.reading import read

ERROR = "CUDA error: an illegal memory access was encountered"

DOCUMENTS = {
    "guidelines with the headings of a form": (
        f"# Guidelines for reviews\n\n## Memory\n- {ERROR}\n## Streams\n- order\n## Tests\n- one each\n"
        "## Messages\n**Error Messages**:\n- say what is meant\n"
    ),
    "a guide that shows what programs print": (
        "# Troubleshooting Common Errors\n\n## Kernels\n```\nTraceback (most recent call last):\n"
        f'  File "a.py", line 1, in <module>\nRuntimeError: {ERROR}\n```\nReinstall it.\n'
        "## Data\nPath.\n## Network\nPort.\n## Disk\nSpace.\n"
    ),
    "a page of benchmarks": (
        f"# Sampler benchmarks\n\n## Modes\nDense.\n## Results\n| a | 1 |\n### Notes\n- **A ends with {ERROR}** at all sizes.\n"
        "## Machine\nOne card.\n"
    ),
    "a page of Documenter": (
        f"Arrays\n\nThey behave as [`Array`](@ref) does, and an index throws:\n\n```julia\njulia> a[1]\nERROR: {ERROR}\n```\n"
    ),
    "an answer to anybody": f"This happens when {ERROR}. Here's how to resolve it:\n- Smaller indices\nCheck the labels.\n",
    "an article": f"{ERROR} stops many jobs. This guide shows 8 proven methods to fix it.\nThe message:\n{ERROR}\nMethod 1: labels\n",
    "what an error comes of": f"An {ERROR}\n- Such an error occurs when your GPU is used wrongly: {ERROR}\n- Smaller indices help.\n",
    "an ability that is asked for": f"# Ability to list what waits\n\nOne card explodes with {ERROR} and the others are stuck.\n",
    "before a change": f"## Summary\n\nRetry in the loader.\n\n### Before\n```\n{ERROR}\n```\n### After\n```\nloss 1.2\n```\n",
    "what a change fixes": f'What changed\n- move the mask (fixes the error "{ERROR}")\n- less memory\n',
    "what is changed to avoid it": f"Use one stream to avoid errors of kernels\nSome jobs ended:\n{ERROR}\n",
    "what is to be done from now on": f"Only restart a worker when it was killed\nOther ends are bugs of the code: {ERROR}\n",
    "a summary of a change": f"Summary of the change: we log what ended with `{ERROR}`. Tests: one run.\n",
    "what is done with a class": f"[python] Handle torch.cuda.OutOfMemoryError\n\n## Description\n\n{ERROR}\n",
    "a change that is shown": f"Add timer to end the watchdog\n```diff\n+  arm(timer);\n```\nIt would say {ERROR} otherwise.\n",
    "a summary that a bot writes": f"Retry with less\n\n### Key Changes\n- catch {ERROR}\n\n### Purpose & Impact\n- fewer stops\n",
    "a template of changes": f"Exit codes\n\n### What changes were proposed in this pull request?\nName {ERROR} in the report\n",
    "notes of a release without marks": f"Release 0.3\nNew Features\nA sampler\nBug Fixes\n{ERROR}\nKnown Issues\n",
    "a page for help without marks": f"Job failed\n\nSymptom\n\nThe log has: {ERROR}\n\nPossible Causes\n\nAn index\n",
    "a lesson": f"第三讲 分布式训练\n\n如果某个进程没有参与，会出现 `{ERROR}`。\n",
    "a comparison": f"# 4090 与 A100 训练速度对比\n\n批次 16 时 4090 会出现 `{ERROR}`。\n",
    "a chapter of a guide": f"第一章：容器中的驱动\n\n在容器里运行时，可能出现 `{ERROR}`，原因是版本不一致。\n",
    "a guide by what it promises": f"深入解析版本不匹配\n用户常常会遇到一个问题——“{ERROR}”。\n这个错误意味着版本不一致。\n",
    "a guide that collects errors": f"驱动常见错误解读\n{ERROR}\n当检测到错误时,会记录此事件。用 lspci |grep -i nvidia 查看。\n",
    "a guide whose author speaks": f"驱动故障诊断全攻略\n今天,我就结合多年经验,为大家梳理。\n{ERROR}\n",
    "a guide in Korean": f"분산 학습 환경 변수 완벽 가이드\n\n{ERROR}\n로 죽을 때 설정합니다.\n",
    "a guide in Japanese": f"分散学習の確実な解決策\n{ERROR}\nこの記事で解説します。\n",
    "a list of reasons": f"显存耗尽。\n当程序申请的显存超过可用显存时发生。\n主要包含以下原因:\n{ERROR}\n模型太大。\n",
    "an author who asks readers": f"容器里看不到显卡?检查运行时\n部署模型时,你是否遇到过这样的场景:提示“{ERROR}”?\n",
    "an author who knows what many met": f"驱动版本要求\n很多开发者都曾遇到这个问题。\n为什么一运行就报 {ERROR}?\n",
    "an author who says it all": f"为什么容器找不到显卡?一文定位并解决所有陷阱\n驱动必须匹配,否则提示 {ERROR}。\n",
    "an author who talks": f"Internal errors of NCCL\n\nAlright, guys, let's talk about that one.\nIt says {ERROR} most often.\n",
    "a guide that asks why": f"# 驱动版本匹配实战指南\n运行检测脚本时却返回 False,怎么回事?\n程序报出 {ERROR}\n",
    "gotchas": f"# Multi-node gotchas\n\nSingle-box users skip this file.\n\nSymptom. Every rank prints {ERROR}, then freezes.\n",
    "a guide by its title": f"# 训练错误快速修复指南\n\n## 问题\n出现 `{ERROR}`\n\n### 修改配置\n",
    "what something is": f"#### What is an Xid?\n\nThe driver writes it. It may come of\n- {ERROR}\n- heat\n",
    "common errors": f"# Chapter 4: Common Errors & Fixes\n\n## Addresses\n\n### The Error\n\n```\n{ERROR}\n```\n",
    "after a change": f"**Better messages.**\n\n**(After this PR):**\n\nExternalError: {ERROR}\n",
    "what a change is for": f"Pods end\n\n### What is this PR for?\nThe pods end with {ERROR}\n",
    "a page with its keys": f"---\ntitle: Faults\n---\nA fault of a kernel looks so:\n```text\n{ERROR}\n```\nThe job ends with it.\n",
    "what is ticked off in a change": f"# Smaller jobs if {ERROR}\n\n### Checklist\n\n- [x] I have added unit tests for it.\n",
    "the words of a message, before and after": f'Better words\n\ninstead of just "failed" you get\n\n    {ERROR}\n',
    "a message before and after": f"Words\n\nFor example, instead of:\n\n    bad\n\nafter applying this PR the error is:\n\n    {ERROR}\n",
    "a runbook": f"Runbook: lost card\nScope: a card that is gone.\nTrigger\n- The job ends with `{ERROR}`.\n",
    "what a part is changed in": f"sampler: increase the bound\nThere were reports of\n{ERROR}\n",
    "a proposal": f"[RFC] Recovery of ranks\n\n```\nA fault of one rank ({ERROR}): the others wait\n```\n",
    "a glossary": f"Faults\n{ERROR} is a fault.\nWhat it is\nA wrong address.\nWhy it matters\nAll stops.\nHow to monitor\nWatch dmesg.\n",
    "definitions of codes": f"cudaErrorNoDevice = 1\n    Raised for 1.\n\ncudaErrorUnknown = 2\n    It says: {ERROR}\n",
    "the head of a page in one line": f"--- name: faults description: Diagnose {ERROR} and the like ---\n",
    "what a commit undoes": f"Revert a\n\nTests fail since then:\n\n{ERROR}\n\nThis reverts commit 0123456789.\n",
    "a page of Documenter.jl": f"## [Indices](@id Indices)\n\nTo see which ones:\n\n```julia\njulia> a[9]\n{ERROR}\n```\n",
    "a program that is a page": f"# # Indices\n#\n# Some are too large.\n\n# ## What it prints\n\n# ```\n# ERROR: {ERROR}\n# ```\nx = 1\n",
    "a table without outer bars": f"a | b | c |\n---|---|---|\nx | {ERROR} | y |\nv | illegal | w |\nt | misaligned | u |\n",
    "a small table of what helps": f"| Fehler | Gegenmaßnahme |\n|---|---|\n| `{ERROR}` | neuerer Treiber |\n",
    "commits": (
        f"commit 0a1b2c3d4e5f60718293a4b5c6d7e8f901234567\nAuthor: A <a@example.org>\nDate:   Mon\n\n    Catch {ERROR}\n\n    Once more.\n"
    ),
    "a page with a date": f'---\ntitle: "What is it?"\ndate: "2025-01-30"\n---\n"{ERROR}" means an index. I have seen it often.\n',
    "commits, one line each": f"1a2b3c4 (HEAD -> main) Catch {ERROR}\n5d6e7f8 Fix typo\n",
    "a rebase": f"Auto-merging a.py\nCONFLICT (content): Merge conflict in a.py\nerror: could not apply 1a2b3c4... Catch {ERROR}\n",
    "what was repaired": f"#### 2. Baseline ✅ FIXED\n**Problem**:\n```\n{ERROR}\n```\n**Fix applied**:\n- Smaller chunks\n",
    "notes in passing": f'`run.py` exists because of a bug. On mps this fails with "{ERROR}".\n\n## Deploy\n\nOn the host.\n',
    "a problem with its solution": f"### Issue 2: ordinal\n\n**Error:**\n```\n{ERROR}\n```\n\n**Solution:**\nSet the variable.\n",
    "a problem with its solution in Chinese": f"### 3. 序列化 ❌\n\n**错误信息：**\n```\n{ERROR}\n```\n\n**解决：**\n删除旧文件\n",
    "a problem and its repair under headings": f"## 4. Indices\n\n### Problem\n```\n{ERROR}\n```\n\n### Fix\nAdded a check.\n",
    "the cause between them": f"### Symptom\n{ERROR}\n### Root cause\nA wrong index.\n### Resolution\nAdded a check.\n",
    "a summary of repairs": f"## Issues Fixed\n\n{ERROR}\n\n## Root Causes Identified\n\n1. An index\n\n## Fixes Applied\n\nA check.\n",
    "a description of a repair": f"# Chunks\n\n## Problem Description\n\n{ERROR}\n\n## Solution Implemented\n\nA check.\n",
    "a numbered repair": f"### Fix #17: Dimensions\n**Issue**: `{ERROR}`\n\n**Files Modified**:\n- `a.yaml`\n",
    "headings with signs": f"## 🚨 Problem Analysis\n\n### Error Message\n{ERROR}\n\n## ✅ Solution Implemented\n\nA check.\n",
    "a paragraph of a work log": f"**Follow-up:** a new one: `RuntimeError: {ERROR}` in `f`. Root cause: an index. Fixed all three.\n",
    "a summary in Chinese": f"# 总结\n\n## 问题描述\n```\n{ERROR}\n```\n\n## 原因分析\n\n下标。\n\n## 解决方法\n\n检查。\n",
    "a journal": f"- **Run 1:** bad path. Fixed by a flag.\n- **Run 2:** {ERROR}\n- **Run 3:** **RESOLVED.** Smaller.\n",
    "a table of remedies": f"| Error | Cause | Fix |\n|---|---|---|\n| {ERROR} | wrong index | check it |\n",
    "a table of trials": f"| model | batch | result |\n| --- | --- | --- |\n| A | 8 | 3120 |\n| A | 16 | {ERROR} |\n| B | 8 | 1440 |\n",
    "a docstring": f'class Spline(Base):\n    """The base, repaired.\n\n    (1) {ERROR}\n\n        Solution: call the other.\n    """\n',
    "a commit message": f"Catch {ERROR}\n\nIt ended the job.\n\nSigned-off-by: A <a@example.org>\n",
    "a message with a trailer in capitals": f"Catch {ERROR}\n\n- Prevents it\n\nCo-Authored-By: A <a@example.org>\n",
    "a conventional commit": f"fix(sampler): catch {ERROR}\n\n- Check the index first\n",
    "a merged change": f"Stop it with {ERROR} (#1234)\n\nI moved the mask.\n",
    "what is done about errors": f"Better handle CUDA out of memory errors in chat\n\n{ERROR}\n",
    "a title over what was printed": (
        f"[A-1] fix(sampler): detect {ERROR}\n\nTraceback (most recent call last):\n  File \"a.py\", line 1, in f\n    g()\nKeyError: 'a'\n"
    ),
    "what a change solves": f"Copy to the host first\n\nThe loader gave:\n{ERROR}\n\nThis pull request solves it.\n",
    "the form of a wish": f"Say which port\n\n### 🚀 The feature, motivation and pitch\n\nWhat ends with `{ERROR}` tells too little.\n",
    "what is proposed": f"Sampler\n\nThis PR:\n- Checks the index\n\nTo do:\n- {ERROR} on two cards\n",
    "a patch": (
        f"From 0a1b2c3d4e5f60718293a4b5c6d7e8f901234567 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] Catch {ERROR}\n---\n a.py | 2 +-\n"
    ),
    "a search": f"$ grep -rn illegal src\nsrc/a.py:4: {ERROR}\n$ ls\n",
    "results of tests": f"tests/test_a.py::test_b[{ERROR}] PASSED\n",
    "results of another runner": f"[       OK ] {ERROR} (3 ms)\n",
    "a change that mends an error": f"Fix problems with {ERROR}\nI found that the start method differs on Linux.\n",
    "a change that was merged": (
        f"Bring the sampler to two cards (#128)\n\nI got this before:\n\n```\nTraceback (most recent call last):\n{ERROR}\n```\n"
    ),
    "a change with its scope": f"fix(sampler): keep the index\n\nI measured it: the older release ended with\n{ERROR}\n",
    "a title of what was done": f"Fixed {ERROR} when saving.\n",
    "a change to one file": f"Update web_demo.py\n\nIt ended with {ERROR}, so the history is cut.\n",
    "a change that is wrapped by hand": (
        f"sparse: add a merge for long indices\n\nThe library answers with {ERROR[:40]}\n"
        f"for any such index, so that the rows are sorted and then added\n"
        f"one by one. Each ends with\n\n  {ERROR}\n"
    ),
    "a change for a number": f"Fixing bad message of {ERROR} for #73.\n",
    "a change of many steps": f"Add checks of the index\n\nadd tests for it\nfix lines\nonly where it says {ERROR}\nupdate the docs\n",
    "a page that is asked for": f"Document launch errors\n\n{ERROR} is what it says.\n",
    "names of a configuration": (
        f"F1 = Kernel.Launch #Use this for launches\nF2 = Kernel.Address #Use this for {ERROR}\nF3 = Kernel.Other  # Else\n"
    ),
    "what parameters do": (
        f"        log_level: The level of what is written to it.\n        retry: Whether to try again after {ERROR} of a worker.\n"
        "        cache_size: The size of the cache in bytes, none for all.\n"
    ),
    "a changelog": f"## 1.2.0 (2025-01-01)\n\n### Fixed\n\n- Fix `{ERROR}` in the sampler (#12)\n- Remove a hang\n",
    "an analysis with its repair": f"## 显存不足问题分析与修复\n\n### 计算\n\n{ERROR}\n\n### 修复\n\n减少进程数。\n",
    "a changelog in Chinese": f"## v1.2.0\n\n- 修复 `{ERROR}`\n- 支持 bf16\n",
    "changes with references": f"- Fix {ERROR} (#12)\n- Add bf16 (#13)\n- Remove the old kernel (#14)\n",
    "a Debian changelog": (
        f'driver (550.1-0) jammy; urgency=medium\n\n  * New release:\n    - Fixed "{ERROR}"\n\n -- A <a@example.org>  Mon\n'
    ),
    "questions and answers": (
        f"# FAQ\n\n- I get `{ERROR}`\n    > Update the wheel.\n- Can it run on two GPUs?\n    > Yes, if you start it with torchrun.\n"
    ),
    "a page": f"# Troubleshooting\n\n## {ERROR}\n\nThis may come from a kernel. Set CUDA_LAUNCH_BLOCKING=1.\n",
    "a page in reStructuredText": (
        "Errors\n======\n\n.. note::\n\n   See :ref:`memory`.\n\nIf you see the message below, update the driver.\n\n"
        f"You should also check the log for::\n\n    {ERROR}\n\nIt can be caused by old firmware.\n"
    ),
    "an item with advice": f"### Notes\n\n1. **{ERROR}**: use the newer wheel.\n",
    "a page in Chinese": f"## 常见问题\n\n**1. 报错 `{ERROR}`**\n\n请检查索引是否越界，建议打开 CUDA_LAUNCH_BLOCKING。\n",
    "names of variables": f"### Environment variables\n\n- `A`: the level\n- `CUDA_LAUNCH_BLOCKING`: finds what causes `{ERROR}`\n",
    "a reference": f"Handles\n-------\n\n- When the handle is ``nullptr``, it returns ``{ERROR}``.\n",
    "a page with directives": f"Sandbox\n*******\n\n.. rubric:: Issue\n\nThe pod has the event:\n\n.. code-block:: console\n\n   {ERROR}\n",
    "a list of changes by number": f"* #5718: Tests of paths\n* PR #77: {ERROR} on old cards\n* #5719: Docs\n",
    "changes": f"### Changes\n\n- Names of files\n- It now returns {ERROR} for wrong enums\n",
    "an article with the time it takes": f"How it ends\n\n7 min read\n\nThe error\n\n{ERROR}\n",
    "help": f"usage: serve [-h] [--retry]\n\noptions:\n  --retry   try again on {ERROR}\n",
    "codes": "".join(f"{name}  {ERROR}\n" for name in ("CUDA_ERROR_A", "CUDA_ERROR_B", "CUDA_ERROR_C", "CUDA_ERROR_D")),
    "a configuration that watches": f'alerts:\n  - match: "{ERROR}"\n    severity: page\n',
    "a fix for what it names": f'Error fix for "{ERROR}"\n\nFix for\n\n{ERROR}\n',
    "a change that says twice what it mends": f"Fix the build on SM 87\n\nThis fixes error `{ERROR}` when building on a Jetson\n",
}

REPORTS = {
    "a guide in its title, of a person": (
        f"# Troubleshooting common errors\n\n## Kernels\nI get this with two cards:\n{ERROR}\n## Data\nx\n## Network\ny\n## Disk\nz\n"
    ),
    "a form that asks what the issue is": (
        f"### What is the issue?\n\n## Machine\n\n* Driver: 570\n\n## Problem\n\nThe server ends with\n\n```\n{ERROR}\n```\n\n"
        "## Tried\n\nReboot.\n"
    ),
    "a benchmark that fails": f"# Benchmark fails\n\n## Modes\nDense.\n## Results\n{ERROR}\n### Notes\nx\n## Machine\ny\n",
    "a benchmark with what was printed": (
        f"# Sampler benchmarks\n\n## Modes\nDense.\n## Results\nRuntimeError: {ERROR}\n### Notes\nx\n## Machine\ny\n"
    ),
    "what came instead": f"I expected a picture, instead of it you get\n\n{ERROR}\n",
    "a wish with what is shown": f"Feature request: better defaults\n\nMy run ends with\n\n```\n{ERROR}\n```\n\nLet it fit.\n",
    "a table of somebody's steps": (
        f"| step | result |\n| --- | --- |\n| a | ok |\n| b | ok |\n| c | `{ERROR}` |\n\nI ran all three steps.\n"
    ),
    "before and after of a person": f"### Before\nworks\n### After\n\nI get\n\n{ERROR}\n",
    "what did not fix it": f"Neither restarting nor updating fixes the error: {ERROR}. How can it be solved?\n",
    "the message alone": f"{ERROR}\n",
    "a title and a question": f"**{ERROR}**\n\nHow can this be solved?\n",
    "a title in bold": f"**{ERROR}**\n\nOn two cards it ends after ten steps, with one card it works.\n",
    "a heading": f"# {ERROR}\n\nIt ends after ten steps.\n",
    "a message that begins with its title, and advises": (
        f"# CUDA backend failed to initialize\n\nCUDA backend failed to initialize: {ERROR}. "
        "The copy that is installed must be at least as new as the version it was built against.\nrunning the model...\n"
    ),
    "one row of a table of properties": f"| item | value |\n| --- | --- |\n| nodes | 2 |\n| error | {ERROR} |\n| when | now |\n",
    "a title that asks for a repair": f"train: stops with two cards\n{ERROR}\n",
    "a request with its error": f"[Feature] Name the index\n\nRuntimeError: {ERROR}\n",
    "a template": (
        f"## Describe the bug\n\n{ERROR}\n\n## To Reproduce\n\n1. Install the package\n2. Run train.py\n"
        "3. Use two GPUs\n4. You should see it\n"
    ),
    "another template": (
        f"**Bug**\n\nIf you run with two GPUs:\n\n{ERROR}\n\n**Steps to reproduce**\n1. Run it\n2. Set the batch size to 8\n"
    ),
    "steps": f"1. Install torch\n2. Run python train.py\n3. Set --fp16\n4. See error\n\n{ERROR}\n",
    "a person": f"# Training fails\n\nIf I use two GPUs I get this, you can see it below. Set to one it works.\n\n{ERROR}\n",
    "a condition": f"When the batch is empty you get {ERROR}\n",
    "what was tried": f"- Updated the driver\n- Reduced the batch size\n- Added checkpointing\n\n{ERROR}\n",
    "versions": f"torch 2.1.0\nCUDA 12.1\n- Updated the driver, no change\n- Reduced the batch size\n\n{ERROR}\n",
    "a question how to mend an error": f"Fix problems with {ERROR}\nI found no way, how is it done?\n",
    "a changelog and an error": f"It broke with this release:\n\n### Fixed\n- Fix the sampler (#12)\n\nNow my job ends:\n\n{ERROR}\n",
    "somebody who met what many do": f"很多开发者都遇到过这个问题，我也一样：\n{ERROR}\n",
    "somebody who asks others": f"请问你是否遇到过这样的问题？\n{ERROR}\n",
    "somebody who talks of a run": f"Let's talk about my run of today.\n{ERROR}\n",
    "a guide in whose title somebody asks": f"常见错误汇总里没有这个错误怎么办?\n{ERROR}\n",
    "a collection that did not help somebody": f"常见错误汇总\n我看过以后还是报错：\n{ERROR}\n",
    "a guide that somebody follows": f"# 快速修复指南\n\n我按照步骤操作，报错：\n{ERROR}\n",
    "a traceback of who proposes a change": (
        "# What does this PR do?\n\nI got this with the older release:\n\n```\nTraceback (most recent call last):\n"
        f'  File "a.py", line 3, in <module>\n    b()\nRuntimeError: {ERROR}\n```\n'
    ),
    "notes of a release and a person": f"Bug Fixes\nA sampler\nKnown Issues\n\nI still get\n\n{ERROR}\n",
    "a change that is shown by a person": f"Add timer to end it\n```diff\n+  arm(timer);\n```\nNow I get\n\n{ERROR}\n",
    "a class that stands in the way": f"Handle torch.cuda.OutOfMemoryError\n\nMy job ends nevertheless:\n\n{ERROR}\n",
    "a heading that asks": f"## How can this be fixed?\n\n**Problem**: it ends with\n\n{ERROR}\n",
    "words of a person": f'My job fails with "{ERROR}".\n\n## Setup\n\nTwo cards.\n',
    "a person who knows no solution": f"### Issue\n\n**Error:**\n```\n{ERROR}\n```\n\n**Solution:** I know none.\n",
    "a heading that denies": f"## Not fixed in 2.1\n\n**Problem**: it ends with\n\n{ERROR}\n",
    "a problem without a repair": f"### Problem\n\n{ERROR}\n\n### Environment\n\ntorch 2.1\n",
    "a person's own repair": f"### Problem\n\nI get this:\n\n{ERROR}\n\n### Fix\n\nnone so far\n",
    "a list of what a person tried": f"- **Run 1:** bad path. Fixed by a flag.\n- **Run 2:** {ERROR}\n- **Run 3:** the same\n",
    "a title of what did not last": f"Fixed {ERROR}, but I get it again with two cards\n",
    "a repair by a number": f"Fixed by 2.1? No: {ERROR}\n",
    "a suggestion": f"## Summary\n\n{ERROR}\n\n## Suggested fix\n\nA check.\n",
    "a form with a proposal": f"## Problem\n\n{ERROR}\n\n## Fix\n\nA check may help.\n\n## Environment\n\ntorch 2.1\n",
    "a traceback with a proposal": (
        f'## Problem\n\nTraceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\n'
        f"RuntimeError: {ERROR}\n\n## Fix\n\nA check.\n"
    ),
    "a small table": f"| case | result |\n| --- | --- |\n| bf16 | {ERROR} |\n",
    "commits and an error": f"$ git log --oneline -2\n1a2b3c4 Fix a\n5d6e7f8 Fix b\n$ python train.py\n{ERROR}\n",
    "containers": f"a1b2c3d4e5f6   img   Exited (1)\nb1b2c3d4e5f7   img   Exited (1)\n{ERROR}\n",
    "a failed test": f"FAILED tests/test_a.py::test_b - RuntimeError: {ERROR}\ntests/test_a.py::test_c PASSED\n",
    "a log with separators": f"{'=' * 60}\ntrain.py FAILED\n{'-' * 60}\n{ERROR}\nYou may need to set a flag\n{'=' * 60}\n",
    "a traceback with advice": (
        f'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\nRuntimeError: {ERROR}\nYou can set A.\nTry to set B.\n'
    ),
    "a commit to blame": f"Broken\n\nThis commit introduced it:\n{ERROR}\n",
    "a title in the form of a commit": f"fix: I still get {ERROR}\n\nWhat can I do?\n",
    "a title in that form over what was printed": (
        "[A-1] fix(sampler): detect it\n\nTraceback (most recent call last):\n"
        f'  File "a.py", line 1, in f\n    g()\nRuntimeError: {ERROR}\n'
    ),
    "a command that failed": (
        f"# make -j CUDA=1 F16=1 failed\n\nmake -j CUDA=1 F16=1 failed to compile with the newest sources and the\n"
        f"older ones, too. It says:\n\n{ERROR}\n"
    ),
    "a number in brackets within a title": f"Same as (#12) with two cards\n\n{ERROR}\n",
    "what a program asks for": f"Please enter N:\n16\nPlease enter K:\n8\nPlease enter M:\n2\n  what():  {ERROR}\n",
    "how to reproduce it": f"Training stops. Here's how to reproduce it: run train.py on two cards.\n{ERROR}\n",
    "what is said of a tutorial": f"In this tutorial the third step fails:\n{ERROR}\n",
    "what an error comes of, of a person": f"I know that this error occurs when your GPU is used wrongly, but my job is right:\n{ERROR}\n",
    "a report with the number of another": f"{ERROR} (see #12)\n\nIt ends after ten steps.\n",
    "a report that is wrapped by hand": (
        f"Update to the new release breaks training\n\nThe third step ends since then with the message below on each of the\n"
        f"two cards that I have here.\n\n{ERROR}\n"
    ),
    "a job that begins with the warnings of its many processes": (
        "# Job 12\n" + "/opt/lib/python3.11/site-packages/a/config.py:106: UserWarning: The following properties may not take effect, "
        "make sure to set mode to default\n" * 40 + f"{ERROR}\n"
    ),
    "a title that asks for a number": f"How is this fixed since (#12)?\n\n{ERROR}\n",
    "what could not be done, below a heading": f"# version\n```\nfoo: 1\n```\nOS is Debian.\n\nFailed: could not do it, {ERROR}\n",
    "what works elsewhere, in Chinese": f"# 训练显存异常\n\n同样的设置在别的框架可以训练，但是这里报错：\n\n{ERROR}\n",
    "a title that asks for a fix": f"Fix this error please\n\nThe error on two cards:\n{ERROR}\n",
    "a form that is filled in, with what the program advises": (
        f"### What happened\n\nIt ends.\n\n### Program version\n\n2.1.0\n\n### Driver version\n\nR535 v535.54\n\n### Log\n\n"
        f"```\nRuntimeError: {ERROR}\nRuntimeError: You may need to set A, and you should use B.\n```\n"
    ),
    "Chinese": f"多卡训练报错，单卡正常：\n\n{ERROR}\n\n需要怎么设置？\n",
}


def _role(text: str) -> str:
    return next(line.role for line in read(text).lines if ERROR in line.text)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents(name: str) -> None:
    assert _role(DOCUMENTS[name]) in ("document", "code")


@pytest.mark.parametrize("name", REPORTS)
def test_reports(name: str) -> None:
    assert _role(REPORTS[name]) in ("output", "prose")


def test_a_text_that_is_mostly_a_document_is_one() -> None:
    assert read(DOCUMENTS["a page"]).kind == "document"
    assert read(DOCUMENTS["commits"]).kind == "document"
    assert read(REPORTS["commits and an error"]).kind != "document"


def test_the_diff_of_a_commit_stays_a_diff() -> None:
    text = DOCUMENTS["commits"] + "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\n"
    assert [line.role for line in read(text).lines][-2:] == ["diff", "diff"]


def test_the_title_of_a_change_with_nothing_below_it() -> None:
    title = "Avoid CUDA out of memory in validation"
    assert [line.role for line in read(f"{title}\n").lines] == ["document"]
    assert read(f"{title}\nIs there an option for it?\n").lines[0].role != "document"


@pytest.mark.parametrize("mark", "=-~^")
@pytest.mark.parametrize("message", ["No CUDA GPUs are available", "RuntimeError: CUDA error: out of memory"])
def test_a_message_that_is_the_title_of_advice_is_no_report(message: str, mark: str) -> None:
    title = f"{message}\n{mark * len(message)}\n\n"
    assert not explain(f"{title}Lower the batch size or end other programs on the card.\n").diagnoses
    assert explain(f"{title}Run train.py on a 3090 and it fails at once.\n").diagnoses
    assert explain(f"{title}Training on my 3090 stops after one epoch.\n").diagnoses
    assert explain(f"Error\n{mark * 5}\n{message}\n").diagnoses
