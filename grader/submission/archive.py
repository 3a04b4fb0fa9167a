"""Reads notebooks and scripts out of an untrusted zip, within bounds; leaves nothing on disk."""

import io
import stat
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from .files import (
    ARCHIVE,
    MAX_DATA_BYTES,
    MAX_DEPTH,
    MAX_ENTRIES,
    MAX_FILE_BYTES,
    MAX_FILES,
    MEGABYTE,
    ParseQuota,
    Refused,
    is_data,
    is_ignored,
    printable,
    read_file,
    suffix_of,
)

MAX_ZIP_BYTES = 50 * MEGABYTE
MAX_RATIO = 200  # notebooks shrink to a tenth, a bomb to a thousandth
_RATIO_FREE_BYTES = MEGABYTE  # below this the ratio harms nobody
# One read of zipfile's: its directory of names, which it reads at once. 46 bytes an entry at least.
_MAX_READ = 46 * MAX_ENTRIES + MEGABYTE
_READABLE = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}  # zipfile bounds what these two unpack to
_ENCRYPTED = 0x1
_ENTRY = b"PK\x01\x02"  # begins each entry of the directory


def read_zip(path: Path, quota: ParseQuota) -> Iterator[tuple[str, bytes | Refused]]:
    """Each notebook and script in a zip, in name order: its name, and its content or why not.

    Raises Refused where the whole zip cannot be read. What is read comes out of the submission's
    quota, whether it turns out to be of use or not.
    """
    quota.ask_for_zip()
    content = read_file(path, MAX_ZIP_BYTES)
    quota.zipped -= len(content)
    quota.listed -= content.count(_ENTRY)  # at least as many as zipfile will read
    try:
        with zipfile.ZipFile(_Guarded(content)) as archive:
            yield from _members(archive, quota)
    except Refused:
        raise
    except Exception as error:  # zipfile raises anything on damaged files
        raise Refused(f"is no readable zip ({printable(str(error))}); zip it again") from None


class _Guarded(io.BytesIO):
    """Refuses to hand out more at once than a sound zip needs, before anything is allocated."""

    def read(self, size: int | None = -1, /) -> bytes:
        left = len(self.getbuffer()) - self.tell()
        wanted = left if size is None or size < 0 else min(size, left)
        if wanted > _MAX_READ:
            raise Refused("is a zip with too long a list of names; zip the notebooks alone")
        return super().read(wanted)


def _members(archive: zipfile.ZipFile, quota: ParseQuota) -> Iterator[tuple[str, bytes | Refused]]:
    entries = archive.infolist()
    if len(entries) > MAX_ENTRIES:
        raise Refused(f"is a zip of more than {MAX_ENTRIES:,} entries; zip the notebooks alone")
    # Of two entries of one name the later one would be left on a disk.
    wanted = {entry.filename: entry for entry in entries if _is_wanted(entry)}
    for name in sorted(wanted, key=lambda name: (is_data(name), name)):
        if is_data(name):
            with suppress(Refused):
                quota.ask_for_data()
                yield name, _content(archive, wanted[name], quota)
            continue
        if quota.files <= 0:
            yield name, Refused(f"is one of more than {MAX_FILES} files; the rest is left out")
            return
        content: bytes | Refused
        try:
            content = _content(archive, wanted[name], quota)
        except Refused as refused:
            content = refused
        quota.files -= 1
        yield name, content


def _is_wanted(entry: zipfile.ZipInfo) -> bool:
    if is_data(entry.filename):
        wanted = entry.file_size <= MAX_DATA_BYTES
    else:
        wanted = suffix_of(entry.filename) not in ("", ARCHIVE)
    return wanted and not any(
        is_ignored(part) for part in _parts(entry.filename) if part not in (".", "..")
    )


def _parts(name: str) -> list[str]:
    return name.replace("\\", "/").split("/")


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, quota: ParseQuota) -> bytes:
    """What the entry unpacks to; raises Refused before unpacking where its own header tells."""
    parts = _parts(entry.filename)
    mode = entry.external_attr >> 16
    if ".." in parts or parts[0] == "" or ":" in parts[0]:
        raise Refused("points outside of the zip; it is left out")
    if len(parts) > MAX_DEPTH + 1:
        raise Refused("lies too deep in folders; it is left out")
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise Refused("is a link or a device; zip the file itself")
    if entry.flag_bits & _ENCRYPTED:
        raise Refused("is encrypted; zip it without a password")
    if entry.compress_type not in _READABLE:
        raise Refused("is packed in an unusual way; zip it with the ordinary method (deflate)")
    if entry.file_size > MAX_FILE_BYTES:
        raise Refused(
            f"unpacks to more than {MAX_FILE_BYTES / MEGABYTE:,.0f} MB; clear its outputs"
        )
    quota.ask(entry.file_size)
    if entry.file_size > max(_RATIO_FREE_BYTES, MAX_RATIO * entry.compress_size):
        raise Refused("unpacks to far more than its own size; it is left out")
    limit = min(MAX_FILE_BYTES, quota.size)
    content = bytearray()
    try:
        with archive.open(entry) as file:
            while chunk := file.read(65_536):  # the header's size may lie
                content += chunk
                quota.size -= len(chunk)  # of damaged ones too
                if len(content) > limit:
                    raise Refused("unpacks to more than it says; it is left out")
    except Refused:
        raise
    except Exception as error:
        raise Refused(f"cannot be unpacked ({printable(str(error))}); zip it again") from None
    return bytes(content)
