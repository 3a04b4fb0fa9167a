"""Installs what requirements.lock says into the environment whose Python runs this, with a bar.

    .venv/bin/python scripts/install.py

It asks pip first which PyTorch it would fetch. Before one for NVIDIA's graphics cards, gigabytes
that the course does not need, it stops and says what to type. CUDA=1 lets it go on.
"""

import json
import os
import queue
import re
import subprocess
import sys
import sysconfig
import tempfile
import threading
import urllib.request
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

# PyTorch's own wheels without CUDA, as its installation page names them.
INSTEAD = "PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu make start"
FOR_CARDS = re.compile(r"(nvidia|cuda|triton)\b", re.IGNORECASE)
ASKS_WITHOUT_FETCHING, TELLS_BYTES = (23, 3), (24, 1)  # versions of pip
# What pip says of each package once; of one that lies on the disk, its file.
FOUND = re.compile(
    r"(?:Collecting|Requirement already satisfied:|Processing \S*/) ?([A-Za-z][\w.-]*)"
)
WIDE = 30  # signs of a bar
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
USED = (  # what is loaded side by side
    "grader.marking.examiner, grader.notebook.api, jupyterlab.labapp, ipykernel.kernelapp, "
    "matplotlib.pyplot",
    "sentence_transformers, transformers.models.bert.modeling_bert",
)
LOCK, HASHES = "requirements.lock", "requirements.hashes"
SHARES = 2  # of the packages, each with a pip of its own, which uses one core


def main() -> None:
    """Ask, then install; the exit status is not 0 where nothing was installed."""
    packages = _names(LOCK)
    print(f"Fetching {len(packages)} packages into {sys.prefix}: PyTorch, JupyterLab and what they")
    print("need, about 540 MB the first time. It takes some minutes.", flush=True)
    if _pip() < TELLS_BYTES:  # 2 MB; where it is not to be had, the old one does
        subprocess.run([*PIP, "install", "--quiet", "--upgrade", "pip"], capture_output=True)
    if sys.platform == "linux" and not os.environ.get("CUDA"):
        if _pip() >= ASKS_WITHOUT_FETCHING:
            refuse_cards(next(name for name in packages if name.startswith("torch==")))
        else:
            print(f"If it fetches packages named nvidia: Ctrl-C, and type\n\n    {INSTEAD}\n")
    with tempfile.TemporaryDirectory() as folder:
        files = _shares(Path(HASHES).read_text(encoding="utf-8"), Path(folder))
        checked = [["--no-deps", "--require-hashes", "-r", str(each)] for each in files]
        _install("1 of 2", checked, len(_names(HASHES)))
    _install("2 of 2", [["-r", LOCK]], len(packages))
    own = ["--quiet", "--no-deps", "--no-build-isolation", "-e", "."]
    subprocess.run([*PIP, "install", *own], check=True)
    # Compiles what is used, here and for accounts that may not write; all would take long.
    loading = [subprocess.Popen([sys.executable, "-c", f"import {some}"]) for some in USED]
    if [each for each in loading if each.wait()]:
        sys.exit(1)


def refuse_cards(torch: str) -> None:
    """Stop where PyTorch would bring packages for graphics cards."""
    asked = [*PIP, "install", "--dry-run", "--quiet", "--report", "-", "-c", LOCK, torch]
    answer = subprocess.run(asked, capture_output=True, text=True)
    try:
        found = json.loads(answer.stdout)["install"]
    except (ValueError, KeyError):
        return  # pip itself will say what is wrong
    if not (cards := for_cards(found)):
        return
    size = sum(map(_size, (item["download_info"]["url"] for item in found)))
    large = f", {size / 1e9:.1f} GB," if size else ""
    print(
        f"\nStopped. pip would fetch PyTorch for NVIDIA's graphics cards: {len(cards)} packages\n"
        f"more{large} that the course does not need. Nothing was fetched. Type this instead:\n\n"
        f"    {INSTEAD}\n\n"
        "If you want the other one all the same:  CUDA=1 make start",
        file=sys.stderr,
    )
    sys.exit(1)


def for_cards(found: Iterable[dict[str, Any]]) -> list[str]:
    """The packages of pip's report that only a graphics card needs."""
    names = (str(item["metadata"]["name"]) for item in found)
    return [name for name in names if FOR_CARDS.match(name)]


def _size(url: str) -> int:
    """Bytes of a file, where its server or the disk tells."""
    try:
        request = urllib.request.Request(url, method="HEAD")
        with urllib.request.urlopen(request, timeout=10) as answer:
            return int(answer.headers.get("Content-Length") or 0)
    except (OSError, ValueError):
        return 0


def _shares(requirements: str, folder: Path) -> list[Path]:
    """Files that hold all requirements together, with their hashes."""
    each = re.findall(r"^[A-Za-z0-9].*\n(?:[ \t].*\n)*", requirements, re.MULTILINE)
    files = [folder / f"{number}.hashes" for number in range(min(SHARES, len(each)))]
    for number, file in enumerate(files):
        file.write_text("".join(each[number::SHARES]), encoding="utf-8")
    return files


def _install(step: str, commands: Sequence[list[str]], total: int) -> None:
    """Run pips side by side and show how far they are; where one fails, what it said."""
    raw = ["--progress-bar", "raw"] if _pip() >= TELLS_BYTES else ["--progress-bar", "off"]
    pips = [
        subprocess.Popen(
            [*PIP, "install", "--no-compile", *raw, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        for arguments in commands
    ]
    said: list[list[str]] = [[] for _ in pips]
    for told in _progress(_lines(pips), said, total):
        _show(f"{step}: {told}")
    for pip, lines in zip(pips, said, strict=True):
        if pip.wait():
            print("\n" + "".join(lines[-40:]), file=sys.stderr)
            sys.exit(pip.returncode)
    _show(f"{step}: {bar(total, total)} done", is_last=True)


def _progress(
    lines: Iterator[tuple[int, str] | None], said: list[list[str]], total: int
) -> Iterator[str]:
    """After each line that a pip says, and now and then between them, how far they are."""
    fetched, name, to_install, fetching = 0, "", 0, len(said)
    before = _installed()
    for heard in lines:
        number, line = heard or (0, "")
        if line and not line.startswith("Progress "):
            said[number].append(line)
        if found := re.match(r"Progress (\d+) of (\d+)", line):
            here, all_of_it = (int(each) / 1e6 for each in found.groups())
            count = f"{bar(fetched, total)} {fetched} of {total}"
            yield f"{count} {name} {here:.0f} of {all_of_it:.0f} MB"
        elif found := FOUND.match(line):
            fetched, name = min(fetched + 1, total), found[1]
            yield f"{bar(fetched, total)} {fetched} of {total} {name}"
        elif line.startswith("Installing collected packages"):
            to_install, fetching = to_install + line.count(",") + 1, fetching - 1
        if not fetching:
            done = min(_installed() - before, to_install)
            yield f"{bar(done, to_install)} {done} of {to_install} installed"


def bar(done: int, total: int) -> str:
    """[######----]"""
    full = WIDE * done // max(total, 1)
    return f"[{'#' * full}{'-' * (WIDE - full)}]"


_last = [""]


def _show(told: str, is_last: bool = False) -> None:
    """In a terminal on one line; elsewhere a line at each tenth."""
    if sys.stdout.isatty():
        print(f"\r{told[:110]:110}", end="\n" if is_last else "", flush=True)
        return
    drawn = re.sub(r"#(?=#{0,2}-)", "-", told.partition("]")[0]) if not is_last else told
    if drawn != _last[0]:
        _last[0] = drawn
        print(told, flush=True)


def _lines(pips: Sequence["subprocess.Popen[str]"]) -> Iterator[tuple[int, str] | None]:
    """What each of them says; None each time when none says anything for a moment."""
    said: queue.Queue[tuple[int, str]] = queue.Queue()

    def read(number: int, pip: "subprocess.Popen[str]") -> None:
        for line in pip.stdout or ():
            said.put((number, line))

    readers = [threading.Thread(target=read, args=each, daemon=True) for each in enumerate(pips)]
    for reader in readers:
        reader.start()
    while any(reader.is_alive() for reader in readers) or not said.empty():
        try:
            yield said.get(timeout=0.2)
        except queue.Empty:
            yield None


def _installed() -> int:
    return sum(1 for _ in Path(sysconfig.get_path("purelib")).glob("*.dist-info"))


def _names(file: str) -> list[str]:
    """The requirements in a file, without their hashes."""
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    return [line.split()[0] for line in lines if re.match(r"[A-Za-z0-9]", line)]


def _pip() -> tuple[int, ...]:
    """The version of this environment's pip."""
    try:
        return tuple(map(int, re.findall(r"\d+", version("pip"))[:2]))
    except PackageNotFoundError:
        return (0,)


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parent.parent)
    main()
