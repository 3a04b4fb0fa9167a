"""Which chapters a bundle holds, and whether they can be worked on alone; writes nothing."""

from collections.abc import Iterable
from pathlib import Path

from ...curriculum.complaint import Complaint
from ...curriculum.course import course
from ...curriculum.syllabus import syllabus
from .imports import imported


class ReleaseError(Complaint):
    """The bundle cannot be written; the message says what to give."""


def chapters_of(text: str) -> tuple[str, ...]:
    """The chapters that `00-05`, `03` or `00-02,05` names, in course order.

    Raises ReleaseError.
    """
    try:
        return syllabus().chapters_named(text)
    except ValueError as error:
        raise ReleaseError(str(error)) from None


def refuse_gaps(chapters: Iterable[str], reveal: Iterable[str], notebooks: Iterable[Path]) -> None:
    """Raise ReleaseError where a chapter needs one that is neither released nor revealed."""
    here, revealed = set(chapters), set(reveal)
    for name in sorted(name for module, name in imported(notebooks) if module == "kit.earlier"):
        chapter = syllabus()[name].chapter
        if chapter not in here | revealed:
            raise ReleaseError(
                f"these chapters need {name} of {chapter}: release that chapter too, or reveal it"
            )
    by_module = {name.partition("_")[2]: name for name in syllabus().chapters}
    for chapter in sorted(revealed):
        modules = {module.rpartition(".")[2] for module, _ in imported([solution_of(chapter)])}
        for other in {by_module[each] for each in modules & by_module.keys()} - revealed:
            raise ReleaseError(f"the solutions of {chapter} use those of {other}: reveal both")


def solution_of(chapter: str) -> Path:
    """The file of a chapter's solutions."""
    return course().solutions_folder / f"{chapter.partition('_')[2]}.py"
