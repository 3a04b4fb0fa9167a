"""Counts what became of an exercise's mutants and puts it into words; marks none itself."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from grader.notebook.in_process import checks

from .mutant_marks import marked

HEAD = "| exercise | mutants | caught | no difference found | survived | named | named wrongly "
HEAD += "| named or located rightly | as the next line | raised elsewhere | located wrongly |"


@dataclass
class MutantCount:
    """The mutants of one exercise, or of all."""

    made: int = 0
    caught: int = 0
    equivalent: int = 0
    named: int = 0
    found: int = 0  # named, or located at what was changed
    beside: int = 0  # the changed line is the next one to look at
    elsewhere: int = 0  # an exception is told, at another line
    mislocated: list[str] = field(default_factory=list)
    survived: list[str] = field(default_factory=list)
    misnamed: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    alone: Counter[str] = field(default_factory=Counter)  # caught by this check and no other
    alike: list[str] = field(default_factory=list)  # they pass, and no difference was found
    idle: list[str] = field(default_factory=list)  # checks that catch no mutant alone
    unsaid: list[str] = field(default_factory=list)  # caught, and no name and no line is told
    endless: list[str] = field(default_factory=list)  # caught by the time limit, or by a crash

    def row(self, title: str) -> str:
        """A line of the table."""
        cells = (self.made, self.caught, self.equivalent, len(self.survived), self.named)
        lines = self.found, self.beside, self.elsewhere, len(self.mislocated)
        return f"| {title} | " + " | ".join(map(str, (*cells, len(self.misnamed), *lines))) + " |"

    def add(self, other: MutantCount) -> None:
        """Count another exercise's as well."""
        self.made += other.made
        self.caught += other.caught
        self.equivalent += other.equivalent
        self.named += other.named
        self.found += other.found
        self.beside += other.beside
        self.elsewhere += other.elsewhere
        self.mislocated += other.mislocated
        self.survived += other.survived
        self.misnamed += other.misnamed
        self.names += other.names
        self.alike += other.alike
        self.idle += other.idle
        self.endless += other.endless
        self.unsaid += other.unsaid


def count_mutants(exercise: str) -> MutantCount:
    """Make and mark every mutant of one exercise."""
    count = MutantCount()
    for mutant, mark in marked(exercise):
        named = f"{exercise}, line {mutant.line}: {mutant.name}"
        count.made += 1
        count.caught += mark.caught
        count.equivalent += not mark.caught and not mark.survived
        count.named += bool(mark.names)
        rightly = mark.located == "rightly"
        count.found += (bool(mark.names) and not mark.misnamed) or rightly
        count.beside += not mark.names and mark.located == "beside"
        count.elsewhere += not mark.names and mark.located == "raised elsewhere"
        if not mark.names and mark.located == "wrongly":
            count.mislocated.append(f"located wrongly ({mark.line}): {named}")
        elif mark.caught and not mark.names and not mark.located:
            count.unsaid.append(f"neither named nor located: {named}")
        count.alone.update(mark.failed if len(mark.failed) == 1 else ())
        if mark.verdict in ("timeout", "crashed"):
            count.endless.append(f"{mark.verdict}: {named}")
        if mark.survived:
            count.survived.append(f"survived: {named}: {mark.survived}")
        elif not mark.caught:
            count.alike.append(f"no difference found: {named}")
        if mark.misnamed:
            given = ", ".join(mark.names)
            count.misnamed.append(f"named wrongly ({given}): {named}: {mark.misnamed}")
        elif mark.names:
            count.names.append(f"named {', '.join(mark.names)}: {named}")
    idle = [title for title in checks().titles(exercise) if not count.alone[title]]
    count.idle = [f"{exercise}: catches no mutant alone: {title}" for title in idle]
    return count
