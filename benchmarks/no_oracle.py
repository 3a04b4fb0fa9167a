"""Asks a checker without knowing anything, learns from what it tells, and counts the points.

    python -m benchmarks.no_oracle --checks 50 [EXERCISE ...]

For each exercise, up to so many checks are asked for by strategies that know how it is called and
no more: constants, tables of quoted answers under hashes of their inputs, bits of how candidates
behave. What each of them has learned is handed in and marked with another seed.
"""

from __future__ import annotations

import argparse
import ast
import csv
import http.client
import io
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks.checker import Checker, checker
from grader.curriculum.syllabus import Exercise, syllabus

_CANDIDATE = Path(__file__).with_name("no_oracle_candidate.py").read_text(encoding="utf-8")
_CONSTANTS = (
    *("None", "True", "False", "0", "1", "''", "[]", "{}", "[given[0]]", "given[0]", "given[-1]"),
    *("torch.zeros_like(given[0])", "torch.ones_like(given[0])", "given[0] == given[0]"),
    *("torch.tensor(0.0)", "torch.ones(())", "given[0] != 0", "(given[0], given[0])"),
)
_MODES = ("text", "entry", "error", "shape", "number", "name", "printed")
_BITS = 24
_KEY = re.compile(r"(?<![\d.])([1-9]\d{5})(?![\d.])")
_SHAPE = re.compile(r"not (\[[^\[\]]*\])|(\[[^\[\]]*\]) was expected")
_RUN = "def _run(text):\n    names = {}\n    exec(text, names)\n    return names\n\n\n"
_DTYPE = re.compile(r"\b(bool|int64) was expected")

Table = dict[int, tuple[str, Any]]
Ask = Callable[[str], dict[str, Any]]  # code → mark


class Spent(Exception):
    """No check is left for this exercise."""


def asking(served: Checker, exercise: str, checks: int) -> Ask:
    """Asks for the mark of some code, so many times."""
    left = iter(range(checks))

    def ask(code: str) -> dict[str, Any]:
        if next(left, None) is None:
            raise Spent
        cell = {"source": code, "label": "a", "notebook": "a.ipynb", "index": 0}
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=300)
        token = {"Authorization": f"Bearer {served.tokens[0]}"}
        connection.request(
            "POST", "/check", json.dumps({"exercise": exercise, "cells": [cell]}), token
        )
        answer: dict[str, Any] = json.loads(connection.getresponse().read())
        connection.close()
        return answer.get("mark", {"points": 0.0, "checks": []})

    return ask


def code_of(exercise: Exercise, answer: str, table: Table | None = None, mode: str = "") -> str:
    """A submission: a function or class of this name, which gives this answer."""
    # As a text, or the checker would look for long how to mend it.
    own = f"{_CANDIDATE}\n\nTABLE = {table or {}!r}\nMODE = {mode!r}\n"
    head = f"import torch\nfrom torch import nn\n\n{_RUN}_own = _run({own!r})\n\n\n"
    if exercise.kind == "function":
        return f"{head}def {exercise.name}(*given, **named):\n    return {answer}\n"
    body = (
        f"    def forward(self, *given, **named):\n        return {answer}\n    update = forward\n"
    )
    return f"{head}class {exercise.name}(_own['Answers']):\n{body}"


def constant(exercise: Exercise, ask: Ask) -> str:
    """The constant, or what is as simple, that gets most."""
    points: Counter[str] = Counter()
    with suppress(Spent):
        for answer in _CONSTANTS:
            points[answer] = ask(code_of(exercise, answer))["points"]
    best = max(points, key=lambda answer: points[answer])
    return code_of(exercise, best)


def table(exercise: Exercise, ask: Ask) -> str:
    """Answers that were told, under the hashes that were shown beside them."""
    known: Table = {}
    shown: dict[str, int] = {}
    made_with = "" if exercise.kind == "function" else "self.given, "
    answer = f"_own['answer'](({made_with}*given, *named.values()))"
    modes, fruitless = list(_MODES), 0
    best, most = code_of(exercise, answer), 0.0
    with suppress(Spent):
        while modes and fruitless < 2 * len(modes):
            mode = modes.pop(0)
            code = code_of(exercise, answer, known, mode)
            mark = ask(code)
            if mark["points"] >= most:
                best, most = code, mark["points"]
            before = repr(known)
            for entry in mark["checks"]:
                learn(known, entry, shown)
            is_news = repr(known) != before
            fruitless = 0 if is_news else fruitless + 1
            modes = [mode, *modes] if is_news else [*modes, mode]  # what helps is tried again
    return best


def learn(known: Table, entry: dict[str, Any], shown: dict[str, int]) -> None:
    """Keep what one check told of the call whose hash it shows, or `shown` last by its title."""
    drawn, differences = entry.get("picture") or {}, entry.get("differences", ())
    got = [each["got"] for each in differences]
    found = _KEY.findall(json.dumps([got, drawn.get("got"), entry["message"]]))
    if found:
        shown[entry["title"]] = int(found[0])
    if (key := shown.get(entry["title"], 0)) == 0:
        return
    for each in differences:
        if not each["index"]:
            with suppress(ValueError, SyntaxError):
                known[key] = "literal", ast.literal_eval(each["expected"])
                return
    kind, parts = known.get(key, ("", (None, {})))
    if kind == "literal":
        return
    shape, entries = parts
    told = entry["message"]
    for sizes in _SHAPE.findall(re.sub(r" \([^()]*\)", "", told)):  # [4 (seq)] is [4]
        with suppress(ValueError, SyntaxError):
            shape = ast.literal_eval("".join(sizes))
    kind = next(iter(_DTYPE.findall(told)), kind)
    known[key] = kind, (shape, {**entries, **dict(_numbers(differences, drawn))})


def _numbers(differences: Any, drawn: Any) -> Iterator[tuple[tuple[int, ...], float]]:
    """Every entry of which a mark tells what was expected."""
    for each in differences:
        with suppress(ValueError, SyntaxError):
            yield tuple(ast.literal_eval(each["index"])), _number(each["expected"])
    if drawn:
        outer = tuple(int(each) for each in re.findall(r"index (\d+)", drawn["part"]))
        top, left = drawn["starts"]
        for row, numbers in enumerate(drawn["expected"]):
            for column, number in enumerate(numbers):
                with suppress(ValueError):
                    yield (*outer, top + row, left + column), _number(number)


def _number(text: str) -> float:
    return float({"True": "1", "False": "0"}.get(text, text))


def bits(exercise: Exercise, ask: Ask) -> str:
    """What each check's implementation does, a bit at a time: it passes where one bit is 0."""
    outcomes: dict[str, str] = {}
    with suppress(Spent):
        for place in range(_BITS):
            mark = ask(code_of(exercise, f"_own['bits'](given[0])[{place}] == '1'"))
            for number, entry in enumerate(mark["checks"]):
                key = f"{number} {entry['title']}"
                outcomes[key] = outcomes.get(key, "") + "10"[entry["outcome"] == "passed"]
    bad = {text for text in outcomes.values() if len(text) == _BITS}
    best, most = bad, -1.0
    with suppress(Spent):
        for spared in ("", *sorted(bad)):  # one of them may be how a right one behaves, too
            tried = best - {spared}
            mark = ask(code_of(exercise, f"_own['bits'](given[0]) not in {sorted(tried)}"))
            passed = sum(each["weight"] * (each["outcome"] == "passed") for each in mark["checks"])
            if mark["points"] * 1000 + passed > most:
                best, most = tried, mark["points"] * 1000 + passed
    return code_of(exercise, f"_own['bits'](given[0]) not in {sorted(best)}")


def strategies(exercise: Exercise) -> dict[str, Callable[[Exercise, Ask], str]]:
    """Those that fit how it is called."""
    is_spot = exercise.name.startswith("spot_")
    return {"constant": constant, "table": table, **({"bits": bits} if is_spot else {})}


def marked(handed_in: Path, seed: int) -> dict[str, dict[str, str]]:
    """The rows of a run with this seed, by learner."""
    marks = handed_in.with_name("marks")
    grader = [sys.executable, "-m", "grader"]
    options = ["--out", str(marks), "--seed", str(seed)]
    subprocess.run([*grader, "grade", str(handed_in), *options], check=True, capture_output=True)
    exported = subprocess.run(
        [*grader, "export", "csv", str(marks)], check=True, capture_output=True, text=True
    )
    return {row["learner"]: row for row in csv.DictReader(io.StringIO(exported.stdout))}


def measure(folder: Path, exercises: list[Exercise], checks: int, seed: int) -> float:
    """Print what was gained by exercise, and return the sum of the best."""
    handed_in = folder / "handed_in"
    handed_in.mkdir()
    with checker(folder, 1, 1, 60_000) as served:
        for exercise in exercises:
            for name, strategy in strategies(exercise).items():
                print(f"{exercise.name}: {name} …", file=sys.stderr)
                code = strategy(exercise, asking(served, exercise.name, checks))
                path = handed_in / f"{exercise.name}-{name}.py"
                path.write_text(code, encoding="utf-8")
    rows, total = marked(handed_in, seed), 0.0
    for exercise in exercises:
        gained = {
            name: float(rows[f"{exercise.name}-{name}"][exercise.name] or 0)
            for name in strategies(exercise)
        }
        total += max(gained.values())
        said = ", ".join(f"{name} {points:g}" for name, points in gained.items())
        print(f"{exercise.name:38} {max(gained.values()):g} of {exercise.points}: {said}")
    print(f"gained from nothing: {total:g} of {sum(each.points for each in exercises)} points")
    return total


def main() -> None:
    """Ask, hand in, count; it ends with 1 where anything was gained."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("exercises", nargs="*", metavar="EXERCISE")
    parser.add_argument("--checks", type=int, default=50, help="for each strategy")
    parser.add_argument("--seed", type=int, default=4242, help="of the final run")
    given = parser.parse_args()
    wanted = [syllabus()[name] for name in given.exercises] or list(syllabus().exercises)
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(measure(Path(folder), wanted, given.checks, given.seed) > 0)


if __name__ == "__main__":
    main()
