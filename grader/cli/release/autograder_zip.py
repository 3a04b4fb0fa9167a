"""Writes a Gradescope autograder's zip: the grader, and what Gradescope runs; marks nothing."""

import shlex
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from packaging.requirements import Requirement

from ...curriculum.complaint import Complaint
from ...curriculum.course import course
from .contents import GRADER
from .write import locked_for, project

_SCRIPTS = Path(__file__).with_name("gradescope")
_EXECUTABLE, _PLAIN = 0o100755 << 16, 0o100644 << 16


def write_autograder(path: Path, options: Sequence[str]) -> None:
    """Write it; `options` are those of `python -m grader.cli.autograder`.

    Raises Complaint.
    """
    if course().folder != GRADER / "course":
        raise Complaint("an autograder is made of the course that comes with the grader")
    wanted = [each for each in project()["dependencies"] if Requirement(each).name != "hatchling"]
    lock = "\n".join(locked_for(wanted)) + "\n"
    try:
        with zipfile.ZipFile(path, "x", zipfile.ZIP_DEFLATED) as archive:
            for script in ("setup.sh", "run_autograder"):
                text = (_SCRIPTS / script).read_text(encoding="utf-8")
                _put(archive, script, text.replace("@options@", shlex.join(options)), _EXECUTABLE)
            _put(archive, "requirements.lock", lock, _PLAIN)
            for source, name in _files():
                _put(archive, name, source.read_bytes(), _PLAIN)
    except FileExistsError:
        raise Complaint(f"{path} is there already; choose another name") from None


def _files() -> Iterator[tuple[Path, str]]:
    """What the grader is made of, and where it lies in the zip."""
    own = course()
    parts = ((GRADER, "*"), (own.solutions_folder, "*"), (own.notebooks, "*.ipynb"))
    for folder, pattern in parts:
        for path in sorted(folder.rglob(pattern)):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path, f"{folder.name}/{path.relative_to(folder).as_posix()}"


def _put(archive: zipfile.ZipFile, name: str, content: str | bytes, mode: int) -> None:
    entry = zipfile.ZipInfo(name)
    entry.external_attr, entry.compress_type = mode, zipfile.ZIP_DEFLATED
    archive.writestr(entry, content)
