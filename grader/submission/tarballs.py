"""Lists what a tar holds, and unpacks gzip within bounds; leaves no file behind."""

import io
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from .files import MAX_ENTRIES, MAX_NOTEBOOK_BYTES, MEGABYTE, ParseQuota, Refused, printable
from .packed import CHUNK, Member, ask_for, taken

_MAGIC, _AT = b"ustar", 257


def is_tar(content: bytes) -> bool:
    """Whether this is a tar, by what stands in its first header."""
    return content[_AT : _AT + len(_MAGIC)] == _MAGIC


def gunzipped(content: bytes, quota: ParseQuota) -> bytes:
    """What was packed, out of the quota; raises Refused where that is too much or damaged."""
    found = bytearray()
    limit = min(MAX_NOTEBOOK_BYTES, quota.unpacked)
    while content:
        unpacking = zlib.decompressobj(wbits=31)
        while not unpacking.eof:
            try:
                chunk = unpacking.decompress(content, CHUNK)
            except zlib.error as error:
                raise Refused(f"is no readable gzip ({error}); pack it again") from None
            found += chunk
            quota.unpacked -= len(chunk)
            if len(found) > limit:
                most = f"{limit / MEGABYTE:,.0f} MB"
                raise Refused(f"unpacks to more than {most}; hand in a .zip of the notebooks")
            content = unpacking.unconsumed_tail
            if not chunk and not content and not unpacking.eof:
                raise Refused("is no readable gzip (its end is missing); pack it again")
        content = unpacking.unused_data.lstrip(b"\0")
    return bytes(found)


@contextmanager
def tar_members(content: bytes) -> Iterator[list[Member]]:
    """The files in a tar; raises Refused where it cannot be read."""
    members: list[Member] = []
    try:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
            for entry in archive:
                if len(members) >= MAX_ENTRIES:
                    message = f"is a tar of more than {MAX_ENTRIES:,} entries"
                    raise Refused(f"{message}; pack the notebooks alone")
                if not entry.isdir():
                    read = partial(_read, archive, entry)
                    members.append(Member(entry.name, entry.size, read))
            yield members
    except Refused:
        raise
    except Exception as error:  # tarfile raises many things on damaged files
        raise Refused(f"is no readable tar ({printable(str(error))}); pack it again") from None


def _read(archive: tarfile.TarFile, entry: tarfile.TarInfo, quota: ParseQuota) -> bytes:
    ask_for(entry.name, entry.size, quota)
    if not entry.isreg() or entry.issparse():
        raise Refused("is a link or a device; pack the file itself")
    file = archive.extractfile(entry)
    assert file is not None  # of a regular file there is one
    return taken(entry.name, iter(partial(file.read, CHUNK), b""), quota)
