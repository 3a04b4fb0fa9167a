"""Waits for the JupyterLab of one process and prints its address in a box.

scripts/address.py PID
"""

import json
import os
import sys
import time
from pathlib import Path

from jupyter_core.paths import jupyter_runtime_dir

PAUSE = 0.2  # seconds between looks


def main(pid: int) -> None:
    """Until the server has written its file, or is gone."""
    file = Path(jupyter_runtime_dir()) / f"jpserver-{pid}.json"
    while True:
        try:
            told = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            if not _runs(pid):
                return
            time.sleep(PAUSE)
            continue
        print(boxed(f"{told['url']}lab/tree/00_start_here.ipynb?token={told['token']}"), flush=True)
        return


def boxed(address: str) -> str:
    """The address, and how to end."""
    lines = ["Your course is open. In a browser:", "", address, "", "Ctrl-C here ends it."]
    wide = max(map(len, lines))
    edge = f"+{'-' * (wide + 2)}+"
    return "\n".join(["", edge, *(f"| {line:{wide}} |" for line in lines), edge, ""])


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main(int(sys.argv[1]))
