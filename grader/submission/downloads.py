"""Recognises whose a file of a platform's bulk download is, by its name alone; opens nothing."""

import re
from dataclasses import dataclass

from .files import is_data, is_ignored, suffix_of

# lovelaceada_LATE_1234_567890_04_softmax-1.ipynb: sortable name, user, submission, file
_CANVAS = re.compile(r"(?P<name>[^_/]+)(?P<late>_LATE)?_(?P<id>\d+)_\d+_(?P<file>[^/]+)")
# Ada Lovelace_12345_assignsubmission_file/04_softmax.ipynb, or one _ for the /
_MOODLE = re.compile(
    r"(?P<name>[^/]+)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)[_/](?P<file>.+)"
)
# What graders call a learner's folder by themselves: ada/hw1/04_softmax.ipynb
_FOLDER = re.compile(r"(?P<name>[^/]+)/(?P<file>.+)")


@dataclass(frozen=True)
class Handed:
    """One file of a download: the platform's number or name for who handed it in."""

    who: str  # the platform's number where it has one, else the folder's name
    name: str  # as the platform shows it
    file: str
    platform: str
    late: bool = False


def handed(path: str) -> Handed | None:
    """Who handed in the file at this path inside a download, written with /; None: nobody's."""
    if any(is_ignored(part) for part in path.split("/")):
        return None
    last = path.rpartition("/")[2]
    if not (suffix_of(last) or is_data(last)):
        return None
    if found := _MOODLE.search(path):
        return Handed(found["id"], found["name"], found["file"], "Moodle")
    if found := _CANVAS.fullmatch(last):
        return Handed(found["id"], found["name"], found["file"], "Canvas", bool(found["late"]))
    if found := _FOLDER.fullmatch(path):
        return Handed(found["name"], found["name"], found["file"], "folders")
    return None
