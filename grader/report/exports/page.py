"""Writes one learner's marks as a page of their own, to hand back; knows no other learner."""

from typing import TextIO

from ...gradebook.store import Gradebook
from ..pages import Answers, learner_page
from . import Options, one_submission


def write(book: Gradebook, out: TextIO, options: Options) -> None:
    """A page that needs nothing beside it: the learner's code and marks, and no way to others'."""
    submission = one_submission(book, options)
    own = {entry.mark.name: entry.source for entry in book.entries(submission.learner)}
    sources = [own[mark.name] for mark in submission.marks]  # of the chapters that are shown
    out.write(learner_page(submission, sources, Answers(), is_alone=True))
