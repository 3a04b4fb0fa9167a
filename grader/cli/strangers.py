"""Refuses a run over what is not the gradebook's class, such as one learner's own folder."""

from ..cohort import has_graded
from ..cohort.attempts import attempts_of
from ..curriculum.complaint import Complaint
from ..gradebook.groups import read_groups
from ..gradebook.roster import table_of
from ..gradebook.store import Gradebook
from ..report.text import count, name_of, visible
from ..submission import find_submissions, text_of
from .class_run import Run


def refuse_strangers(run: Run) -> None:
    """Raises Complaint where its path has nobody of the gradebook of its folder, if that has some.

    All of them would be set aside. A folder that was graded before may have others in it now. A
    single file sets nobody aside, and is refused only where it lies in a learner's own folder.
    With `include_absent` they are to be added, whoever they are.
    """
    if run.include_absent:
        return
    path = run.path
    with Gradebook.create(run.folder) as book:
        known = {learner for (learner,) in book.rows("SELECT learner FROM submission")}
        is_its_own = has_graded(book, path)
    if not known or is_its_own:
        return
    is_class, whole = path.is_dir(), path.resolve()
    own = whole if is_class else whole.parent
    is_own = text_of(own.name) in known
    if not (is_class or is_own):
        return
    found = [*find_submissions(path)]
    names = {name for each in found for name in (each.learner, each.shared)}
    if is_class and (run.attempts or table_of(path, "manifest").exists()):
        names |= {*attempts_of(path, found)}
    for group, members in (read_groups(run.groups) if run.groups else {}).items():
        names |= {*members} if names.intersection((group, *members)) else set()
    if names & known:
        return
    here, book_of = visible(text_of(str(path))), count(len(known), "learner")
    whose = f", which is {name_of(text_of(own.name))}'s own folder" if is_own else ""
    the_class = visible(text_of(str(own.parent))) if is_own else "that they handed in"
    raise Complaint(
        f"none of the {book_of} in {run.folder} is in {here}{whose}, so nothing was marked or "
        f"changed. To mark one of them again, grade the whole folder {the_class}: only what has "
        "changed is marked. To add others beside them: --include-absent. For another class: "
        "another --out"
    )
