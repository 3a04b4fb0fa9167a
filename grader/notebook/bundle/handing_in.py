"""Hands notebooks in and keeps the checker's word for it; reads no code."""

import hashlib
import io
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path

from ..cards import Notice
from . import checker_client

_DATE = (1980, 1, 1, 0, 0, 0)  # the same files are the same bytes whenever they are packed


def hand_in(paths: Sequence[str | Path] = ()) -> Notice:
    """Hand in these notebooks, or all of this folder: a receipt, or why there is none."""
    files = [Path(path) for path in paths] or sorted(Path.cwd().glob("*.ipynb"))
    if not files:
        return Notice("Nothing was handed in", ("This folder holds no notebook.",))
    if missing := [str(path) for path in files if not path.is_file()]:
        return Notice("Nothing was handed in", (f"There is no file {', '.join(missing)}.",))
    if len({path.name for path in files}) < len(files):
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
    names = ", ".join(path.name for path in files)
    lines = [f"Receipt: {digest}", f"Time: {receipt.get('time')}", f"Files: {names}"]
    if {path.name for path in Path.cwd().glob("*.ipynb")} - {path.name for path in files}:
        lines.append(
            "There are other notebooks in this folder. Your last hand-in alone counts: without "
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


def pack(files: Sequence[Path]) -> bytes:
    """A zip of these files, the same bytes for the same names and contents."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(files, key=lambda each: each.name):
            member = zipfile.ZipInfo(path.name, _DATE)
            archive.writestr(member, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return packed.getvalue()
