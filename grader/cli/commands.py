"""Which commands there are, for whom, and where each is; imports one when it is asked for."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_group

from ..curriculum.complaint import Complaint
from .console import stop

_GROUPS = {  # each command with the module that has it
    "Learners": dict.fromkeys(("start", "check", "hint", "watch", "progress"), "by_learners"),
    "Instructors": {
        **{"grade": "grading", "export": "exporting", "due": "deadlines"},
        **{"similar": "similar", "diff": "diff", "arrange": "arrange"},
        **dict.fromkeys(("release", "autograder", "serve", "token", "collect"), "bundles"),
        **dict.fromkeys(("override", "comment", "requests", "ask", "answer"), "by_hand"),
    },
    "Where something is wrong": {"reset": "by_learners", "doctor": "doctor"},
    "Authors": dict.fromkeys(("solve", "misconceptions"), "by_authors"),
}
_PLACES = {name: place for group in _GROUPS.values() for name, place in group.items()}


@cache
def _in_module(place: str) -> Mapping[str, Any]:
    """The commands of one module by their names."""
    own = typer.Typer(rich_markup_mode=None)
    own.add_typer(import_module(f".{place}", __package__).commands)
    return get_group(own).commands


class _Commands(Mapping[str, Any]):
    """The commands by their names."""

    def __getitem__(self, name: str) -> Any:
        return _in_module(_PLACES[name])[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_PLACES)

    def __len__(self) -> int:
        return len(_PLACES)


class GraderCommand(TyperGroup):
    """The `grader` command, which lists its commands in groups, each with its whole sentence."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands = _Commands()  # type: ignore[assignment]  # none is ever added

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was given; what it complains of is said, and ends it."""
        try:
            return super().invoke(ctx)
        except Complaint as error:
            stop(str(error))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the groups."""
        for title, names in _GROUPS.items():
            helps = [(name, self.commands[name].help or "") for name in names]
            with formatter.section(title):
                formatter.write_dl([(name, " ".join(text.split())) for name, text in helps])
