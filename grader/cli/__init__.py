"""The `grader` command: reads options, calls what does the work, gives an exit status."""

import importlib.metadata
import io
import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from ..curriculum.course import CourseError, choose
from ..curriculum.syllabus import syllabus
from ..report.text import visible
from ..wall.limits import Limits
from .bundles import bundles
from .by_authors import by_authors
from .by_learners import by_learners
from .by_people import by_people
from .console import (
    INTERRUPTED,
    USAGE,
    err,
    flag,
    out,
    read_catalogue,
    refuse_unknown,
    say,
    speak_plainly,
    stop,
    stopping_at,
)
from .help_groups import HelpGroups

app = typer.Typer(
    cls=HelpGroups,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    rich_markup_mode=None,
)
app.add_typer(bundles)
app.add_typer(by_people)
app.add_typer(by_learners)
app.add_typer(by_authors)


def main() -> None:
    """Run the command; the system's own complaints about files are messages, not tracebacks."""
    speak_plainly()
    try:
        app(prog_name="grader")
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        say(f"grader: {visible(f'{where}{error.strerror or error}')}", err)
        sys.exit(USAGE)


def _choose(folder: Path | None) -> Path | None:
    if folder is not None:
        try:
            choose(folder)
        except CourseError as error:
            stop(str(error))
    return folder


def _show_version(asked: bool) -> None:
    if asked:
        say(f"grader {importlib.metadata.version('transformer-course')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show it and end."),
    ] = False,
    course: Annotated[
        Path | None,
        typer.Option(callback=_choose, is_eager=True, help="The folder of another course."),
    ] = None,
) -> None:
    """Marks the exercises of a course: your own notebook, or a whole class."""


Folder = Annotated[Path, typer.Argument(help="The folder that `grader grade --out` wrote.")]


@app.command()
def check(
    notebook: Annotated[
        Path | None, typer.Argument(help="A notebook, script or folder; else yours.")
    ] = None,
    exercise: Annotated[str | None, typer.Option(help="Check this one alone.")] = None,
) -> None:
    """Check your own notebook and say what to think about next."""
    from ..report.terminal import show_submission
    from .selfcheck import check_submission
    from .workplace import find, keep

    if exercise is not None:
        refuse_unknown(exercise)
    read_catalogue()
    if notebook is None:
        notebook = find(Path())
        if not any(notebook.glob("*.ipynb")):
            stop("there are no notebooks here; `grader start` makes a folder of them")
    elif not notebook.exists():
        instead = f"; for one exercise: --exercise {notebook}"
        stop(f"there is no {notebook} here{instead if str(notebook) in syllabus().names else ''}")
    found = check_submission(notebook, exercise)
    show_submission(out, found)
    keep(notebook if notebook.is_dir() else notebook.parent, found.marks)


@app.command()
def grade(
    path: Annotated[Path, typer.Argument(exists=True, help="A folder of submissions, or one.")],
    folder: Annotated[Path, typer.Option("--out", help="Where the gradebook and report go.")],
    jobs: Annotated[int, typer.Option(min=1, help="Processes that mark.")] = 1,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Draws the checks' inputs; else the gradebook's own.")
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=0.1, help="Seconds for each call.")
    ] = Limits().wall_seconds,
    memory: Annotated[int, typer.Option(min=64, help="MB for each worker.")] = Limits().memory_mb,
    trust_submissions: Annotated[
        bool, flag("trust-submissions", "Run them without isolation.")
    ] = False,
    cluster: Annotated[str, typer.Option(help="Address of a Dask scheduler.")] = "",
    include_absent: Annotated[
        bool, flag("include-absent", "Learners of earlier runs stay in the class.")
    ] = False,
    attempts: Annotated[str, typer.Option(help="Which of a learner's counts: last or best.")] = "",
    groups: Annotated[
        Path | None, typer.Option(help="Who handed in one work together: group,learner.")
    ] = None,
) -> None:
    """Mark a class; run it again to go on after an interruption or to mark what has changed."""
    from .grading import Run, run_class

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    limits: dict[str, float] = {"wall_seconds": timeout, "memory_mb": memory}
    if attempts not in ("", "last", "best") or (attempts and not path.is_dir()):
        stop("--attempts is last or best, and for a folder")
    given = (path, folder, jobs, seed, limits, trust_submissions, cluster, include_absent, groups)
    raise typer.Exit(run_class(Run(*given, attempts=attempts)))


@app.command()
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
    deadline: Annotated[str, typer.Option(help="When it was due: 2026-01-31T12:00:00Z.")] = "",
    late: Annotated[str, typer.Option(help="What it costs: 10% a day, at most 50%.")] = "",
    times: Annotated[Path | None, typer.Option(help="Who handed in when: learner,time.")] = None,
) -> None:
    """Write the marks to standard output, in one of several forms."""
    from ..gradebook.store import Gradebook
    from ..report.exports import FORMS, SCALED, Incomplete, Options, export, remarks
    from ..report.exports.totals import Scale
    from .deadlines import lateness

    if form not in FORMS:
        stop(f"no form is called {form!r}; there are: {', '.join(FORMS)}")
    if bool(deadline) != bool(late):
        stop("--deadline and --late go together")
    with stopping_at(ValueError):
        shown = syllabus().chapters_named(chapters) if chapters else ()
    stream = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="", write_through=True)
    try:
        with Gradebook.open(folder, include_absent=include_absent) as book:
            is_asked = form in SCALED or deadline or times
            costs = lateness(book, deadline, late, times) if is_asked else None
            scale = Scale(out_of, decimals, costs)
            options = Options(learner, roster, title, context, incomplete, shown, scale)
            export(form, book, stream, options)
            for remark in remarks(book, form, options):
                say(f"grader: {remark}", err)
    except Incomplete as error:
        stop(str(error), INTERRUPTED)
    except BrokenPipeError:  # whoever read it has read enough
        sys.stderr.close()
    finally:
        stream.detach()


@app.command()
def due(
    folder: Folder,
    deadline: Annotated[str, typer.Option(help="When it was due: 2026-01-31T12:00:00Z.")] = "",
    late: Annotated[str, typer.Option(help="What it costs: 10% a day, at most 50%.")] = "",
    times: Annotated[Path | None, typer.Option(help="Who handed in when: learner,time.")] = None,
    extensions: Annotated[
        Path | None, typer.Option(help="Who has more time: learner,until,days,reason.")
    ] = None,
    remove: Annotated[bool, flag("remove", "Nothing is late any more.")] = False,
) -> None:
    """State when the class's work was due, or tell it; the report and every export know it."""
    from .deadlines import state_due, tell_due

    asks = not (remove or deadline or late or times or extensions)
    if not asks and (remove == bool(deadline) or bool(deadline) != bool(late)):
        stop("give --deadline and --late, or --remove alone; nothing at all tells how it stands")
    if asks:
        tell_due(folder, out)
        return
    state_due(folder, deadline, late, times, extensions, out)


@app.command()
def similar(
    folder: Annotated[Path, typer.Argument(metavar="DIR", exists=True, help="A class.")],
    page: Annotated[Path | None, typer.Option("--out", help="An HTML page to write.")] = None,
    show: Annotated[int, typer.Option(min=0, help="Pairs whose code is shown here.")] = 1,
    groups: Annotated[
        Path | None, typer.Option(help="Who worked together, and is no pair: group,learner.")
    ] = None,
) -> None:
    """Find code that is alike beyond what is common; it proves nothing."""
    from ..gradebook.groups import read_groups
    from .similar import find_similar

    together = read_groups(groups) if groups else {}
    find_similar(folder, page, show, out, together)


@app.command()
def doctor() -> None:
    """Say what isolation this machine gives, and which versions are installed."""
    from .doctor import examine

    examine(out)


@app.command()
def diff(
    before: Annotated[Path, typer.Argument(help="A folder that `grader grade --out` wrote.")],
    after: Annotated[Path, typer.Argument(help="Another one.")],
) -> None:
    """Show whose marks moved from one gradebook to another, and why."""
    from ..gradebook.store import Gradebook
    from .diff import show_moves

    with Gradebook.open(before) as old, Gradebook.open(after) as new:
        show_moves(out, old, new)
