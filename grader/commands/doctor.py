"""Says what isolation this machine gives, with which versions; grades nothing."""

import importlib.metadata
import platform
import sys
from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..wall.isolation_layers import available, layers
from .console import say

_PACKAGES = ("torch", "numpy", "safetensors", "pytest", "pyseccomp", "rich", "typer")
_OPTIONAL = ("jupyterlab", "ipykernel", "nbval", "distributed", "starlette", "uvicorn")


def examine(console: Console) -> bool:
    """Print every layer and version; whether untrusted submissions can be graded here."""
    isolation = Table("layer", "", "what was found", title="Isolation, each layer by trying it")
    for layer in layers():
        found = "present" if layer.present else "absent"
        isolation.add_row(layer.name, found, Text(layer.detail))
    console.print(isolation)
    versions = Table("what", "version", title="Versions")
    for name, version in _versions():
        versions.add_row(name, Text(version))
    console.print(versions)
    ready = available()
    if ready:
        console.print("Submissions of strangers can be graded on this machine.")
    else:
        console.print("Submissions of strangers cannot be graded on this machine:")
        for why in ready.why_not:
            say(f"  {why}", console)
        console.print("Your own can, with --trust-submissions.")
    return bool(ready)


def _versions() -> Iterator[tuple[str, str]]:
    yield "Python", f"{platform.python_version()} ({sys.executable})"
    yield "system", platform.platform()
    yield "kernel", f"{platform.system()} {platform.release()} {platform.version()}"
    for package in (*_PACKAGES, *_OPTIONAL):
        try:
            yield package, importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            optional = " (only some commands need it)" if package in _OPTIONAL else ""
            yield package, f"not installed{optional}"
