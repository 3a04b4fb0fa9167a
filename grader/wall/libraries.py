"""Finds the shared libraries that programs need, from their ELF headers; executes none of them."""

from __future__ import annotations

import os
import re
import struct
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_PT_LOAD, _PT_DYNAMIC, _PT_INTERP = 1, 2, 3
_DT_NEEDED, _DT_STRTAB, _DT_STRSZ, _DT_RPATH, _DT_RUNPATH = 1, 5, 10, 15, 29
_MAX_STRINGS = 2**28
_USUAL = ("/lib64", "/usr/lib64", "/lib", "/usr/lib")


@dataclass(frozen=True)
class Elf:
    """What one program or library asks of the dynamic linker."""

    interpreter: str | None
    needed: tuple[str, ...]
    search: tuple[str, ...]


def closure(files: Iterable[Path], extra_directories: Iterable[Path] = ()) -> dict[str, Path]:
    """Every library that `files` need, directly or not, by the name under which it is asked for."""
    found: dict[str, Path] = {}
    waiting = list(files)
    while waiting:
        file = waiting.pop()
        elf = read(file)
        if elf is None:
            continue
        nearby = [Path(entry) for entry in elf.search] + list(extra_directories)
        for name in elf.needed:
            if name in found:
                continue
            path = _find(name, nearby)
            if path is not None:
                found[name] = path
                waiting.append(path)
    return found


def read(file: Path) -> Elf | None:
    """The dynamic section of a little-endian 64-bit ELF file; None for any other file."""
    try:
        with file.open("rb") as stream:
            head = stream.read(64)
            if len(head) < 64 or head[:6] != b"\x7fELF\x02\x01":
                return None
            table_at, entry_size, count = _program_table(head)
            stream.seek(table_at)
            table = stream.read(entry_size * count)
            rows = [struct.unpack_from("<IIQQQQQQ", table, i * entry_size) for i in range(count)]
            interpreter, dynamic = None, b""
            for kind, _, offset, _, _, size, _, _ in rows:
                if kind in (_PT_INTERP, _PT_DYNAMIC):
                    stream.seek(offset)
                    content = stream.read(size)
                    if kind == _PT_INTERP:
                        interpreter = content.rstrip(b"\0").decode()
                    else:
                        dynamic = content
            entries = list(struct.iter_unpack("<qQ", dynamic[: len(dynamic) // 16 * 16]))
            values = dict(entries)
            if _DT_STRTAB not in values:
                return Elf(interpreter, (), ())  # linked statically
            stream.seek(_file_offset(rows, values[_DT_STRTAB]))
            strings = stream.read(min(values.get(_DT_STRSZ, 0), _MAX_STRINGS))
    except (OSError, struct.error, ValueError):
        return None

    def text(at: int) -> str:
        return strings[at : strings.index(b"\0", at)].decode()

    origin = str(file.resolve().parent)
    paths = [text(value) for tag, value in entries if tag in (_DT_RPATH, _DT_RUNPATH)]
    search = [
        entry.replace("$ORIGIN", origin).replace("${ORIGIN}", origin)
        for path in paths
        for entry in path.split(":")
        if entry
    ]
    needed = tuple(text(value) for tag, value in entries if tag == _DT_NEEDED)
    return Elf(interpreter, needed, tuple(search))


def _program_table(head: bytes) -> tuple[int, int, int]:
    (table_at,) = struct.unpack_from("<Q", head, 32)
    entry_size, count = struct.unpack_from("<HH", head, 54)
    return table_at, entry_size, count


def _file_offset(rows: list[tuple[int, ...]], address: int) -> int:
    for kind, _, offset, start, _, size, _, _ in rows:
        if kind == _PT_LOAD and start <= address < start + size:
            return offset + address - start
    raise ValueError("an address outside of the file")


def _find(name: str, nearby: Iterable[Path]) -> Path | None:
    for directory in nearby:
        if (directory / name).is_file():
            return directory / name
    if name in _linker_cache():
        return _linker_cache()[name]
    for usual in _USUAL:
        if os.path.isfile(f"{usual}/{name}"):
            return Path(usual) / name
    return None


@cache
def _linker_cache() -> dict[str, Path]:
    """What ldconfig knows, for this kind of machine only."""
    machine = {"x86_64": "x86-64", "aarch64": "AArch64"}.get(os.uname().machine, "")
    for program in ("/sbin/ldconfig", "/usr/sbin/ldconfig", "ldconfig"):
        try:
            listed = subprocess.run([program, "-p"], capture_output=True, text=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            continue
        rows = re.findall(r"^\s*(\S+) \(([^)]*)\) => (\S+)$", listed.stdout, re.MULTILINE)
        known: dict[str, Path] = {}
        for name, kind, path in rows:
            if machine in kind:
                known.setdefault(name, Path(path))
        return known
    return {}
