"""Tells by the bytes of what was handed in whether it has to be read again at all; parses none."""

import hashlib
from pathlib import Path

from ..handed_in.file_names import is_data, suffix_of
from ..handed_in.files import MAX_NOTEBOOK_BYTES, MEGABYTE, Refused, read_file, walk
from ..submission import Found

_MOST = 200 * MEGABYTE  # of one submission: of more nobody says that it has not changed


def bytes_of(found: Found) -> str:
    """A hash of every byte that reading looks at, and of the names; empty where that is too much.

    The same for two runs means that both read the same; a link or what cannot be read has its
    reason in it.
    """
    state = hashlib.blake2b(digest_size=16)
    left = _MOST

    def add(name: str, content: bytes) -> None:
        for part in (name.encode("utf-8", "surrogatepass"), content):
            state.update(len(part).to_bytes(8, "big") + part)

    def read(name: str, path: Path) -> int:
        is_read = suffix_of(name) or is_data(name)
        try:
            content = read_file(path, MAX_NOTEBOOK_BYTES) if is_read else b""
        except Refused as refused:
            content = str(refused).encode("utf-8", "surrogatepass")
        add(name, content)
        return len(content)

    path = found.path
    if path.is_symlink() or not path.is_dir():
        left -= read(path.name, path)
        return state.hexdigest() if left >= 0 else ""
    for name, where in sorted(walk(path), key=lambda item: item[0]):
        if isinstance(where, Refused):
            add(name, str(where).encode("utf-8", "surrogatepass"))
            continue
        left -= read(name, where)
        if left < 0:
            return ""
    return state.hexdigest()
