"""Lists the commands by who needs them, each with its whole sentence; knows not what they do."""

from typing import Any

from typer.core import TyperGroup

from ..curriculum.complaint import Complaint
from .console import stop

_GROUPS = {
    "Learners": ("start", "check", "hint", "watch", "progress"),
    "Where something is wrong": ("reset", "doctor"),
    "Authors": ("solve", "misconceptions"),
}
_OTHERS = "Instructors"


class HelpGroups(TyperGroup):
    """The `grader` command, which lists its commands in groups."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was given; what it complains of is said, and ends it."""
        try:
            return super().invoke(ctx)
        except Complaint as error:
            stop(str(error))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the groups; a command that is in none is an instructor's."""
        named = {name for names in _GROUPS.values() for name in names}
        learners, *rest = _GROUPS.items()
        others = (_OTHERS, tuple(name for name in self.list_commands(ctx) if name not in named))
        for title, names in (learners, others, *rest):
            found = [(name, self.get_command(ctx, name)) for name in names]
            rows = [
                (name, " ".join((command.help or "").split()))
                for name, command in found
                if command is not None and not command.hidden
            ]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)
