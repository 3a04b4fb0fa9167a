"""Says what to change on a machine where bubblewrap can make no sandbox; changes nothing itself."""

import os
import shutil
from pathlib import Path

_BY_SYSCTL = """the kernel's setting {name} forbids them; allow them:
    echo '{name} = {value}' | sudo tee /etc/sysctl.d/60-sandboxes.conf && sudo sysctl --system"""
_SWITCHES = (("user.max_user_namespaces", 15000), ("kernel.unprivileged_userns_clone", 1))
_PROFILE = "/etc/apparmor.d/sandboxes"
# Ubuntu's own profile lets bubblewrap in but leaves its child nothing to make namespaces with.
_STOCK = "etc/apparmor.d/bwrap-userns-restrict"


def for_namespaces(bubblewrap: str = "/usr/bin/bwrap", root: Path = Path("/")) -> str:
    """The one thing that most likely helps, as a sentence, with the commands on lines of their own.

    `root` is where the system's files are looked up.
    """

    def is_set(name: str, value: str) -> bool:
        try:
            path = root / "proc/sys" / name.replace(".", "/")
            return path.read_text(encoding="ascii").strip() == value
        except (OSError, ValueError):  # a kernel without this switch
            return False

    if not (root / "tmp").is_dir():
        return "bubblewrap needs the folder /tmp; make it:\n    sudo install -d -m 1777 /tmp"
    for name, value in _SWITCHES:
        if is_set(name, "0"):
            return _BY_SYSCTL.format(name=name, value=value)
    if not is_set("kernel.apparmor_restrict_unprivileged_userns", "1"):
        return (
            "this kernel or container forbids them; a container needs the options "
            "--security-opt seccomp=unconfined --security-opt apparmor=unconfined "
            "--security-opt systempaths=unconfined; inside a chroot there is no way"
        )
    # For bubblewrap alone; all other programs stay restricted.
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
