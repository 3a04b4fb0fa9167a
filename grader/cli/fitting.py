"""Names for folders and files that fit every system, whatever a download calls them."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

LONGEST = 100  # bytes
_UNFIT = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]')


def fit(name: str, longest: int = LONGEST) -> str:
    """A name that is one file or folder, wherever it comes from, and no hidden one."""
    plain = _UNFIT.sub("_", name.encode("utf-8", "backslashreplace").decode())
    if plain[:1] in ("", *". =+-@＝＋－＠"):  # a spreadsheet would take some for a formula
        plain = f"_{plain}"
    stem, dot, end = plain.rpartition(".")
    if not dot or len(end) > 6:
        stem, dot, end = plain, "", ""
    return stem.encode()[:longest].decode(errors="ignore") + dot + end


def folded(name: str) -> str:
    """As systems read it that do not tell large letters from small ones."""
    return unicodedata.normalize("NFC", name.casefold())


def free(name: str, taken: Iterable[str]) -> str:
    """The name, or one with a number where a folder that is another's would be hard to tell."""
    others = {*map(folded, taken)}
    free, number = name, 1
    while folded(free) in others:
        number += 1
        free = f"{name} ({number})"
    return free


def folder_for(folder: Path, within: Sequence[str], known: dict[Path, int]) -> Path:
    """The folder inside one, made; called otherwise where a file has the name of one."""
    for part in within:
        folder = numbered(folder / part, Path.is_file, known)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def numbered(place: Path, is_taken: Callable[[Path], bool], known: dict[Path, int]) -> Path:
    """This place, or one with a number in front of its name, where it is taken.

    `known` are the numbers so far: of many files of one name each would look at all before it.
    """
    number = known.get(place, 1)
    while is_taken(free := _with(place, number)):
        number += 1
    known[place] = number
    return free


def _with(place: Path, number: int) -> Path:
    dot = "." * place.name.startswith(".")
    return place if number == 1 else place.with_name(f"{dot}{number}_{place.name}")
