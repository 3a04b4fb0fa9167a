"""Writes the page of each learner of a class into a folder, to hand back; shows nothing else."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ..gradebook.store import Gradebook
from ..report.exports import Options, export_each
from ..report.text import count, name_of, page_name
from ..report.whole_files import replace_file
from .console import err, say, stop
from .fitting import fit, folded


def write_pages(book: Gradebook, folder: Path, options: Options) -> None:
    """A file for each learner, called by their name where that is fit for one and nobody else's.

    The folder is new or empty: a page of an earlier time would be handed back with them.
    """
    if folder.exists() and any(folder.iterdir()):
        stop(f"{folder} is not empty; choose another folder")
    files = _files([*book.learners()])
    for learner, page in export_each("page", book, options):
        replace_file(folder / files[learner], page)
    say(f"{count(len(files), 'page')} in {folder}, one for each learner.")
    for learner, file in files.items():
        if file != f"{learner}.html":
            say(f"{name_of(learner)}'s is called {file}.", err)


def _files(learners: Sequence[str]) -> dict[str, str]:
    """What each one's page is called, which no system takes for another's."""
    times = Counter(map(folded, learners))
    return {
        name: f"{name}.html" if fit(name) == name and times[folded(name)] == 1 else page_name(name)
        for name in learners
    }
