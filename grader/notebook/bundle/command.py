"""The `grader` command of a released bundle: check, submit, receipts, login; marks nothing."""

import argparse
import getpass
import sys
from functools import partial
from pathlib import Path
from typing import NoReturn

from ...curriculum.syllabus import syllabus
from ..cards import Card, Notice
from ..own_code import saved_cells_for
from ..own_files import saved_file
from ..progress_file import remember
from . import checker_client, settings
from .handing_in import hand_in, look_again, receipts

_NOT_DONE = 2


def main() -> None:
    """Run the command; ends with status 2 where something could not be done."""
    parser = argparse.ArgumentParser(prog="grader", description="Checks and hands in your work.")
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="have the checker check what is saved")
    check.add_argument("notebook", nargs="?", type=Path, help="else all in this folder")
    check.add_argument("--exercise", choices=syllabus().names, help="this one alone")
    submit = commands.add_parser(
        "submit", help="hand in these notebooks, or all in this folder; gives a receipt"
    )
    submit.add_argument("notebooks", nargs="*", type=Path)
    commands.add_parser("receipts", help="what you have handed in")
    ask = commands.add_parser("look-again", help="ask a person to look at an answer again")
    ask.add_argument("exercise", choices=syllabus().names)
    ask.add_argument("why")
    login = commands.add_parser("login", help="keep the token that your instructor gave you")
    login.add_argument("token", nargs="?", help="asked for where it is not given")
    given = parser.parse_args()
    if given.command == "check":
        _check(given.notebook or _own_notebooks(), given.exercise)
    elif given.command == "submit":
        _show(hand_in(given.notebooks, Path() if given.notebooks else _own_notebooks()))
    elif given.command == "look-again":
        _show(look_again(given.exercise, given.why))
    elif given.command == "receipts":
        _show(receipts())
    else:
        _login((given.token or getpass.getpass("Token: ")).strip())


def _show(notice: Notice) -> None:
    """Print it; one that does not say what was handed in or asked says why not."""
    print(notice)
    sys.exit(0 if notice.title.startswith(("Handed in", "Asked")) else _NOT_DONE)


def _stop(why: str) -> NoReturn:
    print(f"grader: {why}", file=sys.stderr)
    sys.exit(_NOT_DONE)


def _login(token: str) -> None:
    """Try a token, and keep one that holds."""
    if not settings.checker():
        _stop("This bundle names no checker: no token is needed.")
    try:
        name = checker_client.ask("/mine", token=token)["learner"]
    except checker_client.CheckerError as error:
        _stop(f"{error} The token was not kept.")
    print(f"The checker knows you as {name}; the token is kept in {settings.keep_token(token)}.")


def _own_notebooks() -> Path:
    """The folder of notebooks in which, or above which, somebody stands."""
    for folder in (Path(), Path("notebooks")):
        if any(folder.glob("*.ipynb")):
            return folder
    _stop("there are no notebooks here: name one, or go to their folder")


def _check(notebook: Path, exercise: str | None) -> None:
    if not notebook.exists():
        _stop(f"there is no {notebook}")
    submission = saved_file(notebook)
    for problem in submission.problems:
        print(f"Not read: {problem}")
    names = [exercise] if exercise else syllabus().names
    cuts = {name: submission.slice(name) for name in names}
    begun = [name for name, cut in cuts.items() if cut is not None and not cut.is_stub]
    if not begun:
        _stop(
            f"{notebook} holds no {exercise or 'exercise'} that is begun: write and save it first"
        )
    for name in begun:
        cells = saved_cells_for(name, submission)
        try:
            mark = checker_client.patiently(partial(checker_client.mark_of, name, cells))
            print(Card(mark))
            remember(notebook if notebook.is_dir() else notebook.parent, mark)
        except checker_client.CheckerError as error:
            _stop(str(error))
