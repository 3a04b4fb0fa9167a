"""Runs `grader grade` for a person: its seed, progress, summary, report; marks nothing."""

import signal
import time
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from ..cohort import Result, SubmissionDone, Way, fresh_seed, grade_class, setup_for, way_of
from ..cohort.attempts import refuse_half_put
from ..cohort.messages import NoIsolation, Setup
from ..cohort.pool import JobsFail
from ..curriculum.complaint import Complaint
from ..curriculum.syllabus import syllabus
from ..gradebook.roster import Table, read_beside, table_of
from ..gradebook.store import Gradebook, GradebookError
from ..gradebook.times import HandedInAt, read_times
from ..gradebook.tries import read_tries
from ..report.class_report import mark_unfinished, write_report
from ..report.text import name_of, visible
from ..wall.limits import Limits
from .arrange import refuse_download
from .class_run import Run
from .console import INTERRUPTED, USAGE, err, flag, say, stop
from .refused import held_for_a_run
from .run_summary import tell_summary
from .strangers import refuse_strangers
from .whose_work import chosen_of, of_groups, without_groups

COMPLETE = 0
commands = typer.Typer()


@commands.command()
def grade(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(exists=True, help="A folder of submissions, or one.")],
    folder: Annotated[Path, typer.Option("--out", help="Where the gradebook and report go.")],
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes that mark; else one a core, at most 8.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Draws the checks' inputs; else the gradebook's own.")
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=0.1, help="Seconds for each request.")
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
    chapters: Annotated[
        str, typer.Option(help="These alone count from now on, such as 04; 00-14 for all again.")
    ] = "",
    groups: Annotated[
        Path | None, typer.Option(help="Who handed in one work together: group,learner.")
    ] = None,
) -> None:
    """Mark a class; run it again to go on after an interruption or to mark what has changed."""
    # Who calls this in a process that marks already gives its way as the context's object.
    _end_as_by_hand()
    limits = {"wall_seconds": timeout, "memory_mb": memory}
    if attempts not in ("", "last", "best") or (attempts and not path.is_dir()):
        stop("--attempts is last or best, and for a folder")
    run = Run(
        path=path,
        folder=folder,
        jobs=jobs,
        seed=seed,
        limits=limits,
        trust=trust_submissions,
        cluster=cluster,
        include_absent=include_absent,
        groups=groups,
        chapters=_chapters(chapters) if chapters else None,
        attempts=attempts,
        way=context.obj,
    )
    raise typer.Exit(run_class(run))


def _end_as_by_hand() -> None:
    """Being ended, or a closed terminal, is what Ctrl-C is: jobs end, and what was marked stays."""
    for each in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        if signal.getsignal(each) is not signal.SIG_IGN:  # as nohup has it
            signal.signal(each, signal.default_int_handler)


def _chapters(named: str) -> tuple[str, ...]:
    """Those that alone count; none where all do, of later editions of the course too."""
    found = syllabus().chapters_named(named)
    return () if found == syllabus().chapters else found


def run_class(run: Run) -> int:
    """Grade a class, write its report, tell both; the exit status."""
    if run.path.is_dir() and run.folder.resolve().is_relative_to(run.path.resolve()):
        where = run.path.resolve().with_name("marks")
        say(f"grader: --out lies within the class, where it may be a learner's; try {where}", err)
        return USAGE
    started, tables = time.monotonic(), _tables_beside(run.path)
    try:
        refuse_half_put(run.path)
        way = run.way or way_of(run.jobs, run.cluster)
        beside = read_beside(run.path, "times", read_times)
        times = beside or {}
        tries = read_beside(run.path, "tries", read_tries)
        # Until all is written: a run that is refused changes nothing.
        with held_for_a_run(run.folder):
            refuse_strangers(run)
            refuse_download(run.path)
            setup = setup_for(_seed(run), run.limits, run.trust)
            result, seconds = _marked(run, setup, way, times)
            with Gradebook.create(run.folder) as book:
                if run.chapters is not None:
                    book.hold_to(run.chapters)
                if run.path.is_dir():
                    if times or beside is not None:  # else what was said by hand holds
                        book.set_times(times, keeps=run.include_absent)
                    if not (run.groups or run.include_absent):
                        book.set_groups({})
                if tries:
                    book.set_tries(tries)
                book.fold()
            counted = write_report(run.folder)
    except GradebookError as error:
        say(f"grader: {error}", err)
        return INTERRUPTED if error.passing else USAGE
    except Complaint as error:
        say(f"grader: {error}", err)
        if isinstance(error, NoIsolation):
            say("`grader doctor` tells more. Submissions that you trust: --trust-submissions", err)
        return USAGE
    except (KeyboardInterrupt, JobsFail, OSError) as error:
        reason = "" if isinstance(error, KeyboardInterrupt) else f": {error}"
        say(f"grader: interrupted{reason}", err)
        say("What was marked is kept; the same command goes on from here.", err)
        return INTERRUPTED
    tell_summary(run, result, counted, time.monotonic() - started, seconds)
    if _tables_beside(run.path) != tables:
        say("grader: the hand-ins were exchanged while they were marked: run this again", err)
        return INTERRUPTED
    return COMPLETE


def _tables_beside(path: Path) -> list[bytes]:
    """What says whose each hand-in is, and when it came."""
    kinds: tuple[Table, ...] = ("manifest", "times", "tries")
    tables = (table_of(path, kind) for kind in kinds)
    return [table.read_bytes() if table.is_file() else b"" for table in tables]


def _seed(run: Run) -> int:
    """The seed that is asked for, else the gradebook's own, which is drawn once."""
    with Gradebook.create(run.folder) as book:
        known = book.fact("seed")
    if run.seed is None:
        return int(known) if known else fresh_seed()
    if known and known != str(run.seed):
        say(f"The seed was {known} and is {run.seed} now: all that this run finds is marked again.")
    return run.seed


def _marked(
    run: Run, setup: Setup, way: Way, times: dict[str, HandedInAt]
) -> tuple[Result, dict[str, float]]:
    """Mark the class, and the seconds that each took.

    Where a manifest says when the attempts that count came, so do `times` then.
    """
    seconds: dict[str, float] = {}
    columns = (
        *(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()),
        *(TextColumn("{task.fields[rate]}"), TimeRemainingColumn()),
    )
    started = time.monotonic()
    # On a terminal a bar; in a log nothing but the lines before and after.
    with Progress(*columns, console=err, disable=not err.is_terminal, transient=True) as bar:
        task = bar.add_task("marking", total=None, rate="")

        def tell(step: SubmissionDone) -> None:
            seconds[step.learner] = step.seconds
            rate = step.done / max(time.monotonic() - started, 1e-3)
            bar.update(task, completed=step.done, total=step.total, rate=f"{rate:.1f}/s")
            if step.failed:
                message = f"{name_of(step.learner)}: not marked: {visible(step.failed)}"
                bar.console.print(Text(message))

        chosen = chosen_of(run, setup, way, tell, times)
        result = grade_class(
            *(run.path, run.folder, setup, way, tell),
            include_absent=run.include_absent,
            begun=partial(mark_unfinished, run.folder),
            chosen=of_groups(run, chosen, times) if run.groups else without_groups(run, chosen),
            is_held=True,
        )
        return result, seconds
