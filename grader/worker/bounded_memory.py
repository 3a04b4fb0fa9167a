"""Bounds for a while how much memory this process may take; knows nothing of what takes it."""

from collections.abc import Iterator
from contextlib import contextmanager

try:
    import resource
except ImportError:  # on Windows nothing bounds it
    _PAGE = None
else:
    _PAGE, _NO_LIMIT = resource.getpagesize(), resource.RLIM_INFINITY
    _AS, _getrlimit, _setrlimit = resource.RLIMIT_AS, resource.getrlimit, resource.setrlimit


def address_space(room: int = 0) -> int | None:
    """Bytes of address space that this process has mapped, and `room`; None where nobody tells."""
    try:
        with open("/proc/self/statm") as file:
            return _PAGE and int(file.read().split()[0]) * _PAGE + room
    except OSError:
        return None


@contextmanager
def within(most: int | None) -> Iterator[None]:
    """Inside, it may take so many bytes of address space; None: as many as before."""
    if most is None:
        yield
        return
    soft, hard = _getrlimit(_AS)
    known = [each for each in (most, soft, hard) if each != _NO_LIMIT]
    _setrlimit(_AS, (min(known), hard))
    try:
        yield
    finally:
        _setrlimit(_AS, (soft, hard))
