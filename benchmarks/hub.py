"""A class in a real JupyterHub, set up as docs/checker.md says: two learners solve 03 to 05.

    python -m benchmarks.hub [--kept]

Makes `build/hub` by the page's own lines, which takes some minutes, and prints what came of each
step. Ends with an error at the first that is not as promised. `--kept` takes the environment that
an earlier run has made, and makes the bundle alone anew.
"""

import argparse
import ast
import asyncio
import csv
import io
import json
import re
import statistics
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
import psutil

from benchmarks.hub_learner import HubLearner, Kernel
from benchmarks.hub_set_up import PASSWORD, ROOT, WORK, running_hub
from grader.cli.solve import solved_notebook
from grader.curriculum.syllabus import syllabus
from grader.notebook.in_process import check_in_kernel
from tests.corpus import Case, cases

CHAPTERS = ("03", "04", "05")
EXERCISES = [each.name for each in syllabus().exercises if each.chapter[:2] in CHAPTERS]
MISTAKEN = "merged_without_transpose"  # of MultiHeadAttention, which grace has at first
# What a clone has and no learner here.
HIDDEN = ("grader.marking", "grader.diagnosis", "grader.curriculum.references", "solutions.softmax")


@dataclass
class Work:
    """What came of one learner's work."""

    cards: dict[str, str] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    diagnosis: str = ""
    receipt: str = ""
    receipts: str = ""
    token: str = ""  # of the server


def code_cells(notebook: dict[str, Any]) -> list[str]:
    """The sources of its code cells."""
    return ["".join(each["source"]) for each in notebook["cells"] if each["cell_type"] == "code"]


def checked_in(source: str) -> str:
    """The exercise that a cell checks, if it does nothing else."""
    found = re.fullmatch(r"check\((\w+)\)\s*", source)
    return found[1] if found else ""


def defined_in(source: str) -> set[str]:
    """The names of functions and classes that a cell defines."""
    with suppress(SyntaxError):  # a magic
        return {getattr(node, "name", "") for node in ast.parse(source).body}
    return set()


async def work_of(learner: HubLearner, mistake: Case | None) -> Work:
    """Solve, save and run the chapters cell by cell, and hand in."""
    work = Work()
    for chapter in (name for name in syllabus().chapters if name[:2] in CHAPTERS):
        path = f"notebooks/{chapter}.ipynb"
        solved = solved_notebook(await learner.read(path))
        own = {"cell_type": "markdown", "metadata": {}, "source": f"By {learner.name}."}
        solved["cells"].append({**own, "id": learner.name})
        await learner.save(path, solved)
        async with learner.kernel(path) as kernel:
            for source in code_cells(solved):
                if mistake is not None and mistake.exercise in defined_in(source):
                    await kernel.run(mistake.source)
                    work.diagnosis = await kernel.run(f"check({mistake.exercise})")
                began = time.perf_counter()
                shown = await kernel.run(source)
                if name := checked_in(source):
                    work.cards[name] = shown
                    work.seconds.append(time.perf_counter() - began)
            if chapter[:2] == CHAPTERS[-1]:
                await _hand_in(kernel, work)
    return work


async def _hand_in(kernel: Kernel, work: Work) -> None:
    said = await kernel.run("from grader import submit\nsubmit()")
    found = re.search(r"Receipt: (\w{64})", said)
    assert found, said
    work.receipt = found[1]
    run = (
        "import subprocess, sys\nprint(subprocess.run([sys.executable, '-m', 'grader', 'receipts']"
    )
    work.receipts = await kernel.run(f"{run}, capture_output=True, text=True).stdout)")
    work.token = await kernel.run("import os\nprint(os.environ['JUPYTERHUB_API_TOKEN'])")
    work.token = work.token.strip()
    looked = "from importlib.util import find_spec"
    for module in HIDDEN:
        looked += f"\ntry: print(find_spec({module!r}))\nexcept ModuleNotFoundError: print(None)"
    seen = (await kernel.run(looked)).split()
    assert set(seen) == {"None"}, seen


def check_work(ada: Work, grace: Work, mistake: Case) -> None:
    """All has passed; the mistake is told as in the clone; receipts are one's own."""
    for name, work in (("ada", ada), ("grace", grace)):
        passed = [each for each in EXERCISES if f"{each}: passed" in work.cards[each]]
        assert passed == EXERCISES, work.cards
        print(f"{name}: {len(passed)} exercises of chapters 03 to 05 passed in kernels of the hub")
    names: dict[str, Any] = {}
    exec(mistake.source, names)
    expected = check_in_kernel(mistake.exercise, names[mistake.exercise]).mark
    assert expected.diagnosis and all(d.explanation in grace.diagnosis for d in expected.diagnosis)
    print(f"grace's first {mistake.exercise} got the clone's diagnosis: {expected.diagnosis[0].id}")
    for work, other in ((ada, grace), (grace, ada)):
        assert work.receipt in work.receipts and other.receipt not in work.receipts, work.receipts
    print("each sees their own receipt alone")
    times = [1e3 * each for work in (ada, grace) for each in work.seconds]
    print(
        f"a check in a cell: median {statistics.median(times):.0f} ms, fastest {min(times):.0f} ms,"
        f" of {len(times)}, both at work"
    )


async def strangers(hub: str, ada: HubLearner, grace: HubLearner, ada_token: str) -> None:
    """Who is who, by tokens alone: another's, one without the scope, one that has expired."""

    async def asked(token: str) -> tuple[int, dict[str, Any]]:
        async with httpx.AsyncClient(timeout=60, trust_env=False) as client:
            headers = {"Authorization": f"Bearer {token}"}
            answer = await client.get(f"{hub}/services/checker/mine", headers=headers)
        return answer.status_code, answer.json()

    status, mine = await asked(ada_token)
    assert (status, mine["learner"]) == (200, "ada"), mine
    assert await ada.status_of("/user/grace/api/contents") in (403, 404)
    expired = await grace.request_token(expires_in=1)
    narrow = await grace.request_token(scopes=["read:users:name!user"])
    await asyncio.sleep(1.5)
    for what, token, expected in (
        ("a guessed token", "guessed", 401),
        ("an expired token", expired["token"], 401),
        ("a token without the scope", narrow["token"], 403),
    ):
        status, said = await asked(token)
        assert status == expected, (what, status, said)
        print(f"{what}: {status}, {said['error']}")


async def killed(learner: HubLearner) -> None:
    """What a learner sees while the checker is down, and that the hub starts it again."""
    (checker,) = [
        each
        for each in psutil.process_iter(["cmdline"])
        if each.info["cmdline"]
        and [*map(str, ("serve", WORK / "kept"))] == each.info["cmdline"][2:4]
    ]
    path = "notebooks/04_softmax.ipynb"
    cells = code_cells(await learner.read(path))
    async with learner.kernel(path) as kernel:
        for source in cells[: next(n for n, cell in enumerate(cells) if checked_in(cell))]:
            await kernel.run(source)
        checker.kill()
        print(f"while the checker is down:\n{await kernel.run('check(softmax)')}")
        began = time.monotonic()
        while "softmax: passed" not in (shown := await kernel.run("check(softmax)")):
            assert time.monotonic() < began + 180, shown
            await asyncio.sleep(1)
        print(f"the hub has started it again within {time.monotonic() - began:.0f} s")


def grade(hub: str, ada: Work, grace: Work) -> None:
    """Collect, mark, export; the live report through the hub."""
    grader = str(ROOT / ".venv" / "bin" / "grader")

    def run(*arguments: str) -> str:
        line = [grader, *arguments]
        return subprocess.run(line, cwd=WORK, stdout=subprocess.PIPE, check=True, text=True).stdout

    run("collect", "kept", "handed_in")
    run("grade", "handed_in", "--out", "marks", "--jobs", "2")
    rows = {
        row["learner"]: row for row in csv.DictReader(io.StringIO(run("export", "csv", "marks")))
    }
    assert set(rows) == {"ada", "grace"}
    for row in rows.values():
        assert all(row[f"{name} verdict"] == "passed" for name in EXERCISES), row
    points = {name: sum(float(row[each]) for each in EXERCISES) for name, row in rows.items()}
    print(f"collected, marked and exported: {json.dumps(points)} points")
    token = run("token", "kept", "Dr B", "--instructor").split(": ")[1].strip()
    page = httpx.get(f"{hub}/services/checker/report/", auth=("", token), trust_env=False)
    assert page.status_code == 200 and "ada" in page.text and "grace" in page.text
    refused = httpx.get(f"{hub}/services/checker/report/", auth=("", ada.token), trust_env=False)
    assert refused.status_code == 401 and grace.receipt != ada.receipt
    print("the report opens through the hub for the instructors' token, and for no learner's")


async def play(hub: str) -> tuple[Work, Work]:
    """Two learners at once."""
    (mistake,) = [
        case
        for case in cases()
        if case.exercise == "MultiHeadAttention" and case.path.stem == MISTAKEN
    ]
    learners = (HubLearner(hub, "ada", PASSWORD), HubLearner(hub, "grace", PASSWORD))
    async with learners[0] as ada, learners[1] as grace:
        both = await asyncio.gather(work_of(ada, None), work_of(grace, mistake))
        check_work(*both, mistake)
        await strangers(hub, ada, grace, both[0].token)
        await killed(ada)
    return both


def main() -> None:
    """Play it all."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kept", action="store_true", help="take the environment that is there")
    given = parser.parse_args()
    began = time.monotonic()
    with running_hub(given.kept) as hub:
        ada, grace = asyncio.run(play(hub))
        grade(hub, ada, grace)
    print(f"all as promised, in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
