"""Marks mutants in a child process with a time limit, and asks whether each mark is right."""

from __future__ import annotations

import multiprocessing
import resource
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from grader.candidate.records import Mark

from .mutants import Mutant, mutants

SECONDS = 30  # for one mutant; those that come to an end take less than 10
_MEMORY = 6 << 30  # bytes of one child


@dataclass(frozen=True)
class Marked:
    """What the grader said of one mutant, and what is wrong with that."""

    verdict: str
    names: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()  # titles of the checks that it did not pass
    survived: str = ""  # it passes: where it differs from the reference all the same
    located: str = ""  # rightly | beside | wrongly | raised elsewhere; "" where no line is told
    line: str = ""  # that is told
    number: int = 0  # of that line
    misnamed: str = ""  # where it differs from the mistakes that it was named after

    @property
    def caught(self) -> bool:
        return self.verdict != "passed"


def marked(exercise: str) -> Iterator[tuple[Mutant, Marked]]:
    """Every mutant of an exercise with its mark."""
    yield from mark_each(mutants(exercise))


def mark_each(made: Sequence[Mutant]) -> Iterator[tuple[Mutant, Marked]]:
    """These mutants with their marks."""
    done = 0
    while done < len(made):
        for mark in _run(made[done:]):
            yield made[done], mark
            done += 1


def _run(made: Sequence[Mutant]) -> Iterator[Marked]:
    """Marks until the last or until one does not come to an end."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_child, args=(made, there))
    child.start()
    there.close()
    ready = False
    try:
        while True:
            try:
                if not here.poll(SECONDS if ready else 4 * SECONDS):
                    yield Marked("timeout")
                    return
                answer = here.recv()
            except EOFError:
                if not ready:
                    raise RuntimeError(f"the checks of {made[0].exercise} cannot be run") from None
                yield Marked("crashed")
                return
            if answer is None:
                return
            if ready:
                yield answer
            ready = True
    finally:
        child.kill()
        child.join()
        here.close()


def _child(made: Sequence[Mutant], back: Connection) -> None:
    import warnings

    import torch

    from grader.curriculum.references import reference
    from grader.notebook.in_process import check_in_kernel

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    exercise = made[0].exercise
    check_in_kernel(exercise, reference(exercise))  # collects the checks
    back.send("ready")
    for mutant in made:
        try:
            back.send(mark_one(mutant.exercise, mutant))
        except Exception as error:  # no mutant may make the grader itself fail
            message = f"the grader failed: {type(error).__name__}: {error}"
            back.send(Marked("passed", survived=message))
    back.send(None)


def mark_one(exercise: str, mutant: Mutant) -> Marked:
    """The mark of one mutant, in this process."""
    from grader.notebook.in_process import check_in_kernel

    from .equivalence import difference, name_difference

    try:
        made: Any = mutant.made()
    except Exception:  # it cannot even be defined
        return Marked("error")
    mark = check_in_kernel(exercise, made, mends=True).mark
    names = tuple(diagnosis.id for diagnosis in mark.diagnosis)
    failed = tuple(check.title for check in mark.checks if check.outcome != "passed")
    survived = misnamed = ""
    if mark.verdict == "passed" and not kept(exercise, "free", mutant):
        survived = difference(exercise, made)
    if names and not kept(exercise, "named", mutant):
        misnamed = name_difference(exercise, made, names)
    located, line = _located(mark, mutant)
    number = mark.location.line if mark.location is not None else 0
    return Marked(str(mark.verdict), names, failed, survived, located, line, number, misnamed)


def _located(mark: Mark, mutant: Mutant) -> tuple[str, str]:
    """Whether the line that is told is one that was changed."""
    where = mark.location
    if where is None:
        return "", ""
    line = f"line {where.line}: {where.source}"
    if where.line in mutant.lines:
        return "rightly", line
    if not mutant.lines.isdisjoint(where.sources):  # told as the next line to look at
        return "beside", line
    return ("raised elsewhere" if where.kind == "raised" else "wrongly"), line


def kept(exercise: str, kind: str, mutant: Mutant) -> bool:
    """Whether a person has decided: `free` by contract, or `named` well enough."""
    return any(
        row["exercise"] == exercise
        and mutant.after.startswith(row["after"])
        and mutant.before.startswith(row.get("before", ""))
        for row in _decided().get(kind, ())
    )


@cache
def _decided() -> Any:
    return tomllib.loads(Path(__file__).with_name("mutants.toml").read_text(encoding="utf-8"))
