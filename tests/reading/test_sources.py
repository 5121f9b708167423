"""Statements that name an error are no error; what programs print beside them stays output."""

from __future__ import annotations

import pytest

from triage.reading import read

STATEMENTS = [
    '    Write-Host "CUDA Toolkit not found" -ForegroundColor Red',
    '\t\t\tassert.True(t, errors.Is(err, nvml.ErrGPURequiresReset), "Expected GPU requires reset error for case: %s", tc.name)',
    '    #[error("the crate has not been built with cuda support")]',
    "            throw 'Failed to find nvcc in the environment'",
    '            .expect("Failed to create a device")',
    "        || err.code() == CUDA_ERROR_NO_BINARY_FOR_GPU",
    """'CUDA_ERROR_OUT_OF_MEMORY': "Out of memory",""",
    '        RuntimeError("NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus"),',
    '        raise RuntimeError("CUDA out of memory")',
    '    if "CUDA out of memory" not in str(error):',
    "    except torch.cuda.OutOfMemoryError:",
    '    fprintf(stderr, "CUDA error: out of memory\\n");',
    "        case ncclUnhandledCudaError:",
    "    return ncclUnhandledCudaError;",
    "#define ncclUnhandledCudaError 1",
    "    // CUDA error: out of memory is printed here",
    '    # name: str = "large-3b",  # RuntimeError: CUDA error: out of memory',
    'src/a.py:41:    if "CUDA out of memory" in text:',
    '  echo "RuntimeError: CUDA out of memory; close other programs" >&2',
    '                    gr.Warning(f"GPU out of memory. Try less. Error: {error}")',
    '\t\tname, message := match("NVRM: Xid (PCI:0000:04:00): 79, GPU has fallen off the bus")',
    "            # NotImplementedError: Could not run 'aten::sum' with arguments from the 'SparseCsrCPU' backend.",
    "    # the peers do not survive ('unspecified launch failure')",
    "    elseif err.code == CUBLAS_STATUS_ALLOC_FAILED",
    '    d % 8 == 0 || throw(ArgumentError("head dimension must be a multiple of 8, got $d"))',
    '    if (m->failed) throw std::runtime_error("CUDA out of memory");',
    "  18,                  //!< a driver/library version mismatch was found",
    '\t\t\tReasons:    []string{"GPU thermal slowdown detected"},',
    "\t\t\tmemoryRet:       nvml.ERROR_GPU_IS_LOST, // the GPU is lost",
    '            or "CUDA error: out of memory" in message',
    '            msg += "\\nCUDA error: out of memory\\n"',
    '            r"CUDA error: out of memory",',
    "\t\tret:         nvml.ERROR_GPU_IS_LOST,",
    "REM      229,376   loaded, then it ended (CUDA error: out of memory), with",
    '        {name: "memory", job: Job{Log: "CUDA error: out of memory"}, want: "GPU memory"},',
    '    assert is_memory_failure("torch.OutOfMemoryError: CUDA out of memory.", 1)',
    '    assert not is_memory_failure("RuntimeError: CUDA error: device-side assert triggered", 1)',
    " \\retval     CUBLAS_STATUS_ARCH_MISMATCH  if the device cannot run it",
    '    {"CUDA_ERROR_ECC_UNCORRECTABLE", 214},',
    '\t\t\t\t"NVRM: fallen off the bus and is not responding",',
    '        ErrorKind::NoDevice => c"no CUDA-capable device is detected".as_ptr(),',
    '                    c"CUDNN_STATUS_NOT_SUPPORTED"',
    "            write(*,\"(/,'No CUDA devices found',/)\")",
    "        if torch.cuda.is_available() is False and (fp16 is True or jit is True):",
    '        if echo "${log}" | grep -qi "NCCL WARN"; then',
    '        == "OOMKilled (exit code 137)"',
    '                    finished(name="head", exit_code=137, reason="OOMKilled"),',
    '    assert "RuntimeError: CUDA out of memory" in cleaned',
    '                logger.warning_once("FlashAttention-2 is not installed, use another.")',
    'python demo/cli.py --json "NVRM: Xid (PCI:0000:41:00): 79, pid=12345, GPU has fallen off the bus"',
    '--kernel-message "NVRM: Xid (PCI:0000:04:00): 79, GPU has fallen off the bus"',
    '            Fault::OutOfMemory => write!(f, "CUDA out of memory"),',
    '        OSError("[WinError 126] The specified module could not be found"),',
    '    module = loader(ImportError("libcudart.so.12: cannot open shared object file"))',
    "    pointer == C_NULL && throw(HIP.HIPError(HIP.hipErrorOutOfMemory))",
    "    assert excinfo.value == 'cudaErrorInvalidDevice: invalid device ordinal'",
    "    @test lib.description(lib.STATEVECError(lib.CUSTATEVEC_STATUS_ALLOC_FAILED)) == text",
    "    elseif err.code == CUTENSORNET_STATUS_ALLOC_FAILED",
    '      << "Two processes of the group run on the same CUDA device " << device;',
    '    safeError(recorder, "Failed to allocate device memory for the file: " + name);',
    '      [[ "${a}" == "${b}" ]] || fail "duplicate GPU index ${a} in the list"',
    "        return !this->size() || data ? hipSuccess : hipErrorOutOfMemory;",
    "    check_status(status)  # cudaErrorStreamCaptureImplicit could be raised here",
    '        vae.decode.side_effect = torch.cuda.OutOfMemoryError("CUDA out of memory")',
    '\t\tklog.Error("Incompatible strategy: is the NVIDIA Container Toolkit configured?")',
    "  if (rc != NVML_SUCCESS && rc != NVML_ERROR_DRIVER_NOT_LOADED)",
    "  # these wheels fail with an out of memory error on small runners",
    "        >>> # e.g. when the loss is NaN",
    "# FIXME: these tests regularly trigger illegal memory accesses",
    'expected = r"ERROR: (KernelException: .*|CUDA error: unspecified launch failure)"',
    '\t\tMessage: "NVRM: Xid (PCI:0000:04:00): 79, GPU has fallen off the bus",',
]
PRINTED = [
    "    RuntimeError: CUDA error: out of memory",
    "  CUDA out of memory. Tried to allocate 2.00 GiB || retry",
    'message = "CUDA out of memory"',
    "RuntimeError: CUDA error: out of memory",
    "Check failed: status == CUBLAS_STATUS_SUCCESS (3 vs. 0)",
    "CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 8.00 GiB total capacity)",
    "train.cu:12: error: identifier is undefined",
    "src/a.cu:41: void f(): block: [0,0,0], thread: [1,0,0] Assertion `index < size` failed.",
    'error: "CUDA out of memory"',
    '{"level": "error", "message": "CUDA out of memory"}',
    "cuda runtime error (2) : out of memory at a.cu:66",
    "  what():  CUDA error: out of memory",
    "    torch.OutOfMemoryError('CUDA out of memory')",
    'bash: line 1: ./train.sh: "CUDA out of memory"',
    "raise RuntimeError('CUDA out of ' RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB",
]

FILE = '''import torch


def run(step):
    """Run a step.

    Raises RuntimeError: CUDA out of memory
    """
    try:
        return step()
    except RuntimeError as error:
        print("failed", error)
        raise
'''


def test_a_list_of_words_that_a_program_looks_for() -> None:
    text = 'MARKERS = [\n    "out of memory",\n    "cudnn_status_alloc_failed",\n    "memoryerror",\n]\n'
    assert "output" not in [line.role for line in read(text).lines][1:4]


@pytest.mark.parametrize("line", STATEMENTS)
def test_statements(line: str) -> None:
    assert read(line + "\n").lines[0].role == "code"


@pytest.mark.parametrize("line", PRINTED)
def test_output(line: str) -> None:
    assert read(line + "\n").lines[0].role == "output"


def test_a_file_with_its_docstrings() -> None:
    assert {line.role for line in read(FILE).lines} == {"code"}


def test_a_program_and_what_it_printed() -> None:
    text = FILE + "\n$ python run.py\nfailed CUDA error: out of memory\nRuntimeError: CUDA error: out of memory\n"
    assert [line.role for line in read(text).lines][-2:] == ["output", "output"]


def test_a_function_that_begins_with_calls() -> None:
    text = 'def test_a(patch):\n    import a\n    patch(a, "b")\n    patch(\n        a, run("CUDA out of memory"),\n    )\n    assert a.b\n'
    assert {line.role for line in read(text).lines if "CUDA" in line.text} == {"code"}


def test_arguments_of_a_call() -> None:
    text = '        select_from_list(\n            num,\n            "No Integrated GPU device found",\n            &instance,\n'
    assert read(text).lines[2].role == "code"
    printed = '  "devices": [\n    0,\n    "No Integrated GPU device found",\n    1\n  ]\n'
    assert read(printed).lines[2].role == "output"


def test_a_condition_of_a_shell_in_one_line() -> None:
    line = 'if [ -z "${NAME}" ]; then echo "Error: Couldn\'t detect GPU!"; else echo "Building for GPU: ${NAME}"; fi'
    assert read(line + "\n").lines[0].role == "code"


def test_a_table_of_codes() -> None:
    rows = '\t{98, "EADDRINUSE", "address already in use"},\n\t{104, "ECONNRESET", "connection reset by peer"},\n'
    assert {line.role for line in read(rows * 2).lines} == {"code"}


def test_what_settings_remark() -> None:
    remarks = (
        "# Not hypothetical: the first probe died with\n# `libcusparseLt.so.0: cannot open shared object file`\n# after a\n# downgrade\n"
    )
    assert {line.role for line in read(remarks).lines} == {"code"}
    assert read("# CUDA out of memory\n# Environment\n# Logs\n# Steps\n").lines[0].role != "code"


def test_what_a_program_remarks_in_three_lines() -> None:
    remarks = "# RuntimeError: CUDA out of memory. Tried to allocate 36.00 MiB (4 GiB\n# allocated; 47 MiB free)\n# see notes\n"
    assert {line.role for line in read(f"import gc\nimport torch\n\ngc.collect()\n\n{remarks}").lines[5:8]} == {"code"}
    assert "code" not in {line.role for line in read(f"{remarks}\nIt fails.\n").lines}


def test_a_whole_file_by_its_beginning() -> None:
    body = "".join(f"  int a{n} = f({n});\n  g(a{n});\n  Kind{n}\n" for n in range(24))
    text = "// Copyright\n" + body + "  NVML_ERROR_GPU_IS_LOST\n  return a0;\n}\n"
    assert {line.role for line in read(text).lines if line.text.strip()} == {"code"}
    assert read(text + "NVML_ERROR_GPU_IS_LOST was printed\n").lines[-1].role == "output"


def test_strings_of_json_were_printed() -> None:
    lines = '  "step 1",\n  "step 2",\n  "CUDA out of memory",\n  "exit 1"\n'
    assert {line.role for line in read(lines).lines} == {"code"}
    assert {line.role for line in read(f"{{\n{lines}}}\n").lines} == {"output"}


def test_pairs_of_names() -> None:
    text = '    ("cudaErrorNoDevice", "hipErrorNoDevice"),\n' * 3
    assert {line.role for line in read(text).lines} == {"code"}


def test_statements_in_julia() -> None:
    text = (
        "import CUDA\nfunction check(f)\n    g(res) = res in (CUDNN_STATUS_NOT_INITIALIZED,\n"
        "                    CUDNN_STATUS_INTERNAL_ERROR)\n"
        '    @test_throws "requires compute capability 6.1" f()\n    return f\nend\n'
    )
    assert {line.role for line in read(text).lines if "CUDNN" in line.text or "capability" in line.text} == {"code"}


def test_blocks_that_end_with_a_word() -> None:
    block = "function check(x)\n    if x\n        return x\n    end\nend\n"
    assert {line.role for line in read(f"{block}# it fails with CUDA error: out of memory\n{block}").lines if line.text} == {"code"}
    printed = read(f"{block}{block}ERROR: LoadError: CUDA error: out of memory\n").lines
    assert printed[-1].role == "output"


def test_names_between_brackets() -> None:
    text = '    (\n        "CUDA_ERROR_ASSERT",\n        ("hipErrorAssert", ("hipErrorAssert", API)),\n    ),\n' * 2
    assert {line.role for line in read(text).lines if "ASSERT" in line.text} == {"code"}


def test_comments_over_several_lines() -> None:
    text = "#include <a.h>\n/* CUDA error: out of memory\n * is returned\n */\nint f() {\n    return 1;\n}\n"
    assert {line.role for line in read(text).lines} == {"code"}


def test_source_of_a_traceback_stays_source() -> None:
    text = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    raise RuntimeError("x")\nRuntimeError: x\n'
    assert [line.role for line in read(text).lines] == ["output", "output", "source", "output"]


@pytest.mark.parametrize(
    "line",
    [
        "    elseif status == rocblas_status_memory_error",
        '                    2000 => writer.write_all("CUDNN_STATUS_BAD_PARAM".as_bytes()),',
        "\tALLOCATION_FAILED Status = C.CURAND_STATUS_ALLOCATION_FAILED // no room",
        "  zesInit: 0x78000001      # ZE_RESULT_ERROR_UNINITIALIZED",
        "EXPECT_TRUE(CheckFailure(CUDNN_STATUS_ALLOC_FAILED));",
        "    :raises RuntimeError: If CUDA GPU is not available",
    ],
)
def test_codes_in_other_languages(line: str) -> None:
    assert read(f"{line}\n").lines[0].role == "code"


def test_a_code_among_others_in_a_condition() -> None:
    text = "        return true\n            err.code in (HIP.hipErrorOutOfMemory, HIP.hipErrorMemoryAllocation) ||\n"
    assert read(text).lines[1].role == "code"


def test_sentence_between_code_and_what_it_printed() -> None:
    text = (
        "Here is my code:\n\n    import torch\n    model = Net()\n    out = model(x)\n\nAnd this is what I get:\n\n"
        "    ========= Invalid __global__ read of size 4 bytes\n    =========     at 0x90 in add(float*)\n"
        "    =========     by thread (0,0,0) in block (0,0,0)\n"
    )
    roles = [line.role for line in read(text).lines]
    assert roles[2:5] == ["code"] * 3
    assert "code" not in roles[5:]


def test_sentence_in_small_letters_behind_a_program() -> None:
    text = (
        "import numpy\nfrom numba import cuda\ndef f(a):\n    for i in range(9):\n        a[i] = 1\na = numpy.ones(9)\nb = f(a)\nc = f(b)\n"
        "d = f(c)\nprint(a, b)\n\nand it is giving the following error:\n[100] Call to cuInit results in CUDA_ERROR_NO_DEVICE:\n"
    )
    assert read(text).lines[-1].role != "code"


def test_a_log_in_a_string_that_begins_in_the_next_line() -> None:
    text = '_TRACE = """\\\n[rank0]: starting\nRuntimeError: NCCL error in: ProcessGroupNCCL.cpp:1290\n"""\n'
    assert {line.role for line in read(text).lines[1:] if line.text} <= {"code", "document"}


def test_conditions_on_single_quoted_messages() -> None:
    text = "                if 'NCCL WARN Call to ibv_modify_qp failed' in line:\n                    codes.add('IB')\n"
    assert read(text).lines[0].role == "code"


def test_the_errors_that_a_program_is_given_in_a_list() -> None:
    text = 'cases = [\n    {\n        "name": "large",\n        "error": "CUDA out of memory. Tried to allocate 1.00 GiB",\n    },\n]\n'
    assert {line.role for line in read(text).lines if "out of memory" in line.text} == {"code"}
    assert {line.role for line in read(text.replace("cases = ", "")).lines if "out of memory" in line.text} != {"code"}


def test_the_strings_of_a_macro() -> None:
    text = '    "PMU Halt Error",             \\\n    "GPU has fallen off the bus", \\\n    "VGA Subsystem Error",        \\\n}\n'
    assert {line.role for line in read(text).lines if "fallen" in line.text} == {"code"}


def test_a_dictionary_whose_beginning_was_cut_off() -> None:
    text = '        "line": 2,\n        "quote": "CUDA out of memory. Tried to allocate",\n    }\n\n\ndef test_a(run):\n    run("b")\n'
    assert {line.role for line in read(text).lines if "out of memory" in line.text} == {"code"}
    assert {line.role for line in read(text.partition("\n\n")[0] + "\n").lines if "out of memory" in line.text} != {"code"}
