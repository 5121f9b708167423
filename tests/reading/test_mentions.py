"""A sentence that denies, supposes or explains a failure reports none; one that reports it beside a denial still does."""

from __future__ import annotations

import pytest

from triage.reading import read
from triage.reading.log import QUOTED

MENTIONS = [
    "- GPU OOM: reduce `batch_size` or enable gradient accumulation.",
    "The longest context caused VRAM OOM (more than 37 GB needed); reduced to 114688 to fit a card of 24 GB.",
    "If a decode of the VAE still runs out of memory, tiling is enabled and the step is done again.",
    "Learned how to swap models without crashing the kernel or causing Out-Of-Memory (OOM) errors on this card.",
    "* Tip #1: If you run into an error such as `libfoo.so: undefined symbol: bar`, try the other channel.",
    "A second environment for the sampler (`serving`) avoids flash-attn/torch ABI conflicts with the first one.",
    "Dropping the mask commonly raises an error of the loader on cards of that kind.",
    "With the new driver it never hangs without an error again.",
    "It seems more natural if the function returns 0 in the case of cudaErrorNoDevice and cudaErrorInsufficientDriver.",
    "Thanks, with a batch of eight there is no CUDA out of memory any more.",
    "We upgraded last week, and since then no job has hung.",
    "I ran it for two days without any NCCL timeout.",
    "The deadlock of the loader is fixed, I can train again.",
    "Which card should I buy, and would I run out of memory with 24 GB?",
    "Does training hang if one of my nodes is slower?",
    "The message `RuntimeError: Expected all tensors to be on the same device` means that I must move one of them.",
    "请问单张 24G 的卡够吗？开 LoRA 会不会爆显存？",
    "升级之后不再卡住，我这边训练正常。",
    "如有 NCCL 超时等问题请联系我。",
    "4.If it happens RuntimeError: CUDA out of memory, lower the batch size.",
    "If you get CUDA out of memory, lower the batch size.",
    "如果遇到 CUDA out of memory，请减小 batch size。",
    "Don't think this is the GPU, you would get a CUDA OOM instead.",
    "If CUDA out of memory, you can lower the number of models.",
    "add map_location to avoid ' Attempting to deserialize object on a CUDA device ' error on a laptop",
    "We set a smaller bucket to avoid CUDA out of memory on small cards.",
    "We resolved an NCCL hang when several models run in one process.",
    "The scheduler resets the card between jobs and prevents memory leaks.",
    "[2025-01-05 10:00:01,386] SOLVER INFO    If you encounter the error 'an illegal memory access', lower the batch size.",
    "我们解决了多个模型实例运行时 NCCL 卡住的问题。",
    "With too many layers one will quickly run out of GPU memory.",
    "The call may return different errors (`cudaErrorNoDevice`, `cudaErrorNotReady` or `cudaErrorUnknown`), print what it returned.",
    "The GPU OOM hardening of this release is for nested runs.",
    "We successfully downgraded ROCm to resolve the `HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION` of all kernels.",
    "With the older release there is no `miopenStatusUnknownError` on our cards.",
    "NaN prevention is on for this run, as it was before.",
    "2. Trigger a fault of the card (e.g., XID 31).",
    "任何版本错配都将导致容器启动时出现“driver/library version mismatch”等错误。",
    "电源功率不足、接口松动,都可能在高负载时引发供电不稳,进而导致GPU掉卡。",
    "系统日志中可能出现“GPU has fallen off the bus”这样的错误信息。这种故障不仅导致程序崩溃,还会丢失数据。",
    "开发者常遇到驱动与容器版本冲突的错误，其根本原因是版本不匹配。",
    "**`Watchdog caught collective operation timeout`** is a real timeout and names the operation.",
    "Errors have kinds: ncclUnhandledCudaError and ncclSystemError indicate that a call to an external library failed.",
    "请调小该值，以避免显存溢出。",
    "我只有一张 11G 的卡，看到有人说 24G 都会爆显存，想先确认一下。",
    "Can you add a flag for when you have a card but not enough memory? There is a way without one.",
    'Explain in the troubleshooting page that "Driver/library version mismatch" appears after an upgrade.',
    "A launch with more threads returns cudaErrorInvalidConfiguration on all devices. See the calculator for the number of registers.",
]
MENTIONS += [
    "Verified on node 7.2 by injecting an ECC error (Xid 48) with DCGM; I saw the node being drained.",
    "We simulated an NVLink failure, and the scheduler moved the job.",
    "我们注入 Xid 79 错误来验证告警，结果正常。",
    "- **Issue**: [#12 [OPEN] CUDA error: an illegal memory access was encountered](https://example.org/a/b/issues/12)",
    "- **No message of NCCL at all** means that the hang is above it, as I wrote.",
    "WARNING: this flag may cause CUDA out of memory on cards with less than 12 GB.",
    "Memory planning: if free < needed then raise OutOfMemoryError('CUDA out of memory')",
    "We should raise a clear error instead of 'device-side assert triggered' when labels are out of range.",
    "The paper reports that training the 70B model ran out of memory on 8 A100 GPUs, so they used ZeRO-3.",
    "When you see 'CUDA error: device-side assert triggered', run the script with CUDA_LAUNCH_BLOCKING=1.",
    "You might see RuntimeError: CUDA out of memory. Lower the batch size then.",
    "Add an option --small so that people with 8 GB cards do not run into CUDA out of memory",
    "Make the error message of CUDA driver version is insufficient for CUDA runtime version more helpful",
    'If the driver was too old I\'d expect an error like "CUDA driver version is insufficient", but there is none.',
    "Had it run out of memory, there would be a CUDA out of memory error in the log.",
    "I would expect a CUDA out of memory error if the batch was too large.",
    "如果是驱动版本过低，应该会报 CUDA driver version is insufficient 才对，但我这里没有。",
    "The batch size is doubled until running out of GPU memory, and I show the throughput of each.",
    "**NaN loss at long sequences** with the old path; resolved at 8192 once the program used another one.",
    "累计出现 n 个 step 的梯度为 nan 或者 inf 时，减小 loss scaling，这是我看到的默认行为。",
    "Try the GPU first, fall back to the CPU if the driver is unavailable (e.g. VK_ERROR_DEVICE_LOST).",
    "# 旧式显卡无法使用GPU加速且失败时自动使用CPU",
    "On small cards out-of-memory errors may occur, 24 GB are enough for me.",
    "When you encounter an OOM error, I wrote a page on it.",
    "四机通过，无 hang，我这边一切正常。",
    "如果你的显存不够，可以切换到 ZeRO-3，我用的就是它。",
    "除非你有更大内存的 GPU，否则上面的代码会返回 OOM 错误，我会在下面说明。",
    "不用这个参数可能会出现一些问题，比如 RuntimeError: Expected all tensors to be on the same device，我已写在脚本里。",
    "日志用于硬件故障（如 GPU 掉卡、内存 ECC 错误）的排查，我每天导出一次。",
    "当 GPU 内存仍然不足时，可以选择流水线并行，我们会在下一节比较。",
    "为了避免整个模型一次上传导致 OOM，我们分桶更新权重。",
    "如果显卡驱动版本过低，可能会出现无法使用 GPU 的问题，请先升级驱动，我已写在说明里。",
    "请问需要多大显存？我不想爆显存。",
    "我之前一直爆显存，后来换成 4bit 量化，训练没有再出问题。",
    "因此一旦出现 NaN，之前的所有计算就全毁了，我们在下一节说明。",
    "请保证显存充足，在显存不足时，框架会调用统一内存，我测过。",
    "显存不足的用户可以改用低显存模式，我已写在说明里。",
    "I wrote a protocol for it, eliminating OOM failures.",
    "梯度累积主要是为了解决显存不足的问题，我在实验里用过它。",
    "这样可以保证推理链的上下文不会爆显存，我建议这样做。",
    "最好指定 device_ids，否则在我们的环境里可能会莫名其妙地卡死。",
    "并发调用可能导致各 rank 之间不一致或死锁，我们已经加以控制。",
    "当显存不足时，由它决定释放哪些缓存，我看过这段代码。",
    "It is best to name the device, as I do. Otherwise, it may mysteriously hang.",
    "The newest driver fixes the crash of the older ones, as I read in its notes.",
    "If it OOMs on the card already, just offload fewer layers of the experts then.",
    "If an OOM error happens, decrease the ratio as described above, we think.",
    "Both have a mechanism to catch OOM errors, I think.",
    "It can be useful when debugging NCCL timeouts to turn on more logging, I find.",
    "Too large an input will lead to OOM errors and we recommend a larger card.",
    "Нет ошибок CUDA out of memory, у меня всё работает.",
    "由于训练的时候出现了OOM，我们设置更小的图像来降低占用。",
    "On Thursday we upgrade; jobs that run then will see a version mismatch until the reboot.",
    "Most users start it without and get no CUDA-capable device, so a note in the docs would help.",
    "感谢大佬，换了驱动之后就好了，之前的超时没有再出现。",
    "I read that two cards are enough, but also that 48 GB runs out of memory above 8k.",
    "训练完成，全程没有出现 OOM，我分享一下配置。",
    "Prevent unrelated vector code from causing CUDA error 719 in debug-mode tiles.",
    "rank 0 卡住的原因是要和 rank 1 同步，我看了日志。",
    "显存一直占得很高，感觉随时都可能爆显存，请问这是怎么回事呢？",
    "我担心爆显存，所以先问一下。",
    "我们注意到，这种内存不足(OOM)问题在 GPU 加速计算中尤为常见。",
    "When a NCCL timeout happens, can the rank print what it waits for, as we would like?",
    "One pain point of our large jobs is that after a NCCL timeout it is hard to find the rank.",
    "We currently live with a 30 min nccl timeout, and I try to move people to ten.",
    "Could the watchdog print the ranks that hang in its error?",
    "I think that the out-of-memory message is hard to understand, as it only names the function.",
    "Some calls return CUDA_ERROR_INVALID_DEVICE instead of cudaErrorInvalidDevice, I noticed.",
    "There are a few cases where the allocator can fail with OOM although there is memory, we think.",
    "- **Do not set `NCCL_ALGO=Tree`** on these clusters -- it causes hangs.",
    "注意如果 cmake 时出现 `Failed to detect a default CUDA architecture` 错误，需要指定架构，我已写明。",
    "- **Installation Error**: If you encounter `ImportError: undefined symbol`, the package may have been built for another release.",
    "**Do not** add that directory on newer drivers (its library is older than the driver and triggers `CUDA error 803`).",
    "建议：在显存不够时，才开启张量并行，我们测过。",
    "有时如果使用了错误的接口，应用程序可能会直接挂起，我们在下一节说明。",
    "初代模型最多生成一千个字符就会提示显存耗尽，而我们的新模型能够生成八千个。",
]
REPORTS = [
    "- GPU OOM: I reduced the batch to one, and it is still the same.",
    "On two cards the job hangs without any error.",
    "**Describe the bug** my training stops with CUDA out of memory if I use two cards.",
    "I do not set anything, and the second step triggers CUDA error 803 on my card.",
    "The second rank freezes after a step and there is no error.",
    "双卡训练卡死没有任何报错。",
    "换一台服务器训练又出现 CUDA_HOME 没有设置的错误。",
    "My training on two GPUs stops with CUDA out of memory without any error message of the server.",
    "I think that this option may cause CUDA out of memory, I got it with each run.",
    "If I use two cards, it would raise an out of memory error.",
    "I would expect it to fit on my 24 GB card, but it fails with CUDA out of memory.",
    "If the driver was too old I'd expect a refusal, but I get an out of memory error.",
    "When it runs out of memory the whole node hangs, as I see.",
    "If I use two cards I get CUDA out of memory.",
    "如果我用两张卡就会报 CUDA out of memory",
    "I get CUDA out of memory with a batch of eight.",
    "There is no error, it just hangs when I use two cards.",
    "With one card I see no error, with two cards it hangs.",
    "It does not work: CUDA out of memory, as I wrote.",
    "My job has not enough memory, it fails with an OOM error.",
    "Why would it run out of memory on my 80 GB card?",
    "How can I avoid the NCCL timeout?",
    "There is no error, but the loss is NaN from the first step on.",
    "Can you help me? My training hangs.",
    "运行报错Distributed package doesn't have NCCL built in，请问怎么解决？",
    "我训练时为什么会爆显存吗？一直报错。",
    "没有报错，但是我的训练一直卡住。",
    "我的单卡正常，多卡就卡在加载数据上不动了，没有报错",
    "请问显存不足时如何处理？我的训练一启动就溢出。",
    "卡住的原因是什么？我的两张卡一直卡死。",
    "我之前在 3090 上没事，后来换成 4090 一直爆显存，请问怎么解决",
    "When I prevent it from running on both cards it still hangs.",
    "How to avoid CUDA out of memory when I train with two cards?",
    "请问怎么避免训练时显存溢出",
    "换了电源还是掉卡，日志里出现 GPU has fallen off the bus。",
    "这种错误一般怎么解决？训练到一半就显存溢出。",
    "I set a smaller bucket to avoid it, but it still gives CUDA out of memory.",
    "我目前在使用8张卡 跑训练的时候会爆显存",
    "I can not import torchlars and the error is ImportError: libcudart.so.11.0: cannot open shared object file",
    "I don't know why it hangs with two cards.",
    "I have no idea about this CUDA out of memory error.",
    "I couldn't fix the NCCL timeout.",
    "I have encountered OOM issues and want to reduce the memory that training takes.",
    "I read that 24 GB is enough, but I run out of memory on my card.",
    "看到有人说 24G 不会爆显存，但我的还是爆显存。",
    "我怕爆显存，把 batch size 设成了 1，结果还是爆显存。",
    "哪怕 batch size 设成 1，我的卡也会爆显存。",
    "恐怕是爆显存了，我的训练直接退出。",
    "A launch with 512 threads returns cudaErrorInvalidConfiguration on my card. See the full log for the sizes.",
]


def role(text: str) -> str:
    return read(text + "\n").lines[0].role


@pytest.mark.parametrize("text", MENTIONS)
def test_mentions(text: str) -> None:
    assert role(text) in QUOTED


@pytest.mark.parametrize(
    "below",
    ["If you encounter this error, please install the newer driver.", "add documentation for a common error of the cluster"],
)
def test_a_title_with_its_answer(below: str) -> None:
    assert role(f"# RuntimeError: CUDA error: unknown error\n\n{below}") == "document"


def test_a_title_with_a_question() -> None:
    assert role("# RuntimeError: CUDA error: unknown error\n\nIf you get this error, what do you do?\nMine ends with it.") != "document"


def test_until_it_runs_out() -> None:
    assert role("GPU memory keeps increasing in the first epoch until it runs out of memory.") == "prose"
    assert role("Increase the batch size in small steps until it hits an out of memory error.") in QUOTED


@pytest.mark.parametrize("text", REPORTS)
def test_reports(text: str) -> None:
    assert role(text) == "prose"


def test_a_sentence_over_several_lines() -> None:
    text = "The option lowers fragmentation in the course of a whole run, {}\nout of memory errors that are due to blocks too small.\n"
    assert {line.role for line in read(text.format("thus preventing")).lines} == {"mention"}
    assert "mention" not in {line.role for line in read(text.format("yet it ends in")).lines}


def test_replies() -> None:
    quoted = "> RuntimeError: CUDA out of memory\n\nYou need at least 24 GB for this model.\n"
    assert {line.role for line in read(quoted).lines if line.text} == {"document"}
    assert "document" not in {line.role for line in read(quoted.replace("You need", "My card has")).lines}
    asked = 'Thanks for the report! Could you post the whole traceback? "CUDA out of memory" alone tells little.\n'
    assert role(asked.rstrip()) == "document"
    assert role("Thanks for your work! I get CUDA out of memory, could you post the settings?") != "document"


def test_an_item_that_only_leads_elsewhere() -> None:
    link = "[RuntimeError: CUDA out of memory](https://example.org/questions/1)"
    lines = read(f"# Notes of mine\n\n- {link}\n- {link}: mine, too\n").lines
    assert (lines[2].role, lines[3].role) == ("document", "output")


def test_an_item_that_says_what_a_tool_does_about_errors() -> None:
    text = "## Features\n\nThe daemon looks after each card of a node.\n\n- NVIDIA GPU ECC errors: queries nvidia-smi and NVML.\n"
    assert read(text).lines[4].role in QUOTED


def test_an_item_that_says_what_a_message_means() -> None:
    item = "- **`Watchdog caught collective operation timeout`** is a real timeout and names the rank."
    assert read(f"# Reading hangs\n\n{item}\n").lines[2].role == "document"
    assert read(f"# Reading hangs\n\n{item} I get it daily.\n").lines[2].role != "document"


def test_what_others_reported() -> None:
    assert role("Issue #1693 shows that two cards end in `CUDA error: an illegal memory access was encountered`.") == "document"
    assert role("Issue #1693 shows what I get: CUDA error: an illegal memory access was encountered") != "document"


def test_a_table_of_errors() -> None:
    shown = "\u201ccuda runtime error(2): out of memory\u201d"
    assert role(f"错误提示：出现{shown}时，通常由显存耗尽引起。") in QUOTED
    item = '- 断言错误：出现"CUDA error: device-side assert triggered"时需检查标签是否越界。'
    assert read(f"训练过程中的典型错误\n\n{item}\n").lines[2].role in QUOTED
    assert role(f"我训练时出现{shown}，显存明明够，通常怎么解决？") not in QUOTED
    article = "【问题解决】一文解决 RuntimeError: CUDA out of memory\n\nCUDA out of memory 是训练中常见的问题，其原因通常是批次过大。\n"
    assert {line.role for line in read(article).lines if line.text} <= set(QUOTED)
    assert role("训练到一半就显存不足，一般是由什么导致的？") not in QUOTED


def test_an_item_with_a_label_goes_on() -> None:
    lead = "Say so plainly.\n\n## Read what ranks say\n\n- **Failures of the store** appear when a job is torn down and\n"
    rest = "- **No message at all** means that the job waits in Python, and\n  not in a collective.\n"
    assert read(f"{lead}  another one ends with CUDA out of memory.\n{rest}").lines[5].role in QUOTED
    assert read(f"{lead}  my own ends; I get CUDA out of memory.\n{rest}").lines[5].role not in QUOTED
