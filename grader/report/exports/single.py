"""Finds the one submission that a form for one learner is about; knows no form."""

from ...candidate.records import SubmissionMarks
from ...gradebook.store import Gradebook
from ..text import name_of
from . import ExportError, Options


def one_submission(book: Gradebook, options: Options) -> SubmissionMarks:
    """The learner of `options`, or the only one there is; raises ExportError."""
    if options.learner:
        found = book.submission(options.learner)
        if found is None:
            name = name_of(options.learner)
            if options.learner in book.standing().absent:
                raise ExportError(
                    f"the latest run did not find {name}; --include-absent exports older marks"
                )
            raise ExportError(f"no learner is called {name} in {book.path}")
        return found
    first = [submission for submission, _ in zip(book.submissions(), range(2), strict=False)]
    if len(first) != 1:
        many = "several" if first else "no"
        raise ExportError(f"{book.path} holds {many} submissions, this form one: give --learner")
    return first[0]
