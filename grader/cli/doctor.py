"""Says what isolation this machine gives, with which versions; grades nothing."""

import importlib.metadata
import platform
import sys
from contextlib import suppress

import typer
from rich.table import Table
from rich.text import Text

from ..wall.isolation_layers import SANDBOX, available, layers
from .console import out, say

commands = typer.Typer()

_PACKAGES = ("torch", "numpy", "safetensors", "pytest", "pyseccomp", "rich", "typer")
_OPTIONAL = ("jupyterlab", "ipykernel", "nbval", "distributed", "starlette", "uvicorn")


@commands.command()
def doctor() -> None:
    """Say what isolation this machine gives, and which versions are installed."""
    isolation = Table("layer", "", "what was found", title="Isolation, each layer by trying it")
    tried = layers()
    for layer in tried:
        found = "present" if layer.present else "absent"
        isolation.add_row(layer.name, found, Text(layer.detail))
    out.print(isolation)
    versions = Table("what", "version", title="Versions")
    versions.add_row("Python", Text(f"{platform.python_version()} ({sys.executable})"))
    versions.add_row("system", Text(platform.platform()))
    kernel = f"{platform.system()} {platform.release()} {platform.version()}"
    versions.add_row("kernel", Text(kernel))
    for package in (*_PACKAGES, *_OPTIONAL):
        version = "not installed" + " (only some commands need it)" * (package in _OPTIONAL)
        with suppress(importlib.metadata.PackageNotFoundError):
            version = importlib.metadata.version(package)
        versions.add_row(package, Text(version))
    out.print(versions)
    ready = available()
    broken = [layer.detail for layer in tried if layer.name == SANDBOX and not layer.present]
    if ready and not broken:
        out.print("Submissions of strangers can be graded on this machine.")
    else:
        out.print("Submissions of strangers cannot be graded on this machine:")
        for why in (*ready.why_not, *broken):
            say(f"  {why}")
        out.print("Your own can, with --trust-submissions.")
