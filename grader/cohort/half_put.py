"""Refuses a class of which `grader collect` has put a part in place alone; knows no hand-in."""

from pathlib import Path

from .attempts import ManifestError

DECIDED = ".grader-collected"  # in a folder: a new set that has not wholly taken its place


def refuse_half_put(path: Path) -> None:
    """Raises ManifestError for such a folder, and for a file of it."""
    if any((folder / DECIDED).is_dir() for folder in (path, path.parent)):
        raise ManifestError(
            f"{path} is half old and half new, as `grader collect` was stopped when it put the new "
            "hand-ins in place: run it again, and nothing of them is lost"
        )
