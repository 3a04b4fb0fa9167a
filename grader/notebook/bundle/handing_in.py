"""Hands notebooks in and keeps the checker's word for it; reads no code."""

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from ...handed_in.file_names import NOTEBOOK, SCRIPT, is_data, is_hidden, rank
from ...handed_in.files import MAX_DATA_BYTES, MAX_DATA_FILES, MAX_FILES, walk
from ..cards import Notice
from ..own_files import KIT, OLD, saved_file
from ..progress_file import FILE as PROGRESS
from . import checker_client

_CODE = (NOTEBOOK, SCRIPT)
_OURS = (PROGRESS, OLD)  # what this grader writes beside the notebooks
_DATE = (1980, 1, 1, 0, 0, 0)  # the same files are the same bytes whenever they are packed


def hand_in(paths: Sequence[str | Path] = (), folder: Path = Path()) -> Notice:
    """Hand in these files, or all work in a folder: a receipt, or why there is none."""
    named = [*map(Path, paths)]
    files = _with_own(named) if named else work_in(folder)
    if not files:
        return Notice("Nothing was handed in", ("This folder holds no notebook.",))
    if missing := [str(path) for path in files.values() if not path.is_file()]:
        return Notice("Nothing was handed in", (f"There is no file {', '.join(missing)}.",))
    if len({path.name for path in named}) < len(named):
        return Notice("Nothing was handed in", ("Two of these files have the same name.",))
    packed = pack(files)
    try:
        receipt = checker_client.ask("/submit", packed, checker_client.ZIP)
    except checker_client.CheckerError as error:
        return Notice("Nothing was handed in", (str(error),))
    digest = hashlib.sha256(packed).hexdigest()
    if receipt.get("hash") != digest:
        message = "What the checker has is not what was sent: hand it in again."
        return Notice("The receipt is wrong", (message,))
    lines = [f"Receipt: {digest}", f"Time: {receipt.get('time')}", f"Files: {', '.join(files)}"]
    if any({*path.parent.glob("*.ipynb")} - {*files.values()} for path in files.values()):
        lines.append(
            "There are other notebooks in that folder. Your last hand-in alone counts: without "
            "names, all of them are handed in together."
        )
    return Notice("Handed in, as saved", tuple(lines))


def receipts() -> Notice:
    """What the checker keeps of this learner."""
    try:
        held = checker_client.ask("/mine")
    except checker_client.CheckerError as error:
        return Notice("No receipts to show", (str(error),))
    lines = [f"{row['time']}  {row['hash']}" for row in held["receipts"]]
    for row in held.get("asked", ()):
        who = f"{row['who']} answers" if row["kind"] == "answer" else "you asked to look again"
        lines.append(f"{row['time']}  {row['exercise']}: {who}: {row['text']}")
    return Notice("Handed in", tuple(lines) or ("Nothing yet.",))


def look_again(exercise: str, why: str) -> Notice:
    """Ask a person to look at the marks of an exercise again."""
    body = json.dumps({"exercise": exercise, "text": why}).encode()
    try:
        checker_client.ask("/look-again", body)
    except checker_client.CheckerError as error:
        return Notice("Nothing was asked", (str(error),))
    return Notice("Asked", ("Your instructor will look; `grader receipts` shows the answer.",))


def _with_own(paths: Sequence[Path]) -> dict[str, Path]:
    """These files by name, with the own modules that they import and the data that they name."""
    files = {path.name: path for path in paths}
    for path in filter(Path.is_file, paths):
        cells = saved_file(path).cells
        own = {cell.notebook: path.parent / cell.notebook for cell in cells}
        files = {name: where for name, where in own.items() if where.is_file()} | files
    return files


def work_in(folder: Path) -> dict[str, Path]:
    """Notebooks, own modules and small data: all that marking may read, by names inside.

    A folder without a notebook on top is none of work.
    """
    found = {name: path for name, path in walk(folder) if isinstance(path, Path)}
    if not any(name.endswith(NOTEBOOK) and "/" not in name for name in found):
        return {}
    read = [name for name in sorted(found, key=rank) if _is_work(name)]
    data = [n for n in read if is_data(n) and found[n].stat().st_size <= MAX_DATA_BYTES]
    code = [name for name in read if not is_data(name)]
    return {name: found[name] for name in (*code[:MAX_FILES], *data[:MAX_DATA_FILES])}


def _is_work(name: str) -> bool:
    is_ours = name.partition("/")[0] == KIT or name.startswith(_OURS)
    return not is_ours and not is_hidden(name) and (name.endswith(_CODE) or is_data(name))


def pack(files: Mapping[str, Path]) -> bytes:
    """A zip of these files, the same bytes for the same names and contents."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in sorted(files.items()):
            member = zipfile.ZipInfo(name, _DATE)
            archive.writestr(member, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return packed.getvalue()
