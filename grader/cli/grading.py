"""Runs `grader grade` for a person: its seed, progress, summary, report; marks nothing."""

import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from ..cohort import Result, SubmissionDone, Way, fresh_seed, grade_class, setup_for, way_of
from ..cohort.attempts import adopt, attempts_of, best, last, latest, only, refuse_half_put
from ..cohort.lock import held
from ..cohort.messages import NoIsolation, Setup
from ..cohort.pool import JobsFail
from ..curriculum.complaint import Complaint
from ..gradebook.groups import GroupsError, read_groups, shared
from ..gradebook.roster import beside, read_beside, write_rows
from ..gradebook.store import Gradebook, GradebookError
from ..gradebook.times import HandedInAt, moment, read_times
from ..gradebook.tries import read_tries
from ..report.class_report import mark_unfinished, write_report
from ..report.looks import unread
from ..report.standing import absent, alike, incomplete, listed, waiting, when_known
from ..report.statistics import ClassCount
from ..report.terminal import show_class
from ..report.text import count, name_of, visible
from ..submission import Found, find_submissions, text_of
from ..wall.limits import Limits
from .console import INTERRUPTED, USAGE, err, flag, out, say, stop
from .strangers import refuse_strangers

COMPLETE = 0
commands = typer.Typer()


@dataclass(frozen=True)
class Run:
    """The options of one run."""

    path: Path
    folder: Path
    jobs: int | None = None  # as many as the machine has cores for
    seed: int | None = None  # the gradebook's own
    limits: dict[str, float] | None = None
    trust: bool = False
    cluster: str = ""
    include_absent: bool = False
    groups: Path | None = None  # who handed in together
    attempts: str = ""  # which one of a learner's counts: last or best
    way: Way | None = None  # instead of jobs of this machine


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
    # Who calls this in a process that marks already gives its way as the context's object.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    limits: dict[str, float] = {"wall_seconds": timeout, "memory_mb": memory}
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
        attempts=attempts,
        way=context.obj,
    )
    raise typer.Exit(run_class(run))


def run_class(run: Run) -> int:
    """Grade a class, write its report, tell both; the exit status."""
    if run.path.is_dir() and run.folder.resolve().is_relative_to(run.path.resolve()):
        where = run.path.resolve().with_name("marks")
        say(f"grader: --out lies within the class, where it may be a learner's; try {where}", err)
        return USAGE
    started = time.monotonic()
    try:
        refuse_half_put(run.path)
        way = run.way or way_of(run.jobs, run.cluster)
        times = read_beside(run.path, "times", read_times) or {}
        tries = read_beside(run.path, "tries", read_tries)
        setup = setup_for(_seed(run), run.limits or {}, run.trust)
        with held(run.folder):  # until all is written: a run that is refused changes nothing
            refuse_strangers(run.path, run.folder, run.attempts, run.groups, run.include_absent)
            result = _marked(run, setup, way, times)
            if run.path.is_dir():
                with Gradebook.create(run.folder) as book:
                    book.set_times(times, beside=run.include_absent)
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
    _summary(run, result, counted, time.monotonic() - started)
    return COMPLETE


def _seed(run: Run) -> int:
    """The seed that is asked for, else the gradebook's own, which is drawn once."""
    with Gradebook.create(run.folder) as book:
        known = book.fact("seed")
    if run.seed is None:
        return int(known) if known else fresh_seed()
    if known and known != str(run.seed):
        say(f"The seed was {known} and is {run.seed} now: all that this run finds is marked again.")
    return run.seed


def _marked(run: Run, setup: Setup, way: Way, times: dict[str, HandedInAt]) -> Result:
    """Mark the class; where a manifest says when the attempts that count came, so do `times`."""
    columns = (
        *(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()),
        *(TextColumn("{task.fields[rate]}"), TimeRemainingColumn()),
    )
    started = time.monotonic()
    # On a terminal a bar; in a log nothing but the lines before and after.
    with Progress(*columns, console=err, disable=not err.is_terminal, transient=True) as bar:
        task = bar.add_task("marking", total=None, rate="")

        def tell(step: SubmissionDone) -> None:
            rate = step.done / max(time.monotonic() - started, 1e-3)
            bar.update(task, completed=step.done, total=step.total, rate=f"{rate:.1f}/s")
            if step.failed:
                message = f"{name_of(step.learner)}: not marked: {visible(step.failed)}"
                bar.console.print(Text(message))

        chosen = _chosen(run, setup, way, tell, times)
        return grade_class(
            *(run.path, run.folder, setup, way, tell),
            include_absent=run.include_absent,
            begun=partial(mark_unfinished, run.folder),
            chosen=_of_groups(run, chosen, times) if run.groups else chosen,
            is_held=True,
        )


def _of_groups(run: Run, chosen: list[Found] | None, times: dict[str, HandedInAt]) -> list[Found]:
    """Each member of a group with the group's work, and its time; raises GroupsError."""
    groups = read_groups(run.groups) if run.groups else {}
    works = {each.learner: each for each in chosen or find_submissions(run.path)}
    by_group = [name for name, members in groups.items() if name in works and name not in members]
    if by_group and chosen is not None:
        raise GroupsError(
            f"{by_group[0]} is a group in {run.groups} and somebody who handed in, as the manifest "
            "says: call the group otherwise"
        )
    if by_group:
        say(f"Taken for the work of a group of that name, and of no learner: {listed(by_group)}.")
    whose, without = shared({name: name for name in works}, groups)
    unclear = []
    for group, members in groups.items():
        known = {
            each: times.pop(each) for each in dict.fromkeys((group, *members)) if each in times
        }
        work = whose.get(members[0], group)
        counts = known.get(work, known.get(group))  # of what counts, whoever else has a line
        if counts is None and len(set(known.values())) == 1:
            counts = next(iter(known.values()))
        if counts is not None:
            times |= dict.fromkeys(members, counts)
        elif known:
            unclear.append(group)
    if unclear:
        differ = "Members of a group have different times, so none holds; give the group a line of"
        say(f"{differ} its own: {listed(unclear)}.", err)
    if without:
        say(f"Nobody of these groups has handed in: {listed(without)}.", err)
    with Gradebook.create(run.folder) as book:
        book.set_groups(groups)
    return [Found(works[work].path, learner) for learner, work in sorted(whose.items())]


def _chosen(
    run: Run,
    setup: Setup,
    way: Way,
    tell: Callable[[SubmissionDone], None],
    times: dict[str, HandedInAt],
) -> list[Found] | None:
    """The attempt of each learner that counts; the best is known when the latest are marked.

    They have a gradebook of their own beside the class's. A table says which one counts.
    None where no manifest says whose each file is: its name does.
    """
    if not run.attempts and not (run.path.is_dir() and beside(run.path, "manifest").exists()):
        return None
    every = attempts_of(run.path, find_submissions(run.path))
    if not run.attempts:
        chosen = only(every)
    elif run.attempts == "last":
        chosen = last(every)
    else:
        tried = run.folder / "attempts"
        tries = latest(every)
        if many := [learner for learner in every if tries[learner] != every[learner]]:
            most = f"the latest {len(tries[many[0]])} attempts are marked"
            say(f"Of these learners {most}, and the best of those counts: {listed(many)}.", err)
        each_one = [Found(one.path, one.name) for one in chain.from_iterable(tries.values())]
        with Gradebook.create(run.folder) as book:  # whose marks may be old from here on
            book.begin(text_of(str(run.path.resolve())), (), None)
        begun = partial(mark_unfinished, run.folder)
        grade_class(run.path, tried, setup, way, tell, begun=begun, chosen=each_one)
        chosen = best(tries, tried)
        adopt(chosen, tried, run.folder)
    for each in chosen:
        at = moment(each.time)
        times[each.learner] = HandedInAt(at, str(at.tzinfo), "the manifest")
    if not run.attempts:
        return [Found(each.path, each.learner) for each in chosen]
    run.folder.mkdir(parents=True, exist_ok=True)
    rows = (
        (each.learner, each.time, every[each.learner].index(each) + 1, len(every[each.learner]))
        for each in chosen
    )
    write_rows(run.folder / "attempts.csv", ("learner", "time", "attempt", "of"), rows)
    return [Found(each.path, each.learner) for each in chosen]


def _summary(run: Run, result: Result, counted: ClassCount, seconds: float) -> None:
    show_class(out, counted)
    rate = result.marked / seconds if seconds else 0.0
    marked = f"{count(result.marked, 'submission')} marked in {seconds:.1f} s"
    unchanged = result.submissions - result.marked - len(result.failed)
    say(f"{marked} ({rate:.1f} a second); {unchanged:,} had been marked already.")
    with Gradebook.open(run.folder) as book:
        unisolated, standing = book.unisolated(), book.standing()
        times, learners = book.times(), [*book.learners()]
    others = counted.submissions - result.submissions
    if others:
        say(f"{count(others, 'other submission')} in the gradebook: left as before.")
    if result.elsewhere:
        said = "These names are in another folder too, and the work in this one counts now; of two"
        say(f"{said} people, call one otherwise: {listed(result.elsewhere)}.", err)
    if times:
        say(when_known(learners, times))
        everybody = {*learners, *standing.absent}
        if strangers := [name for name in times if name not in everybody]:
            say(f"The times name nobody of the class: {listed(strangers)}.", err)
    for remark in (*unread(standing), *absent(standing), *waiting(standing), *alike(standing)):
        say(remark)
    if standing.unfinished:
        say(f"Still incomplete. {incomplete(standing)[0]}", err)
    if unisolated:
        affected = count(unisolated, "submission")
        trusted = "WITHOUT ISOLATION (--trust-submissions): they could do anything."
        say(f"{affected} marked {trusted}")
    if result.failed:
        message = "The grader itself failed on these; the same command tries them again: "
        say(message + listed(result.failed), err)
    say(f"Report: {run.folder / 'report' / 'index.html'}")
