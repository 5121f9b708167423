"""Lines that install packages, in the words of the Linux that the text shows: apt-get means nothing on RHEL or Arch, ubuntu-drivers
nothing on Debian, and macOS has neither these nor the kernel log and figures of Linux.

Commands by the manuals of dnf(8), dracut(8), pacman(8) and mkinitcpio(8). Names of packages differ too: where the other one is not
known, the line is left out.
"""

from __future__ import annotations

from triage.reading.lazy import Gated, Pattern
from triage.report.audience.programs import speak_of_packages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

_DEBIAN = Pattern(r"(?i)\b(?:ubuntu|debian|mint|pop!?[_-]?os|apt(?:-get)? (?:install|update|purge)|dpkg)\b|-Ubuntu\b|\bwsl\b")
_UBUNTU = Pattern(r"(?i)\b(?:ubuntu|mint|pop!?[_-]?os|wsl)\b|-Ubuntu\b")
_PLAIN_DEBIAN = Gated(r"(?i)\bdebian\b|\bproxmox\b|-pve\b|~deb1[0-9]u[0-9]")
_OF_UBUNTU = Pattern(r"\bnvidia-driver-[0-9]{3}(-open)?")  # Debian has one release of it, with the modules apart
_RPM = Pattern(
    r"\b(?:RHEL|CentOS|[Cc]entos|Rocky(?: Linux)?|AlmaLinux|Fedora|Red ?Hat|RHCOS|Oracle Linux|Amazon Linux)\b"
    r"|\.(?:el[6-9]|el10|fc[34][0-9]|amzn20?2[0-9]?)[._]|\b(?:amzn2|al20(?:18|22|23))-ami-|\bAL20(?:18|22|23)\b"
    r"|\b(?:dnf|yum) (?:install|update|module)\b|[\"' ]/usr/lib64/python[23]\.[0-9]{1,2}/"
)
_ARCH = Gated(
    r"\b(?:on|running|using|OS:?) Arch\b|\b(?:Arch ?Linux|Manjaro|EndeavourOS|CachyOS)\b|\blinux-cachyos\b|-arch[0-9]+-[0-9]|-MANJARO\b"
    r"|\bpacman -S"
)
_OTHER = Pattern(
    r"\b(?:NixOS|nixpkgs|openSUSE|SLES|Gentoo|ebuilds?|emerge --?\w|zypper (?:in|install)|nix-(?:shell|env|build))\b|/nix/store/\w{32}-"
)
_MAC = Gated(
    r"\b(?:macOS|Mac ?OS ?X|MacBook|Mac (?:Studio|[Mm]ini|Pro)|Darwin)\b|\bApple M[1-9]\b|-darwin\b|/opt/homebrew/"
    r"|(?:^|[\s\"'(])/Users/[\w.-]+/"
)
_LINUX = Pattern(r"\bLinux\b|\bWSL|/home/[\w.-]+/|\|\s*NVIDIA-SMI |\b(?:NVRM|amdgpu): |\bwin32\b|[A-Z]:\\\\?\w")
# What macOS does not have: programs and files of Linux and of drivers for other makers' GPUs.
_NOT_ON_MAC: Final = (
    "free -g", "free -m", "free -h", "dmesg", "journalctl", "systemctl", "lspci", "lsmod", "modprobe", "ldconfig", "/proc/", "/sys/",
    "/dev/shm", "nvidia-smi", "rocm-smi", "numactl", "swapon", "fallocate", "mkswap",
)  # fmt: skip
# Who listens at a port: macOS and Windows answer by other programs.
LISTENERS = Pattern(r"ss -ltnp(?: \| grep :?([\w-]+))?\Z")
# As many processes as GPUs of CUDA: an error on macOS.
_AS_MANY_AS_GPUS: Final = "--nproc-per-node=gpu"
# What the kernel of WSL does not have: the driver and its modules lie in Windows.
_NOT_IN_WSL: Final = ("rmmod", "modprobe", "dkms", "/proc/driver/nvidia", "--gpu-reset", "fabricmanager", "nvidia-persistenced")
_RESTARTS = Pattern(r"\bsudo (?:reboot|poweroff)\b")
_NOT_ON_NIXOS: Final = ("ldconfig", "add-apt-repository", "/usr/lib/x86_64-linux-gnu", "/etc/ld.so", "nvidia-ctk runtime configure")
_CHANGES_PACKAGES = Pattern(r"\b(?:pip3?|conda|mamba|uv(?: pip)?) (?:un)?install\b|\bvenv fresh\b|fresh/bin/")
_INSTALL = Pattern(r"(?:sudo )?apt-get install(?: -y)?( --reinstall| --only-upgrade)?(?: -y)? (.+?)(?= && |\Z)")
_HEADERS: Final = "linux-headers-$(uname -r)"
# What Debian's packages are called elsewhere; those that bear one name everywhere are not listed with another.
_RPMS: Final = {
    "build-essential": "gcc gcc-c++ make", "python3-dev": "python3-devel", "linux-headers": "kernel-devel-$(uname -r) kernel-headers",
    "libstdc++6": "libstdc++", "dkms": "dkms", "nvidia-container-toolkit": "nvidia-container-toolkit", "linux-firmware": "linux-firmware",
    "libnvidia-container-tools": "libnvidia-container-tools", "clinfo": "clinfo", "'nvidia-fabricmanager*'": "'nvidia-fabric*manager*'",
}  # fmt: skip
_PACMAN: Final = {
    "build-essential": "base-devel", "python3-dev": "python", "linux-headers": "linux-headers", "libstdc++6": "gcc-libs", "dkms": "dkms",
    "nvidia-container-toolkit": "nvidia-container-toolkit", "linux-firmware": "linux-firmware", "clinfo": "clinfo",
}  # fmt: skip


def system(text: str) -> str:
    """The kind of packages that the text's Linux has, where it is not Ubuntu's, or that it is macOS; '' otherwise."""
    if _PLAIN_DEBIAN.search(text) and not _UBUNTU.search(text):
        return "debian"
    if _DEBIAN.search(text):
        return ""
    if _MAC.search(text) and not _LINUX.search(text):
        return "mac"
    return next((name for name, pattern in (("rpm", _RPM), ("arch", _ARCH), ("other", _OTHER)) if pattern.search(text)), "")


def lines_for(lines: Iterable[str], system: str) -> list[str]:
    """The lines to paste as this kind of Linux takes them, each once."""
    return list(dict.fromkeys(found for line in lines if (found := _line(system, line)))) if system else list(lines)


def without_installing(lines: Iterable[str]) -> list[str]:
    """The lines but for those that change installed packages, for who has them from Nix: nothing writes to its store."""
    return [line for line in lines if not _CHANGES_PACKAGES.search(line)]


def for_wsl(lines: Iterable[str]) -> list[str]:
    """The lines as WSL takes them: Windows restarts it, and what concerns the driver's modules has nothing to act on."""
    return [_RESTARTS.sub("wsl --shutdown", line) for line in lines if not any(word in line for word in _NOT_IN_WSL)]


def for_nixos(lines: Iterable[str]) -> list[str]:
    """The lines but for those that look for libraries, or change them, where other systems have them: NixOS keeps no list of them."""
    return [line for line in lines if not any(word in line for word in _NOT_ON_NIXOS)]


def _line(name: str, line: str) -> str:
    if name == "mac":
        line = LISTENERS.sub(lambda found: f"lsof -nP -iTCP{':' + found[1] if found[1] else ''} -sTCP:LISTEN", line)
        line = line.replace(_AS_MANY_AS_GPUS, "--nproc-per-node=1")
        parts = line.split("; ") if "'" not in line and '"' not in line else [line]
        return "; ".join(part for part in parts if not speak_of_packages([part]) and not any(word in part for word in _NOT_ON_MAC))
    if not speak_of_packages([line]):
        return line
    if name == "debian":
        line = line.replace("sudo ubuntu-drivers install", "sudo apt-get install nvidia-driver")
        line = line.replace("ubuntu-drivers devices", "apt-cache policy nvidia-driver")
        return _OF_UBUNTU.sub(lambda found: "nvidia-driver" + (" nvidia-open-kernel-dkms" if found[1] else ""), line)
    kept: list[str] = []
    for step in line.replace("sudo apt-get update && ", "").replace("apt-get update && ", "").split(" && "):
        told = _part(name, step)
        if not told:  # what comes after a step that is left out does not stand without it
            break
        kept.append(told)
    return " && ".join(kept)


def _part(name: str, part: str) -> str:
    if name == "other" and speak_of_packages([part]):
        return ""
    told = _INSTALL.match(part)
    if told:
        names = _RPMS if name == "rpm" else _PACMAN
        packages = [names.get(package) for package in told[2].replace(_HEADERS, "linux-headers").split()]
        if None in packages:
            return ""
        how = {" --reinstall": "reinstall", " --only-upgrade": "upgrade"}.get(told[1] or "", "install") + " -y"
        return f"sudo {'dnf ' + how if name == 'rpm' else 'pacman -S --needed'} {' '.join(map(str, packages))}"
    part = part.replace("sudo update-initramfs -u", "sudo dracut -f" if name == "rpm" else "sudo mkinitcpio -P")
    part = part.replace("apt list --installed 2>/dev/null", "rpm -qa" if name == "rpm" else "pacman -Q")
    part = part.replace("dpkg -l | grep", "rpm -qa | grep" if name == "rpm" else "pacman -Q | grep")
    if name == "rpm":
        part = part.replace("sudo apt-mark hold", "sudo dnf versionlock add")
        part = part.replace("sudo apt-get purge", "sudo dnf remove").replace("apt list -a", "dnf list --showduplicates")
    return "" if speak_of_packages([part]) else part
