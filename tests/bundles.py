"""Bundles for tests, and processes that see a bundle alone, as on a learner's machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from grader.cli.release.write import Release, write_bundle
from grader.curriculum.syllabus import syllabus

ROOT = Path(__file__).resolve().parent.parent


def copy_of_package(name: str, folder: Path) -> None:
    """Copy one of ours, with what is compiled already, but not what others compile right now."""
    shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("*.pyc.*"))


def bundle(
    folder: Path,
    last: str = "11",
    reveal: tuple[str, ...] = (),
    checker: str = "",
    hub: bool = False,
) -> Path:
    """A bundle of the chapters up to `last`, in a new folder."""
    chapters = tuple(name for name in syllabus().chapters if name[:2] <= last)
    write_bundle(folder, Release(chapters, reveal, checker, hub))
    return folder


def environment(bundle: Path, **more: str) -> dict[str, str]:
    """The environment of a learner who has this bundle and not the course: no editable install."""
    hiding = bundle.parent / f"{bundle.name}_site"
    hiding.mkdir(exist_ok=True)
    code = f"import sys\nsys.path[:] = [each for each in sys.path if each != {str(ROOT)!r}]\n"
    (hiding / "sitecustomize.py").write_text(code, encoding="utf-8")
    own = {"PYTHONPATH": f"{bundle}{os.pathsep}{hiding}", "XDG_CONFIG_HOME": str(hiding)}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GRADER_")}
    return {**kept, **own, "OMP_NUM_THREADS": "1", **more}


def run(bundle: Path, code: str, **more: str) -> str:
    """What a program prints that runs in the bundle's folder of notebooks; it must end well."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=bundle / "notebooks",
        env=environment(bundle, **more),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
