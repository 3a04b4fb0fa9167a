"""Writes a file whole or not at all, whoever reads or ends meanwhile; knows no content."""

import os
from pathlib import Path


def replace_file(path: Path, content: str | bytes) -> None:
    """Whoever reads meanwhile sees the old file or the new one, never half of one; OSError."""
    data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_bytes(data)
    os.replace(temporary, path)
