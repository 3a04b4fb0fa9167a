"""Says what to change on a machine where bubblewrap can make no sandbox; changes nothing itself."""

import os
import shutil
from pathlib import Path

_SYSCTL = (
    "echo '{name} = {value}' | sudo tee /etc/sysctl.d/60-sandboxes.conf && sudo sysctl --system"
)
_PROFILE = "/etc/apparmor.d/sandboxes"
# Ubuntu's own profile lets bubblewrap in but leaves its child nothing to make namespaces with.
_STOCK = "etc/apparmor.d/bwrap-userns-restrict"


def for_namespaces(bubblewrap: str = "/usr/bin/bwrap", root: Path = Path("/")) -> str:
    """The one thing that most likely helps, as a sentence, with the commands on lines of their own.

    `root` is where the system's files are looked up.
    """
    if not (root / "tmp").is_dir():
        return "bubblewrap needs the folder /tmp; make it:\n    sudo install -d -m 1777 /tmp"
    if _setting(root, "user/max_user_namespaces") == "0":
        return _by_sysctl("user.max_user_namespaces", 15000)
    if _setting(root, "kernel/unprivileged_userns_clone") == "0":
        return _by_sysctl("kernel.unprivileged_userns_clone", 1)
    if _setting(root, "kernel/apparmor_restrict_unprivileged_userns") == "1":
        return _by_profile(bubblewrap, root)
    return (
        "this kernel or container forbids them; a container needs the options "
        "--security-opt seccomp=unconfined --security-opt apparmor=unconfined "
        "--security-opt systempaths=unconfined; inside a chroot there is no way"
    )


def _setting(root: Path, name: str) -> str:
    try:
        return (root / "proc/sys" / name).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""  # a kernel without this switch


def _by_sysctl(name: str, value: int) -> str:
    command = _SYSCTL.format(name=name, value=value)
    return f"the kernel's setting {name} forbids them; allow them:\n    {command}"


def _by_profile(bubblewrap: str, root: Path) -> str:
    """An AppArmor profile for bubblewrap alone; all other programs stay restricted."""
    program = os.path.realpath(shutil.which(bubblewrap) or bubblewrap)
    profile = rf"abi <abi/4.0>,\nprofile sandboxes {program} flags=(unconfined) {{\n  userns,\n}}\n"
    commands = [
        f"printf '{profile}' | sudo tee {_PROFILE}",
        f"sudo apparmor_parser --replace {_PROFILE}",
    ]
    if (root / _STOCK).exists():
        commands = [
            f"sudo ln -sf /{_STOCK} /etc/apparmor.d/disable/",
            f"sudo apparmor_parser --remove /{_STOCK}",
            *commands,
        ]
    first = "AppArmor forbids them, as Ubuntu does from 24.04 on; allow them for bubblewrap alone:"
    return "\n    ".join([first, *commands])
