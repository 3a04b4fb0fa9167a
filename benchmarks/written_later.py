"""Does every cell that waited run once its exercises are written, and nothing else run again?

    python -m benchmarks.written_later [04 10]

A learner runs a whole notebook, writes its exercises from the top, and runs what waited. A given
cell that has bound a name of an earlier one by then spoils that one: such cells are told here.
"""

import argparse
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from jupyter_client.manager import start_new_kernel

from grader.cli.solve import solve_notebooks
from grader.curriculum.course import course

_SECONDS = 600
_WAITS = "This cell waits for "


def main() -> None:
    """Print each cell that does not run then; the exit status is 1 where there is one."""
    parser = argparse.ArgumentParser()
    parser.add_argument("chapters", nargs="*", help="numbers; all where none is given")
    chosen = parser.parse_args().chapters
    with TemporaryDirectory() as kept:
        stubs, solved = Path(kept, "stubs"), Path(kept, "solved")
        shutil.copytree(course().notebooks, stubs)
        solve_notebooks(solved)
        spoiled = [
            told
            for path in sorted(stubs.glob("*.ipynb"))
            if not chosen or path.name[:2] in chosen
            for told in _spoiled(path, solved / path.name)
        ]
    raise SystemExit(1 if spoiled else 0)


def _spoiled(stubs: Path, solved: Path) -> Iterator[str]:
    """The cells of one chapter that do not run when they are run later; each is printed too."""
    given, written = (nbformat.read(path, as_version=4).cells for path in (stubs, solved))
    manager, client = start_new_kernel(kernel_name="python3", cwd=str(stubs.parent))
    try:
        waiting = [
            (number, after.source)
            for number, (before, after) in enumerate(zip(given, written, strict=True))
            if before.cell_type == "code"
            and (_ended(client, before.source) or before.source != after.source)
        ]
        print(f"{stubs.name}: {len(waiting)} cells wait", flush=True)
        for number, source in waiting:
            if why := _ended(client, source):
                told = f"{stubs.name}, cell {number}: {why}"
                print(told, flush=True)
                yield told
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def _ended(client: Any, source: str) -> str:
    """Why a cell did not come to its end; empty where it did."""
    said: list[str] = []

    def hear(message: dict[str, Any]) -> None:
        said.append(str(message["content"].get("text", "")))

    answer = client.execute_interactive(source, timeout=_SECONDS, output_hook=hear)["content"]
    if answer["status"] != "ok":
        return f"{answer['ename']}: {answer['evalue']}"
    return next((line for text in said for line in text.splitlines() if _WAITS in line), "")


if __name__ == "__main__":
    main()
