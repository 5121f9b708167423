"""Advice is in the words of the reader's GPU, system and framework."""

from __future__ import annotations

import pytest

from triage import explain
from triage.facts.messages import fill, parse_message
from triage.report import Fix
from triage.report.audience import launchers
from triage.rulebook.taxonomy import told_instead

_OF_NVIDIA = ("nvidia-", "dcgm", "compute-sanitizer", "CUDA_LAUNCH_BLOCKING", "PTX")


def _fixes(text: str, lang: str = "en") -> list[dict[str, object]]:
    return list(explain(text).to_dict(lang)["diagnoses"][0]["fixes"])


def _line(line: str, launcher: str) -> str:
    return "".join(launchers.lines_for([line], launcher))


def _advice(text: str, lang: str = "en") -> str:
    return "\n".join(f"{fix['title']} {fix['detail']} {fix['commands']}" for fix in _fixes(text, lang))


def _fix(text: str, name: str) -> Fix:
    return next(fix for fix in explain(text).diagnoses[0].fixes if fix.id == name)


@pytest.mark.parametrize(
    "text",
    [
        "amdgpu 0000:b1:00.0: amdgpu: socket: 4, die: 0, 2 new uncorrectable hardware errors detected in umc block",
        "HW Exception by GPU node-1 (Agent handle: 0x5586c1a0) reason :GPU Hang",
        "RuntimeError: No HIP GPUs are available",
        "ggml_metal_graph_compute: command buffer 0 failed with status 5\n"
        "error: Ignored (for causing prior/excessive GPU errors) (00000004:kIOAccelCommandBufferCallbackErrorSubmissionsIgnored)",
        "[24078.925037] MTGPU:(Error): 56377:  PID 1747 experienced error Guilty Lockup (0x1)\nRuntimeError: MUSA error: unknown error",
        "CUDA error: out of memory\n  current device: 1, in function alloc at /build/ggml/src/ggml-cuda/ggml-cuda.cu:412\n"
        "  hipMalloc((void **) &ptr, look_ahead_size)",
        "ROCm error: out of memory\n  current device: 0, in function alloc build/src/ggml-cuda.cu:420",
    ],
)
def test_other_makers_are_given_no_tool_of_nvidia(text: str) -> None:
    for lang in ("en", "zh"):
        assert not [word for word in _OF_NVIDIA if word in _advice(text, lang).replace("amd-smi", "")]


@pytest.mark.parametrize(
    "text",
    [
        " cuDNN status Error in: file: ./src/convolutional_kernels.cu : () : line: 471 : build time: Oct 27 2020\n"
        "\n cuDNN Error: CUDNN_STATUS_EXECUTION_FAILED",
        "[E] [TRT] cuda/cudaConvolutionLayer.cpp (238) - Cudnn Error in execute: 8 (CUDNN_STATUS_EXECUTION_FAILED)",
        "2019-04-10 15:29:41.141836: E tensorflow/stream_executor/cuda/cuda_blas.cc:510] failed to create cublas handle: "
        "CUBLAS_STATUS_NOT_INITIALIZED",
        "CUDA error: CUDA-capable device(s) is/are busy or unavailable\n"
        "  current device: 0, in function ggml_cuda_set_device at ggml/src/ggml-cuda/ggml-cuda.cu:86",
        'CUDA error at main.cu:88 code=3(cudaErrorInitializationError) "cudaMalloc(&p, n)"',
    ],
)
def test_who_does_without_pytorch_is_told_nothing_of_it(text: str) -> None:
    for lang in ("en", "zh"):
        told = _advice(text, lang)
        assert told
        assert "torch" not in told.lower()


@pytest.mark.parametrize(
    ("started", "line"),
    [
        ("", "torchrun --log-dir logs --redirects 3 --tee 3 --nproc-per-node=gpu train.py"),
        ("torchrun --nproc-per-node=4 train.py", "torchrun --log-dir logs --redirects 3 --tee 3 --nproc-per-node=gpu train.py"),
        ("srun: error: n2: task 1: Exited with exit code 1", "srun --output=rank-%t.log python train.py"),
        ("[INFO] [launch.py:315:sigkill_handler] Killing subprocess 81", "deepspeed --enable_each_rank_log logs train.py"),
        ("accelerate launch train.py\ntorch.distributed.elastic", "accelerate launch --log_dir logs --tee 3 train.py"),
        ("mpirun -np 4 python train.py", "mpirun --output-filename logs -np 8 python train.py"),
        ("  ray.exceptions.ActorDiedError", "grep -n -m 3 -iE 'error|out of memory|NCCL WARN' /tmp/ray/session_latest/logs/worker-*"),
    ],
)
def test_lines_that_start_a_job_are_those_of_its_launcher(started: str, line: str) -> None:
    cut_off = "node2:85:90 [0] misc/socket.cc:50 NCCL WARN socketProgress: Connection closed by remote peer node1<45074>"
    report = explain(f"{started}\n{cut_off}\n")
    [found] = [diagnosis for diagnosis in report.diagnoses if diagnosis.family == "distributed.peer-died"]
    commands = [command for fix in found.fixes for command in fix.commands]
    assert line in commands
    assert ("torchrun" in " ".join(commands)) == line.startswith("torchrun")


def test_a_port_is_named_as_the_launcher_takes_it() -> None:
    line = "NCCL_DEBUG=INFO torchrun --master-port 29511 --nproc-per-node=2 train.py"
    assert _line(line, "") == _line(line, "torchrun") == line
    assert _line(line, "slurm") == "NCCL_DEBUG=INFO srun --export=ALL,MASTER_PORT=29511 python train.py"
    assert _line(line, "accelerate") == "NCCL_DEBUG=INFO accelerate launch --main_process_port 29511 train.py"
    assert _line(line, "ray") == ""
    assert _line("torchrun --rdzv-conf join_timeout=1800 train.py", "mpi") == "torchrun --rdzv-conf join_timeout=1800 train.py"


def test_a_source_of_pytorch_is_no_program_of_its_own() -> None:
    text = "/build/aten/src/ATen/native/cuda/Loss.cu:95: operator(): block: [4,0,0], thread: [8,0,0] Assertion `input_val >= zero` failed."
    assert "BCEWithLogitsLoss" in _advice(text)


def test_a_text_that_names_both_makers_keeps_the_general_words() -> None:
    text = "NVIDIA GeForce RTX 3090, no Radeon\nRuntimeError: CUDA error: unspecified launch failure"
    assert "CUDA_LAUNCH_BLOCKING" in _advice(text)


def test_windows_has_no_packages_of_linux() -> None:
    for text in (
        "Stop code: VIDEO_TDR_FAILURE\nWhat failed: nvlddmkm.sys",
        "OSError: [WinError 127] Error loading C:\\env\\Lib\\x\\torch\\lib\\c10.dll",
    ):
        assert not [word for word in ("apt-get", "dpkg", "sudo", "export ") if word in _advice(text)]
    assert "clean" in _fix("Stop code: VIDEO_TDR_FAILURE\nWhat failed: nvlddmkm.sys", "reinstall-driver").detail


def test_a_guest_with_windows_makes_no_windows_of_its_host() -> None:
    text = "The guest has Windows 11. On the host:\ni915 0000:33:00.0: [drm] *ERROR* rcs0 reset request timed out: {}"
    assert "Restart Windows" not in _fix(text, "reboot-or-reset").title


def test_wsl_is_restarted_from_windows() -> None:
    text = "Ubuntu 22.04 in WSL2\nFailed to initialize NVML: Driver/library version mismatch\n"
    assert list(_fix(text, "reboot-or-reset").commands) == ["wsl --shutdown"]


def test_wsl_leaves_the_driver_to_windows() -> None:
    text = "In WSL2:\nNVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."
    assert "/usr/lib/wsl/lib" in _fix(text, "reinstall-driver").detail
    assert "sudo reboot" not in _advice(text)


def test_a_framework_is_told_of_its_own_builds() -> None:
    text = "failed to run cuBLAS routine: CUBLAS_STATUS_EXECUTION_FAILED\nRTX 3070, tensorflow-gpu=1.15.0"
    fix = _fix(text, "match-cuda-build")
    assert "TensorFlow" in fix.detail
    assert "PyTorch" not in fix.detail


_GGML_LACKS_CODE = (
    "CUDA error: no kernel image is available for execution on the device\n  in function ggml_cuda_compute_forward at ggml-cuda.cu:76\n"
)


@pytest.mark.parametrize(
    ("text", "fix", "told", "not_told"),
    [
        (_GGML_LACKS_CODE + "llama-cpp-python 0.3.9", "rebuild-extension", "CMAKE_ARGS=", "make clean"),
        (_GGML_LACKS_CODE, "rebuild-extension", "make clean", "CMAKE_ARGS="),
        (
            "ggml_cuda_compute_forward: SCALE failed\nROCm error: invalid device function\n"
            "  current device: 0, in function ggml_cuda_compute_forward at ggml-cuda.cu:84",
            "match-cuda-build",
            "gfx",
            "PyTorch",
        ),
        (
            "RuntimeError: CUDA failed with error CUDA driver version is insufficient for CUDA runtime version\nctranslate2==4.4.0",
            "match-cuda-build",
            "cuDNN 9",
            "torch.version",
        ),
        (
            "F0216 19:41:21 1 syncedmem.cpp:56] Check failed: error == cudaSuccess (2 vs. 0)  out of memory\ncaffe train",
            "reduce-batch-or-sequence",
            "prototxt",
            "checkpoint",
        ),
        (
            "terminate called after throwing an instance of 'thrust::system::system_error'\n"
            "  what():  an illegal memory access was encountered\nimport cudf",
            "rebuild-extension",
            "RAPIDS",
            "TORCH_CUDA_ARCH_LIST",
        ),
    ],
)
def test_users_of_a_program_are_told_of_its_own_builds(text: str, fix: str, told: str, not_told: str) -> None:
    found = _fix(text, fix)
    said = f"{found.title} {found.detail} {found.commands}"
    assert told in said
    assert not_told not in said


def test_a_lost_gpu_is_not_reset_by_software() -> None:
    text = "|   2  Tesla V100-SXM2...  On   | 00000000:1C:00.0 Off |                    0 |\n"
    text += "| ERR!  ERR! ERR!    ERR! / ERR! |      0MiB / 32510MiB |    N/A      Default |"
    assert "--gpu-reset" not in _advice(text)
    assert "poweroff" in _advice(text)


def test_lines_of_one_framework_go_where_a_family_has_lines_of_its_own() -> None:
    general = {"commands": ["a"], "commands_of": {"torch": ["b"]}}
    assert told_instead(general, {"commands": ["c"]}) == {"commands": ["c"], "commands_of": {}}
    assert told_instead(general, {"detail": {}})["commands_of"] == {"torch": ["b"]}


def test_a_sentence_before_another_ends() -> None:
    said = [parse_message("The switch reports {detail}"), parse_message("The fabric goes on.")]
    assert fill(said, {"detail": "Link 32 error (First)"}, "en") == "The switch reports Link 32 error (First). The fabric goes on."
    assert fill([parse_message("交换机报告 {detail}"), parse_message("继续。")], {"detail": "x"}, "zh") == "交换机报告 x。继续。"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "NVIDIA GeForce RTX 5080 with CUDA capability sm_120 is not compatible with the current PyTorch installation.\n"
            "The current PyTorch install supports CUDA capabilities sm_50 sm_60 sm_70 sm_75 sm_80 sm_86 sm_90.",
            "sm_50 sm_60 sm_70 sm_75 sm_80 sm_86 sm_90 only",
        ),
        (
            "n2:31:77 [1] init.cc:640 NCCL WARN Mismatched NCCL version detected : rank 8 version 22304 rank 0 version 2708",
            "NCCL 2.23.4, rank 0 2.7.8",
        ),
        (
            "Found GPU0 GeForce RTX 2070 which requires CUDA_VERSION >= 10000 to\n"
            " work properly, but your PyTorch was compiled\n with CUDA_VERSION 9000.",
            "CUDA 10.0 or newer; this PyTorch was built with 9.0",
        ),
        ("error: -- unsupported GNU version! gcc versions later than 12 are not supported!", "here gcc 12"),
    ],
)
def test_what_is_said_is_true_for_the_readers_own_numbers(text: str, said: str) -> None:
    assert said in explain(text).to_dict()["diagnoses"][0]["summary"]


def test_lines_name_what_the_message_asks_for() -> None:
    assert "mmcv>=2.0.0rc4,<2.1'" in _advice("AssertionError: MMCV==2.1.0 is used but incompatible. Please install mmcv>=2.0.0rc4, <2.1.0.")
    assert "gcc-12" in _advice("error: -- unsupported GNU version! gcc versions later than 12 are not supported!")
    assert "cuda-toolkit=12.9" in _advice("nvcc fatal : Unsupported gpu architecture 'compute_50'")
    assert "cuda-toolkit=11.8" in _advice("nvcc fatal : Unsupported gpu architecture 'compute_35'")


def test_the_address_of_a_switch_is_not_that_of_a_gpu() -> None:
    text = "nvidia-nvswitch3: SXid (PCI:0000:05:00.0): 12028, Non-fatal, Link 32 egress non-posted PRIV error (First)"
    assert "-i 0000:05:00.0" not in _advice(text)
    assert "gpu" not in explain(text).to_dict()["diagnoses"][0]["facts"]


def test_a_class_of_the_driver_is_no_card() -> None:
    text = "NVRM: Xid (PCI:0000:01:00): 119, pid=1, name=x, Timeout after 45s of waiting for RPC response from GPU0 GSP! "
    text += "Expected function 103 (GSP_RM_ALLOC) (0x2080 0x4)."
    assert explain(text).to_dict()["environment"]["gpus"] == []


def test_wheels_ask_for_no_newer_driver_than_the_card_does() -> None:
    text = "How can I run this on an {}? pytorch says it is not supported, no kernel image is available for execution on the device"
    assert "whl/cu128" in _advice(text.format("RTX 5070 Ti"))
    assert "whl/cu126" in _advice(text.format("GTX 1080 Ti"))


@pytest.mark.parametrize(("served", "index"), [("10.2", "cu102"), ("11.2", "cu118"), ("11020", "cu118"), ("13.0", "cu130")])
def test_wheels_for_what_a_driver_serves(served: str, index: str) -> None:
    assert f"whl/{index}" in _advice(f"CUDA Driver Version: {served}\ntorch.cuda.is_available() is False\n")


def test_no_wheels_for_a_driver_older_than_all_of_them() -> None:
    text = "torch.cuda.is_available() is False\n| NVIDIA-SMI 410.78       Driver Version: 410.78       CUDA Version: 10.0     |\n"
    assert "whl/cu" not in _advice(text)


def test_a_file_of_a_model_is_no_call_of_torch() -> None:
    text = (
        "[TRT] [E] 1: Error Code 1: Serialization (Version tag does not match. Note: Current Version: 237, Serialized Engine Version: 239)"
    )
    assert "trtexec --onnx=model.onnx" in _advice(text)
    assert "serialization version 239, and this TensorRT reads 237" in explain(text).diagnoses[0].summary


def test_a_clean_environment_is_made_for_the_readers_framework() -> None:
    text = "torch 2.2.0\nImportError: /env/flash_attn_2_cuda.cpython-38-x86_64-linux-gnu.so: undefined symbol: _ZN3c104cuda9SetDeviceEi"
    build = "torch 2.2.0\nAssertionError: Torch not compiled with CUDA enabled"
    assert "fresh/bin/pip install torch" in _fix(build, "reinstall-environment").commands
    assert "2.7.4.post1 is the last release with prebuilt files for this torch" in _fix(text, "pin-package").detail


@pytest.mark.parametrize(("gfx", "version"), [("gfx1031", "10.3.0"), ("gfx1035", "10.3.0")])
def test_a_card_of_amd_passes_for_a_sibling_of_its_own_family(gfx: str, version: str) -> None:
    text = f"torch 2.9.0+rocm6.4 on a {gfx}\nRuntimeError: HIP error: invalid device function"
    assert f"HSA_OVERRIDE_GFX_VERSION={version} python app.py" in _fix(text, "match-cuda-build").commands
    assert gfx in explain(text).diagnoses[0].summary


@pytest.mark.parametrize(("gfx", "release", "index"), [("gfx1103", "2.13", "rocm7.2"), ("gfx1151", "2.10", "rocm7.1")])
def test_a_card_of_amd_that_later_wheels_have_code_for_takes_those(gfx: str, release: str, index: str) -> None:
    text = f"torch 2.9.0+rocm6.4 on a {gfx}\nRuntimeError: HIP error: invalid device function"
    [first, *_] = _fix(text, "match-cuda-build").commands
    assert f"'torch>={release}'" in first
    assert first.endswith(f"/whl/{index}")


def test_the_versions_of_module_and_packages_are_said() -> None:
    text = (
        "Failed to initialize NVML: Driver/library version mismatch\n"
        "updated to `nvidia-driver-550:amd64 550.107.02-0ubuntu0.24.04.1`, but /proc/driver/nvidia/version reports\n"
        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024"
    )
    assert "kernel module is 550.90.07, the installed packages are 550.107.02" in explain(text).diagnoses[0].summary


def test_what_follows_the_first_sentence_of_a_title_stands_behind_a_colon() -> None:
    text = "ImportError: libcudart.so.11.0: cannot open shared object file: No such file or directory"
    assert explain(text).diagnoses[0].title == "A shared library cannot be found: libcudart.so.11.0"
    assert explain(text).to_dict("zh")["diagnoses"][0]["title"] == "找不到共享库：libcudart.so.11.0"


def test_a_message_of_xla_is_answered_in_the_words_of_jax_where_jax_runs() -> None:
    message = "E1111 cuda_dnn.cc:535] Could not create cudnn handle: CUDNN_STATUS_INTERNAL_ERROR\n"
    error = "RuntimeError: FAILED_PRECONDITION: DNN library initialization failed."
    assert "jax[cuda12]" in _advice(message + "Xla" + error)
    assert "tensorflow[and-cuda]" in _advice(message + error)
    assert "TF_FORCE_GPU_ALLOW_GROWTH" in _advice(message + error)
    folded = _advice("We installed ColabFold and ran a prediction.\n\n" + message + error)  # TensorFlow only reads its inputs
    assert "jax[cuda12]" in folded
    assert "TF_FORCE_GPU_ALLOW_GROWTH" not in folded
    found = "cuda_dnn.cc:456] Loaded runtime CuDNN library: 9.10.1 but source was compiled with: 9.13.1.\njax.errors.JaxRuntimeError: x"
    assert "jax[cuda12]" in _advice(found)
    assert not [word for word in ("torch", "tensorflow") if word in _advice(found).lower()]


def test_windows_takes_the_triton_of_the_community() -> None:
    text = "Torch.compile not working with python 3.12 on windows\nRuntimeError: Cannot find a working triton installation."
    assert "triton-windows" in str(_fixes(text)[0]["title"])
    assert "--force-reinstall" not in _advice(text)
    error = "ImportError: cannot import name 'triton_key' from 'triton.compiler.compiler'\n"
    assert "triton-windows==3.VERSION" in _advice(error + "with the latest `triton-windows`")
    assert "--force-reinstall torch" in _advice(error)


def test_an_old_driver_is_named_with_what_it_serves() -> None:
    text = "Driver Version: 470.82.01, CUDA 11.8\nCUDA driver version is insufficient for CUDA runtime version"
    assert "Driver 470.82.01 goes up to CUDA 11.4." in explain(text).diagnoses[0].summary


def test_a_build_that_was_killed_is_told_to_compile_less_at_a_time() -> None:
    text = "Killed\nERROR: Failed building wheel for flash-attn"
    assert "MAX_JOBS=2" in str(_fixes(text)[0]["commands"])
    assert "DataLoader" not in _advice(text)


def test_corrected_errors_take_no_node_out_of_service() -> None:
    text = "NVRM: Xid (PCI:0000:3b:00): 92, pid=1234, name=python, High single-bit ECC error rate"
    assert not [word for word in ("dcgmi diag", "--gpu-reset", "reboot") if word in _advice(text)]
    assert "nvidia-smi -q -d ECC" in _advice(text)


def test_a_gpu_that_the_driver_does_not_know_asks_for_a_driver_of_its_generation() -> None:
    text = (
        "NVRM: The NVIDIA GPU 0000:01:00.0 (PCI ID: 10de:2b85)\n"
        "NVRM: installed in this system is not supported by the\n"
        "NVRM: NVIDIA 550.144.03 driver release."
    )
    assert "570 or later with the open kernel modules" in _advice(text)
    assert "nvidia-driver-570" not in _advice(text)


def test_the_limit_of_a_job_is_one_of_host_memory() -> None:
    text = "slurmstepd: error: Detected 1 oom_kill event in StepId=123.0. Some of the step tasks have been OOM Killed."
    assert "limit of its container, pod or job" in explain(text).diagnoses[0].summary
    assert "MIG" not in explain(text).diagnoses[0].summary


@pytest.mark.parametrize(
    ("wanted", "where"),
    [
        ("torch==1.10.0+cu113", "-f https://download.pytorch.org/whl/torch_stable.html"),
        ("torch==2.4.0+cu121", "--index-url https://download.pytorch.org/whl/cu121"),
    ],
)
def test_a_build_is_asked_of_the_index_that_has_it(wanted: str, where: str) -> None:
    text = f"ERROR: No matching distribution found for {wanted}"
    assert f"pip install '{wanted}' {where}" in _fix(text, "match-cuda-build").commands
    assert f"No wheel of {wanted} exists" in explain(text).diagnoses[0].summary


def test_cases_of_another_makers_gpu_are_not_shown() -> None:
    told = "RuntimeError: {} out of memory. Tried to allocate 6.00 GiB (GPU 0; 31.75 GiB total capacity; 21.00 GiB already allocated; "
    told += "4.61 GiB free; 26.64 GiB reserved in total by PyTorch)"
    shown = {maker: explain(told.format(maker)).diagnoses[0].cases for maker in ("CUDA", "HIP")}
    assert shown["CUDA"]
    assert not {case["id"] for case in shown["CUDA"]} & {case["id"] for case in shown["HIP"]}


@pytest.mark.parametrize(
    "text",
    [
        "/home/ada/torch/install/bin/luajit: Creating MTGP constants failed. at cutorch/lib/THC/THCTensorRandom.cu:33",
        'ERROR (nnet3-train[5.5.0]:CuRand():cu-rand.cc:13) curandStatus_t 201 : "CURAND_STATUS_LAUNCH_FAILURE" in cu-device.cc',
        "[2019-05-01 10:00:00] Error: Curand error 203 - /home/ada/marian/src/rng.cu:31: curandCreateGenerator(&generator_, RNG)",
    ],
)
def test_programs_of_their_own_are_told_nothing_of_python(text: str) -> None:
    advice = _advice(text)
    assert "PROGRAM" in advice
    assert not any(word in advice for word in ("pip install", "torch.", "train.py"))


@pytest.mark.parametrize(
    ("launcher", "told"),
    [
        ("", "CUDA_LAUNCH_BLOCKING=1 python train.py"),
        ("torchrun", "CUDA_LAUNCH_BLOCKING=1 torchrun --nproc-per-node=gpu train.py"),
        ("accelerate", "CUDA_LAUNCH_BLOCKING=1 accelerate launch train.py"),
        ("mpi", "mpirun -np 8 env CUDA_LAUNCH_BLOCKING=1 python train.py"),
        ("mpich", "mpiexec -n 8 env CUDA_LAUNCH_BLOCKING=1 python train.py"),
        ("slurm", "srun --export=ALL,CUDA_LAUNCH_BLOCKING=1 python train.py"),
        ("ray", 'ray job submit --runtime-env-json \'{"env_vars": {"CUDA_LAUNCH_BLOCKING": "1"}}\' -- python train.py'),
    ],
)
def test_variables_reach_every_rank(launcher: str, told: str) -> None:
    assert _line("CUDA_LAUNCH_BLOCKING=1 python train.py", launcher) == told


def test_actors_of_ray_are_given_variables_and_not_gpus() -> None:
    assert '"NCCL_DEBUG": "INFO"' in _line("export NCCL_DEBUG=INFO", "ray")
    assert _line("export LD_LIBRARY_PATH=$CONDA_PREFIX/lib", "ray") == "export LD_LIBRARY_PATH=$CONDA_PREFIX/lib"
    assert _line("CUDA_VISIBLE_DEVICES=0 python train.py", "ray") == ""
    assert _line("compute-sanitizer --tool memcheck python train.py", "slurm").startswith("srun compute-sanitizer ")
    assert _line("CUDA_VISIBLE_DEVICES=0 python train.py", "torchrun") == "CUDA_VISIBLE_DEVICES=0 python train.py"


_OLD_DRIVER = "RuntimeError: The NVIDIA driver on your system is too old (found version 11040). Please update your GPU driver"


@pytest.mark.parametrize(
    "around", ["I have no sudo on this cluster.", "slurmstepd: error: *** STEP 1.0 ON n1 CANCELLED ***", "module load cuda/12"]
)
def test_who_is_not_root_is_told_whose_the_driver_is(around: str) -> None:
    fixes = _fixes(f"{around}\n{_OLD_DRIVER}")
    assert [fix["id"] for fix in fixes].index("match-cuda-build") < [fix["id"] for fix in fixes].index("upgrade-driver")
    assert "administrators" in str(next(fix for fix in fixes if fix["id"] == "upgrade-driver")["detail"])
    assert "管理员" in _advice(f"{around}\n{_OLD_DRIVER}", "zh")


@pytest.mark.parametrize("around", ["", "root@box:~# python train.py", "module load cuda/12\n$ sudo nvidia-smi"])
def test_who_may_be_root_is_told_nothing_of_administrators(around: str) -> None:
    assert "administrators" not in _advice(f"{around}\n{_OLD_DRIVER}")


def test_users_of_openmm_are_told_nothing_of_networks() -> None:
    advice = _advice(
        "OpenMMException: Error creating array interactingAtoms: CUDA_ERROR_OUT_OF_MEMORY (2)\nI run NPT with OpenMM on one A100."
    )
    assert "smaller" in advice
    assert not [word for word in ("torch", "batch", "checkpointing", "map_location") if word in advice]
    assert "map-location" not in [
        fix["id"] for fix in _fixes("openmm.OpenMMException: Error initializing context: CUDA_ERROR_INVALID_DEVICE (101)")
    ]


@pytest.mark.parametrize(
    "text", ["Apple M2 Max, 32 GB\nMPS backend out of memory (MPS allocated: 26.10 GB, other allocations: 1.5 GB, max allowed: 27.20 GB)"]
)
def test_one_gpu_is_not_spread_over(text: str) -> None:
    assert "shard-model" not in [fix["id"] for fix in _fixes(text + ". Tried to allocate 1.00 GB on private pool. I load Llama-3-70B.")]


ON_WINDOWS = """Traceback (most recent call last):
  File "D:\\nets\\train.py", line 12, in <module>
    y = net(x)
RuntimeError: CUDA out of memory. Tried to allocate 2.75 MiB (GPU {}; 4.00 GiB total capacity; 3.90 GiB already allocated; 1.45 MiB free)
"""


@pytest.mark.parametrize(("gpu", "offered"), [(0, False), (1, True)])
def test_a_model_is_spread_over_gpus_by_those_who_have_several(gpu: int, offered: bool) -> None:
    assert ("shard-model" in [fix.id for fix in explain(ON_WINDOWS.format(gpu)).diagnoses[0].fixes]) == offered


def test_readers_with_an_npu_are_told_of_npus_in_both_languages() -> None:
    report = explain(
        "RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB (NPU 0; 29.50 GiB total capacity; 20.10 GiB already allocated; "
        "27.00 GiB current active; 1.00 GiB free; 28.30 GiB reserved in total by PyTorch)"
    )
    for lang, title in (("en", "Use an NPU with more memory"), ("zh", "使用显存更大的 NPU")):
        [told] = [item["title"] for item in report.to_dict(lang)["diagnoses"][0]["will_not_help"] if item["id"] == "larger-gpu"]
        assert told == title


def test_variables_of_a_notebook_are_set_in_a_cell() -> None:
    asserted = "RuntimeError: CUDA error: device-side assert triggered\n"
    cell = "RuntimeError  Traceback (most recent call last)\nCell In[4], line 1\n----> 1 model.train()\n\n"
    assert "%env CUDA_LAUNCH_BLOCKING=1" in _advice(cell + asserted)
    assert "%env" not in _advice('Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n' + asserted)


_TAKEN = "RuntimeError: The server socket has failed to bind to [::]:{} (errno: 98 - Address already in use)."


@pytest.mark.parametrize(
    ("start", "line"),
    [
        (
            "torchrun --nproc_per_node=2 --master_port=25641 tools/go.py -c a.yaml",
            "torchrun --nproc_per_node=2 --master_port=29511 tools/go.py …",
        ),
        ("deepspeed --master_port 25641 --num_gpus 2 ft.py", "deepspeed --master_port 29511 --num_gpus 2 ft.py"),
        ("torchrun --master_port 25641 -m pkg.go", "torchrun --master_port 29511 train.py"),
    ],
)
def test_another_port_leaves_the_other_options_of_a_launcher(start: str, line: str) -> None:
    assert line in _fixes(f"$ {start}\n{_TAKEN.format(25641)}")[0]["commands"]


def test_older_releases_have_no_torchrun() -> None:
    assert "torchrun" not in _advice("PyTorch version: 1.7.1\nRuntimeError: Address already in use")
    assert "torchrun" not in str(
        _fixes("torch 1.7.1\nRuntimeError: NCCL error in: ../torch/lib/c10d/ProcessGroupNCCL.cpp:784, unhandled system error")
    )
    assert "torchrun" in _advice("PyTorch version: 1.12.1\nRuntimeError: Address already in use")
