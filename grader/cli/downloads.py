"""Recognises whose a file of a platform's bulk download is, by its name alone; opens nothing.

A name is the platform's as far as it says who handed in, and the learner's after that. What a
learner chose is never looked through for who it may be. Canvas puts the learner's own name in
front, which they choose too: where that may hold the numbers, nobody can tell, and nobody guesses.
"""

import re
from dataclasses import dataclass

from ..curriculum.syllabus import syllabus
from ..handed_in.file_names import is_data, is_hidden, is_ignored, may_be_work, suffix_of

# lovelaceada_LATE_1234_567890_04_softmax-1.ipynb: sortable name, user, submission, file; what was
# typed into Canvas' own page has no number of a submission
_CANVAS = re.compile(
    r"(?P<name>[^_/]+)(?P<late>_LATE)?_(?P<id>[0-9]+)_"
    r"(?:[0-9]+_(?P<file>[^/]+)|(?P<typed>(?:text|link)\.html))"
)
# Where a longer name would have left the user's number: before another one, or what was typed.
_NUMBER_BEHIND = re.compile(r"_([0-9]+)(?=_([0-9]+_[^/]+)|_(?:text|link)\.html$)")
# Gradescope's: beside these folders submission_metadata.yml says whose each is.
_GRADESCOPE = re.compile(r"(?:assignment_[0-9]+_export/)?submission_(?P<id>[0-9]+)/(?P<file>.+)")
# Ada Lovelace_12345_assignsubmission_file, then _ or / and the file: what stands before is a name
_MOODLE = re.compile(r"(?<!^)_(?P<id>[0-9]+)_assignsubmission_[a-z]+(?=_|$)")
_ANONYMOUS = ("anon", "anonymous")
_ABOUT = ("readme.md", "license.md")
Whose = tuple[str, str]  # a platform, and who there


@dataclass(frozen=True)
class Handed:
    """One file of a download: the platform's number or name for who handed it in."""

    who: str  # the platform's number where it has one, else the folder's name
    name: str  # as the platform shows it
    file: str
    platform: str
    late: bool = False

    @property
    def learner(self) -> Whose:
        """The platform, and who there."""
        return self.platform, self.who

    @property
    def is_read(self) -> bool:
        """Whether it is of a kind that may hold an answer, or be read by one."""
        last = f"_{self.file.rpartition('/')[2]}"  # of which a suffix alone is no name
        return not self.tools and bool(suffix_of(last) or is_data(last))

    @property
    def is_kept(self) -> bool:
        """Whether marking has a use for it, or a word."""
        return self.is_read or (not self.tools and may_be_work(self.file))

    @property
    def is_hidden(self) -> bool:
        """Whether it would be read, if neither its name nor its folder's began with a dot."""
        return not self.tools and is_hidden(self.file) and bool(suffix_of(self.file))

    @property
    def may_answer(self) -> bool:
        """Whether there may be an answer in it, by its kind."""
        last = self.file.rpartition("/")[2].casefold()
        return self.is_read and bool(suffix_of(f"_{last}")) and last not in _ABOUT

    @property
    def tools(self) -> str:
        """The part of its name that says that a tool keeps it, such as `.ipynb_checkpoints`."""
        if may_be_work(self.file):
            return ""
        *folders, last = self.file.split("/")
        is_kept = last.startswith("._")  # which macOS writes beside each file
        return next(filter(is_ignored, folders), "._" if is_kept else "")


@dataclass(frozen=True)
class TwoReadings:
    """A file whose name is a platform's in two ways, of which only one can be meant."""

    whose: tuple[str, ...]  # the names or numbers that it may be read as


def handed(path: str) -> Handed | TwoReadings | None:
    """Who handed in the file at this path inside a download, written with /; None: nobody's.

    The platform, or who laid out a folder for each learner, has named the first part of the path.
    """
    top, slash, inside = path.partition("/")
    if is_ignored(top):
        return None
    if found := _GRADESCOPE.fullmatch(path):
        return Handed(found["id"], f"submission_{found['id']}", found["file"], "Gradescope")
    readings = []
    for found in _MOODLE.finditer(top):
        rest = top[found.end() + 1 :]
        file = "/".join(part for part in (rest, inside) if part)
        readings.append(Handed(found["id"], top[: found.start()], file, "Moodle"))
    if not slash and (canvas := _CANVAS.fullmatch(top)):
        if canvas["name"].casefold() in _ANONYMOUS:
            return None  # what stands behind it is made up anew for each assignment
        if others := _users_behind(top, canvas.end("id")):
            return TwoReadings((f"{canvas['name']} ({canvas['id']})", *others))
        late, file = bool(canvas["late"]), canvas["file"] or canvas["typed"]
        readings.append(Handed(canvas["id"], canvas["name"], file, "Canvas", late))
    if not readings and slash:
        readings.append(Handed(top, top, inside, "folders"))
    if len(readings) > 1:
        return TwoReadings(tuple(dict.fromkeys(f"{one.name} ({one.who})" for one in readings)))
    return readings[0] if readings else None


def _users_behind(name: str, start: int) -> tuple[str, ...]:
    """The other numbers that may be the user's, if a longer name than the first stands before them.

    No number of Canvas' begins with 0, so `07_a.ipynb` has none; nor has a chapter's own name.
    """
    found = _NUMBER_BEHIND.finditer(name, start)
    return tuple(
        behind[1]
        for behind in found
        if not behind[1].startswith("0")
        and not (behind[2] or "").startswith(("0", *syllabus().chapters))
    )


def named_below(path: str) -> str:
    """Whom a platform's name speaks of that stands below the first folder; empty: nobody.

    Who renames no files hands in none such: a folder of several is a download within a folder.
    """
    while path := path.partition("/")[2]:
        one = handed(path)
        if isinstance(one, TwoReadings):
            return one.whose[0]
        if one and one.platform != "folders" and one.is_read:
            return f"{one.name} ({one.who})"
    return ""
