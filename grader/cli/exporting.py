"""The command that writes a class's marks in one of several forms; marks nothing."""

import io
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from ..curriculum.syllabus import syllabus
from ..gradebook.store import Gradebook
from ..report import exports
from ..report.exports import FORMS, Incomplete, Options, remarks
from ..report.exports.totals import Scale
from ..report.text import count, name_of, page_name
from ..report.whole_files import replace_file
from .console import INTERRUPTED, Folder, err, flag, say, stop
from .fitting import fit, folded

commands = typer.Typer()


@commands.command()
def export(
    form: Annotated[str, typer.Argument(metavar="FORMAT", help="json, csv, canvas, moodle, …")],
    folder: Folder,
    learner: Annotated[str, typer.Option(help="For forms that hold one learner.")] = "",
    roster: Annotated[Path | None, typer.Option(help="The platform's list of learners.")] = None,
    title: Annotated[str, typer.Option(help="The assignment's; else the course's.")] = "",
    context: Annotated[Path | None, typer.Option(help="Facts for classroom50, as JSON.")] = None,
    incomplete: Annotated[
        bool, flag("incomplete", "Though marks are missing or may be old.")
    ] = False,
    include_absent: Annotated[
        bool, flag("include-absent", "With learners whom the latest run missed.")
    ] = False,
    chapters: Annotated[str, typer.Option(help="These alone, such as 00-05.")] = "",
    out_of: Annotated[float | None, typer.Option(min=0, help="The platform's maximum.")] = None,
    decimals: Annotated[int, typer.Option(min=0, max=6, help="Of a total.")] = 2,
    pages: Annotated[
        Path | None, typer.Option("--out", help="With page: a new folder, a page for everybody.")
    ] = None,
) -> None:
    """Write the marks to standard output, in one of several forms."""
    if form not in FORMS:
        stop(f"no form is called {form!r}; there are: {', '.join(FORMS)}")
    if pages is not None and (form != "page" or learner):
        stop("--out is for everybody's pages: give it with page, and without --learner")
    shown = syllabus().chapters_named(chapters) if chapters else ()
    stream = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="", write_through=True)
    try:
        with Gradebook.open(folder, include_absent=include_absent) as book:
            scale = Scale(out_of, decimals, book.lateness() if FORMS[form].is_scaled else None)
            options = Options(learner, roster, title, context, incomplete, shown, scale)
            if pages is None:
                exports.export(form, book, stream, options)
            else:
                _write_pages(book, pages, options)
            for remark in remarks(book, form, options):
                say(f"grader: {remark}", err)
    except Incomplete as error:
        stop(str(error), INTERRUPTED)
    except BrokenPipeError:  # whoever read it has read enough
        sys.stderr.close()
    finally:
        stream.detach()


def _write_pages(book: Gradebook, folder: Path, options: Options) -> None:
    """A file for each learner, called by their name where that is fit for one and nobody else's.

    The folder is new or empty: a page of an earlier time would be handed back with them.
    """
    if folder.exists() and any(folder.iterdir()):
        stop(f"{folder} is not empty; choose another folder")
    learners = [*book.learners()]
    # Anybody may be called as another's page is.
    own = {name: f"{name}.html" for name in learners}
    times = Counter(map(folded, (*own.values(), *map(page_name, learners))))
    files = {
        name: own[name] if fit(name) == name and times[folded(own[name])] == 1 else page_name(name)
        for name in learners
    }
    for learner, page in exports.export_each("page", book, options):
        replace_file(folder / files[learner], page)
    say(f"{count(len(files), 'page')} in {folder}, one for each learner.")
    for learner, file in files.items():
        if file != f"{learner}.html":
            say(f"{name_of(learner)}'s is called {file}.", err)
