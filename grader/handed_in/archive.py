"""Reads what is in an untrusted archive of any kind, within bounds; leaves no file behind."""

import bz2
import gzip
import io
import lzma
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain

from .file_names import (
    NOTEBOOK,
    is_data,
    is_hidden,
    may_be_work,
    printable,
    rank,
    suffix_of,
)
from .files import (
    MAX_DATA_BYTES,
    MAX_ENTRIES,
    MAX_FILES,
    MAX_NOTEBOOK_BYTES,
    MEGABYTE,
    ParseQuota,
    Refused,
)
from .packed import CHUNK, Member, ask_for, taken

MAX_ARCHIVE_BYTES = 50 * MEGABYTE
# What archives begin with that have to be unpacked by hand, whatever they are called.
_NOT_READ = {
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!": "rar",
    b"\x28\xb5\x2f\xfd": "zstd",
}
_XZ_BYTES = 100 * MEGABYTE  # of memory: what `xz -9` asks for is 65
_TAR, _TAR_AT = b"ustar", 257
MAX_RATIO = 200  # code shrinks to a tenth, a bomb to a thousandth; and printed loops do too
_RATIO_FREE_BYTES = MEGABYTE  # below this the ratio harms nobody
# One read of zipfile's: its directory of names, which it reads at once. 46 bytes an entry at least.
_MAX_READ = 46 * MAX_ENTRIES + MEGABYTE
_READABLE = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}  # zipfile bounds what these two unpack to
_ENCRYPTED = 0x1
_ENTRY = b"PK\x01\x02"  # begins each entry of the directory


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
    packed = next((kind for begin, kind in _PACKED.items() if content.startswith(begin)), None)
    content = _unpacked(content, *packed, quota) if packed else content
    is_tar = content[_TAR_AT : _TAR_AT + len(_TAR)] == _TAR  # by what stands in its first header
    if packed and not is_tar:  # one file alone
        inner = name.rpartition("/")[2].removesuffix(packed[1])
        yield from _contents([Member(inner, len(content), lambda _: content)], quota)
        return
    with _tar_members(content) if is_tar else _zip_members(content, quota) as members:
        yield from _contents(members, quota)


def _contents(members: list[Member], quota: ParseQuota) -> Iterator[tuple[str, bytes | Refused]]:
    # Of two entries of one name the later one would be left on a disk.
    named = {each.name: each for each in members if not is_hidden(each.name)}
    for name in (each.name for each in members if each.name not in named):
        if may_be_work(name):
            quota.pass_over(name)
    data = sorted(name for name in named if is_data(name) and named[name].size <= MAX_DATA_BYTES)
    wanted = sorted(filter(suffix_of, named), key=rank)
    for name in sorted(named.keys() - {*data, *wanted}):
        quota.pass_over(name)
    for name in chain(wanted, data):
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


@contextmanager
def _zip_members(content: bytes, quota: ParseQuota) -> Iterator[list[Member]]:
    """The files in a zip; raises Refused where it cannot be read."""
    quota.listed -= content.count(_ENTRY)  # at least as many as zipfile will read
    with _refusing("is no readable zip", "zip"), zipfile.ZipFile(_Guarded(content)) as archive:
        entries = archive.infolist()
        if len(entries) > MAX_ENTRIES:
            message = f"is a zip of more than {MAX_ENTRIES:,} entries"
            raise Refused(f"{message}; zip the notebooks alone")
        yield [
            Member(each.filename, each.file_size, partial(_of_zip, archive, each))
            for each in entries
            if not each.is_dir()
        ]


@contextmanager
def _refusing(what: str, do: str) -> Iterator[None]:
    """Inside, whatever zipfile and tarfile raise on damaged files becomes Refused."""
    try:
        yield
    except Refused:
        raise
    except Exception as error:
        raise Refused(f"{what} ({printable(str(error))}); {do} it again") from None


class _Guarded(io.BytesIO):
    """Refuses to hand out more at once than a sound zip needs, before anything is allocated."""

    def read(self, size: int | None = -1, /) -> bytes:
        left = len(self.getbuffer()) - self.tell()
        wanted = left if size is None or size < 0 else min(size, left)
        if wanted > _MAX_READ:
            raise Refused("is a zip with too long a list of names; zip the notebooks alone")
        return super().read(wanted)


def _of_zip(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, quota: ParseQuota) -> bytes:
    """What the entry unpacks to; raises Refused before unpacking where its own header tells."""
    ask_for(entry.filename, entry.file_size, quota)
    if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG):
        raise Refused("is a link or a device; zip the file itself")
    if entry.flag_bits & _ENCRYPTED:
        raise Refused("is encrypted; zip it without a password")
    if entry.compress_type not in _READABLE:
        raise Refused("is packed in an unusual way; zip it with the ordinary method (deflate)")
    is_far_more = entry.file_size > max(_RATIO_FREE_BYTES, MAX_RATIO * entry.compress_size)
    if is_far_more and suffix_of(entry.filename) != NOTEBOOK:
        raise Refused("unpacks to far more than its own size; it is left out")
    # The header's size may lie.
    with _refusing("cannot be unpacked", "zip"), archive.open(entry) as file:
        return taken(entry.filename, iter(partial(file.read, CHUNK), b""), quota)


def _unpacked(
    content: bytes, chunks_of: Callable[[bytes], Iterator[bytes]], suffix: str, quota: ParseQuota
) -> bytes:
    """What was packed, out of the quota; raises Refused where that is too much or damaged."""
    found = bytearray()
    limit = min(MAX_NOTEBOOK_BYTES, quota.unpacked)
    with _refusing(f"is no readable {suffix}", "pack"):
        for chunk in chunks_of(content):
            found += chunk
            quota.unpacked -= len(chunk)
            if len(found) > limit:
                most = f"{limit / MEGABYTE:,.0f} MB"
                raise Refused(f"unpacks to more than {most}; hand in a .zip of the notebooks")
    return bytes(found)


def _of_gzip(content: bytes) -> Iterator[bytes]:
    return iter(partial(gzip.GzipFile(fileobj=io.BytesIO(content)).read, CHUNK), b"")


def _of_streams(
    begin: Callable[[], bz2.BZ2Decompressor | lzma.LZMADecompressor], content: bytes
) -> Iterator[bytes]:
    """Chunks of what several, one behind another, unpack to; raises EOFError without an end."""
    while content:
        unpacking = begin()
        while not unpacking.eof:
            yield (chunk := unpacking.decompress(content, CHUNK))
            content = b""  # it keeps what it has not used
            if not chunk and unpacking.needs_input:
                raise EOFError("its end is missing")
        content = unpacking.unused_data.lstrip(b"\0")


_PACKED: dict[bytes, tuple[Callable[[bytes], Iterator[bytes]], str]] = {
    b"\x1f\x8b": (_of_gzip, ".gz"),
    b"BZh": (partial(_of_streams, bz2.BZ2Decompressor), ".bz2"),
    b"\xfd7zXZ\0": (
        partial(_of_streams, partial(lzma.LZMADecompressor, memlimit=_XZ_BYTES)),
        ".xz",
    ),
}


@contextmanager
def _tar_members(content: bytes) -> Iterator[list[Member]]:
    """The files in a tar; raises Refused where it cannot be read."""
    members: list[Member] = []
    opened = partial(tarfile.open, fileobj=io.BytesIO(content), mode="r:")
    with _refusing("is no readable tar", "pack"), opened() as archive:
        for entry in archive:
            if len(members) >= MAX_ENTRIES:
                message = f"is a tar of more than {MAX_ENTRIES:,} entries"
                raise Refused(f"{message}; pack the notebooks alone")
            if not entry.isdir():
                members.append(Member(entry.name, entry.size, partial(_of_tar, archive, entry)))
        yield members


def _of_tar(archive: tarfile.TarFile, entry: tarfile.TarInfo, quota: ParseQuota) -> bytes:
    ask_for(entry.name, entry.size, quota)
    if not entry.isreg() or entry.issparse():
        raise Refused("is a link or a device; pack the file itself")
    file = archive.extractfile(entry)
    assert file is not None  # of a regular file there is one
    return taken(entry.name, iter(partial(file.read, CHUNK), b""), quota)
