"""Lists what an untrusted zip holds, and unpacks it within bounds; leaves nothing on disk."""

import io
import stat
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from .files import (
    MAX_ENTRIES,
    MEGABYTE,
    NOTEBOOK,
    ParseQuota,
    Refused,
    printable,
    suffix_of,
)
from .packed import CHUNK, Member, ask_for, taken

MAX_RATIO = 200  # code shrinks to a tenth, a bomb to a thousandth; and printed loops do too
_RATIO_FREE_BYTES = MEGABYTE  # below this the ratio harms nobody
# One read of zipfile's: its directory of names, which it reads at once. 46 bytes an entry at least.
_MAX_READ = 46 * MAX_ENTRIES + MEGABYTE
_READABLE = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}  # zipfile bounds what these two unpack to
_ENCRYPTED = 0x1
_ENTRY = b"PK\x01\x02"  # begins each entry of the directory


@contextmanager
def zip_members(content: bytes, quota: ParseQuota) -> Iterator[list[Member]]:
    """The files in a zip; raises Refused where it cannot be read."""
    quota.listed -= content.count(_ENTRY)  # at least as many as zipfile will read
    try:
        with zipfile.ZipFile(_Guarded(content)) as archive:
            entries = archive.infolist()
            if len(entries) > MAX_ENTRIES:
                message = f"is a zip of more than {MAX_ENTRIES:,} entries"
                raise Refused(f"{message}; zip the notebooks alone")
            yield [Member(e.filename, e.file_size, partial(_read, archive, e)) for e in entries]
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


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, quota: ParseQuota) -> bytes:
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
    try:
        with archive.open(entry) as file:  # the header's size may lie
            return taken(entry.filename, iter(partial(file.read, CHUNK), b""), quota)
    except Refused:
        raise
    except Exception as error:
        raise Refused(f"cannot be unpacked ({printable(str(error))}); zip it again") from None
