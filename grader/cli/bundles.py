"""The commands for bundles without answers: hand out, answer, collect; knows no work."""

import importlib.util
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from ..curriculum.complaint import Complaint
from ..gradebook.roster import table_of
from ..gradebook.times import moment
from ..report.text import count
from ..service.ledger import Ledger, written
from .collecting import collect_into
from .console import flag, is_this_machine, say, stop

commands = typer.Typer()


@commands.command()
def release(
    folder: Annotated[Path, typer.Argument(metavar="OUT", help="A new folder for the bundle.")],
    chapters: Annotated[str, typer.Option(help="00-05, or 00-02,05; all of them if not given.")] = (
        ""
    ),
    reveal: Annotated[str, typer.Option(help="Chapters whose solutions are shown.")] = "",
    checker: Annotated[str, typer.Option(help="Where `grader serve` answers.")] = "",
    hub: Annotated[
        bool, flag("hub", "The checker is a service of the learners' JupyterHub.")
    ] = False,
) -> None:
    """Write what learners get: notebooks and their tools, without any answer."""
    from ..curriculum.syllabus import syllabus
    from .release.write import Release, write_bundle

    if hub and not checker:
        raise Complaint("--hub needs --checker, such as https://hub.example.org/services/checker")
    shown = syllabus().chapters_named(chapters) if chapters else syllabus().chapters
    revealed = syllabus().chapters_named(reveal) if reveal else ()
    if checker:
        parts = urlsplit(checker)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise Complaint(f"{checker!r} is no address; write https://checker.example.org")
        if parts.scheme == "http" and not is_this_machine(parts.hostname):
            say("Tokens and code travel to this checker in the clear: put TLS in front of it.")
    write_bundle(folder, Release(shown, revealed, checker.rstrip("/"), hub))
    message = f"The bundle lies in {folder}: chapters {', '.join(name[:2] for name in shown)}"
    message += f"; solutions of {', '.join(name[:2] for name in revealed)}" if revealed else ""
    checked_by = "It has no checker: `check` looks at what needs no answer."
    if checker:
        checked_by = f"Checks are answered by {checker}."
    say(f"{message}. {checked_by}")


@commands.command()
def autograder(
    path: Annotated[Path, typer.Argument(metavar="OUT.zip", help="A new file.")],
    chapters: Annotated[str, typer.Option(help="These alone count, such as 00-05.")] = "",
    trust_submissions: Annotated[
        bool, flag("trust-submissions", "Run them without isolation.")
    ] = False,
) -> None:
    """Write the zip of a Gradescope autograder, which marks each submission there."""
    from ..curriculum.syllabus import syllabus
    from .release.autograder_zip import write_autograder

    options = ["--chapters", chapters] if chapters else []
    if chapters:
        syllabus().chapters_named(chapters)
    write_autograder(path, options + ["--trust-submissions"] * trust_submissions)
    say(f"{path}: upload it as the assignment's autograder.")


@commands.command()
def serve(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where all that it keeps lies.")],
    roster: Annotated[Path | None, typer.Option(help="Who takes part; prints their tokens.")] = (
        None
    ),
    jobs: Annotated[int, typer.Option(min=1, help="Processes that mark.")] = 1,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8321,
    checks_a_minute: Annotated[float, typer.Option(min=1, help="Of one learner.")] = 30.0,
    marks: Annotated[Path | None, typer.Option(help="Instructors see its report.")] = None,
    cluster: Annotated[str, typer.Option(help="Address of a Dask scheduler.")] = "",
    hub: Annotated[bool, flag("hub", "As a service of JupyterHub.")] = False,
    chapters: Annotated[str, typer.Option(help="These alone are checked, such as 00-05.")] = "",
) -> None:
    """Answer the checks of learners who have a bundle, and take what they hand in."""
    if not all(map(importlib.util.find_spec, ("starlette", "uvicorn"))):
        stop("this needs a web server: pip install starlette uvicorn")
    from ..curriculum.syllabus import syllabus
    from .serve import serve as answer

    named = syllabus().chapters_named(chapters) if chapters else ()
    answer(folder, roster, jobs, (host, port), checks_a_minute, marks, cluster, hub, named)


@commands.command()
def token(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of `grader serve`.")],
    name: Annotated[str, typer.Argument(help="Whose.")],
    instructor: Annotated[bool, flag("instructor", "Who sees the report and steps in.")] = False,
    revoke: Annotated[bool, flag("revoke", "Give none.")] = False,
) -> None:
    """Give a learner or an instructor another token; the old one holds no longer."""
    if not 0 < len(name.strip()) <= 80:
        stop("a name has 1 to 80 characters")
    with Ledger(folder) as store:
        name = name.strip() if instructor else name
        given = (store.renew_instructor if instructor else store.renew)(name, revoke)
    say(f"{name}: {given or 'the token holds no longer.'}")


@commands.command()
def collect(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of `grader serve`.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="For `grader grade`.")],
    until: Annotated[str, typer.Option(help="Hand-ins up to 2026-01-31T12:00:00Z.")] = "",
    every: Annotated[bool, flag("every", "Each one, for --attempts.")] = False,
) -> None:
    """Write each learner's last hand-in into a folder that `grader grade` marks."""
    last = written(moment(until)) if until else "9999"
    with Ledger(folder) as store:
        number = collect_into(target, store, last, every)
    hand_ins, tries = count(number, "hand-in"), table_of(target, "tries")
    say(f"{hand_ins} in {target}; every check that was asked for in {tries}.")
