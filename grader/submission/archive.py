"""Reads what is in an untrusted archive of any kind, within bounds; leaves no file behind."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain

from .files import (
    MAX_DATA_BYTES,
    MAX_FILES,
    MEGABYTE,
    ParseQuota,
    Refused,
    is_archive,
    is_data,
    is_ignored,
    suffix_of,
)
from .packed import Member
from .tarballs import gunzipped, is_tar, tar_members
from .zips import zip_members

MAX_ARCHIVE_BYTES = 50 * MEGABYTE
# What archives begin with that have to be unpacked by hand, whatever they are called.
_NOT_READ = {b"7z\xbc\xaf\x27\x1c": "7z", b"Rar!": "rar", b"BZh": "bzip2", b"\xfd7zXZ\0": "xz"}
_GZIP = b"\x1f\x8b"


def read_archive(
    name: str, content: bytes, quota: ParseQuota
) -> Iterator[tuple[str, bytes | Refused]]:
    """Each notebook, script, archive and small data file in one, in this order and by name: its
    name, and its content or why not.

    Raises Refused where the whole cannot be read. What is read comes out of the submission's quota,
    whether it turns out to be of use or not.
    """
    quota.zipped -= len(content)
    for begin, kind in _NOT_READ.items():
        if content.startswith(begin):
            raise Refused(
                f"is an archive of the kind {kind}, which is not read; unpack it, and hand in a "
                ".zip of the notebooks"
            )
    if content.startswith(_GZIP):
        content = gunzipped(content, quota)
        if not is_tar(content):  # one file alone
            inner = name.rpartition("/")[2].removesuffix(".gz")
            yield from _read([Member(inner, len(content), lambda _: content)], quota)
            return
    is_tarball = is_tar(content)
    with tar_members(content) if is_tarball else zip_members(content, quota) as members:
        yield from _read(members, quota)


def _read(members: list[Member], quota: ParseQuota) -> Iterator[tuple[str, bytes | Refused]]:
    # Of two entries of one name the later one would be left on a disk.
    named = {each.name: each for each in members if not _is_tools(each.name)}
    data = sorted(name for name in named if is_data(name) and named[name].size <= MAX_DATA_BYTES)
    wanted = sorted((is_archive(name), name) for name in named if suffix_of(name))
    for name in sorted(named.keys() - {*data, *(name for _, name in wanted)}):
        quota.pass_over(name)
    for name in chain((name for _, name in wanted), data):
        if is_data(name):
            with suppress(Refused):
                quota.ask_for_data()
                yield name, named[name].read(quota)
            continue
        if quota.files <= 0:
            yield name, Refused(f"is one of more than {MAX_FILES} files; the rest is left out")
            return
        content: bytes | Refused
        try:
            content = named[name].read(quota)
        except Refused as refused:
            content = refused
        quota.files -= 1
        yield name, content


def _is_tools(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    return name.endswith("/") or any(is_ignored(part) for part in parts if part not in (".", ".."))
