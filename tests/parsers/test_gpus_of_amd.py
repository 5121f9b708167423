"""GPUs as AMD's tools tell them."""

from __future__ import annotations

from parser_support import facts


def test_rocm_smi_tells_a_property_a_line() -> None:
    text = (
        "$ rocm-smi --showmeminfo vram --showproductname\n"
        "GPU[0]\t\t: VRAM Total Memory (B): 25753026560\n"
        "GPU[0]\t\t: VRAM Total Used Memory (B): 24696061952\n"
        "GPU[0]\t\t: Card Series: \t\tAMD Radeon RX 7900 XTX\n"
        "GPU[0]\t\t: GFX Version: \t\tgfx1100\n"
    )
    (gpu,) = facts(text, "gpu")
    assert gpu["capacity_bytes"] == 25753026560
    assert gpu["free_bytes"] == 25753026560 - 24696061952
    assert (gpu["gpu_name"], gpu["capability"]) == ("AMD Radeon RX 7900 XTX", "gfx1100")


def test_the_boxes_of_amd_smi() -> None:
    text = (
        "| BDF                        GPU-Name | Mem-Uti   Temp   UEC       Power-Usage |\n"
        "| GPU  HIP-ID  OAM-ID  Partition-Mode | GFX-Uti    Fan               Mem-Usage |\n"
        "|=====================================+========================================|\n"
        "| 0000:c3:00.0  Radeon 8060S Graphics | N/A        N/A   0             N/A/0 W |\n"
        "|   0       0     N/A             N/A | N/A        N/A           1553/32768 MB |\n"
        "+-------------------------------------+----------------------------------------+\n"
    )
    (gpu,) = facts(text, "gpu")
    assert (gpu["gpu"], gpu["gpu_name"], gpu["pci"]) == (0, "Radeon 8060S Graphics", "0000:c3:00.0")
    assert (gpu["capacity_bytes"], gpu["free_bytes"]) == (32768 << 20, (32768 - 1553) << 20)


def test_agents_of_rocminfo_that_are_gpus() -> None:
    text = (
        "  Name:                    AMD Ryzen 9 7950X 16-Core Processor\n"
        "  Uuid:                    CPU-XX                             \n"
        "  Marketing Name:          AMD Ryzen 9 7950X 16-Core Processor\n"
        "  Name:                    gfx1100                            \n"
        "  Uuid:                    GPU-0df62db7ae2a1d21               \n"
        "  Marketing Name:          AMD Radeon RX 7900 XTX             \n"
        "      Name:                    amdgcn-amd-amdhsa--gfx1100         \n"
    )
    (gpu,) = facts(text, "gpu")
    assert (gpu["gpu"], gpu["gpu_name"], gpu["capability"]) == (0, "AMD Radeon RX 7900 XTX", "gfx1100")
