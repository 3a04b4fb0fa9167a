"""Every attack through the examiner: no point gained, nobody harmed, nothing leaked."""

from __future__ import annotations

import itertools
import json
import os
import re
import select
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.candidate.records import Mark, SubmissionMarks, Verdict, mark_to_json
from grader.curriculum.syllabus import syllabus
from grader.marking.examiner import Examiner
from grader.report.exports.spreadsheet import defused
from grader.report.text import visible
from grader.submission import find_submissions, load_submission
from grader.wall.limits import Limits
from grader.wall.transport import WorkerTransport
from grader.wall.zygote_client import Zygote
from tests.built_attacks import build, honest
from tests.marked_cases import sample
from tests.wall_workers import processes

pytestmark = pytest.mark.isolation

ATTACKS = Path(__file__).parent / "attacks"
LAYERS = {path.parent.name: path for path in sorted(ATTACKS.glob("*/expected.json"))}
# For each: what it tries, the exercise, the verdicts that may come of it, and points where not 0.
EXPECTED = {
    f"{layer}/{name}": row
    for layer, path in LAYERS.items()
    for name, row in json.loads(path.read_text(encoding="utf-8")).items()
}
LIMITS = Limits(wall_seconds=2, total_seconds=4, cpu_seconds=30, memory_mb=512, tmp_mb=16)
LONGEST = 60.0  # seconds for one attack: the machine does other things, a judge is held back
LONGEST_MARK = 100_000  # characters: nobody fills a gradebook
FALLEN = re.compile(r"No module named 'worker|KeyError: 'worker|module 'worker\.\w+' has no attr")
SECRET = "canary-d41d8cd98f"
CHAPTER = ("softmax", "scaled_dot_product_attention")


def test_no_attack_aims_at_what_is_gone() -> None:
    """One that imports a module by an old name falls over it, and attacks nothing."""
    worker = Path(__file__).parents[1] / "grader" / "worker"
    named = {
        (path.name, name)
        for path in [*ATTACKS.rglob("*.py"), *Path(__file__).parent.glob("*attacks.py")]
        for name in re.findall(r"\bworker\.([a-z_]+)\b(?!\()", path.read_text(encoding="utf-8"))
        if path != Path(__file__)
    }
    assert len(named) > 10
    assert not {(file, name) for file, name in named if not (worker / f"{name}.py").exists()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("class")
    build(folder, tmp_path_factory.mktemp("elsewhere"))
    return folder


@pytest.fixture(scope="module")
def examiner() -> Iterator[Examiner]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADER_SECRET", SECRET)  # what learner code must not see
        with Examiner(limits=LIMITS) as made:
            yield made
            outer = made.zygote._source.process.pid
        assert not os.path.exists(f"/proc/{outer}")


def _mark(examiner: Examiner, path: Path, exercise: str) -> Mark:
    (mark,) = examiner.mark(load_submission(path, syllabus().names), [exercise]).marks
    return mark


def test_there_are_attacks_for_every_file_and_files_for_every_attack(built: Path) -> None:
    kept = {f"{layer}/{path.name}" for layer in LAYERS for path in (ATTACKS / layer).iterdir()}
    kept -= {f"{layer}/{name}" for layer in LAYERS for name in ("expected.json", "__pycache__")}
    assert kept == {name for name, row in EXPECTED.items() if "built" not in row}
    twins = {"twin.py", "\u00e9.py"}  # the right ones of two
    made = {path.name for path in built.iterdir()} | {"vanishing.py"}
    assert made - twins == {_file(name) for name, row in EXPECTED.items() if "built" in row}


def _file(name: str) -> str:
    """An attack's name without its layer; it may hold anything but a slash."""
    return name.partition("/")[2]


@pytest.mark.parametrize("name", sample([*EXPECTED], 11))
def test_attack(examiner: Examiner, built: Path, name: str) -> None:
    row = EXPECTED[name]
    path = built / _file(name) if "built" in row else ATTACKS / name
    start = time.monotonic()
    mark = _mark(examiner, path, row["exercise"])
    assert time.monotonic() - start < LONGEST
    assert (mark.verdict in row["verdicts"], mark.points) == (True, row.get("points", 0)), mark
    shown = repr(_without_own_line(mark, path))
    assert "LEAK" not in shown and SECRET not in shown
    assert len(shown) < LONGEST_MARK
    assert not FALLEN.search(shown), "it fell over a name of ours that is gone"
    json.dumps(mark_to_json(mark))
    if _file(name).startswith("lent_"):
        _tells_little(mark)
    assert _settles(examiner)


def _without_own_line(mark: Mark, path: Path) -> Mark:
    """But for the learner's lines, which are told as they stand in the file."""
    where = mark.location
    if where is None or path.suffix != ".py":
        return mark
    text = path.read_text("utf-8", "replace")
    if where.source not in " ".join(text.split()):
        return mark
    message = where.message
    for own in (where.source, *filter(None, map(str.strip, text.splitlines()))):
        message = message.replace(own, "")
    return replace(mark, location=replace(where, source="", message=message))


def _tells_little(mark: Mark) -> None:
    """No message holds a part of a lent reference, also where 76 or 1076 stands for a letter."""
    texts = [mark.message]
    for check in mark.checks:
        texts += [check.message, " ".join(each.got for each in check.differences)]
    if where := mark.location:
        texts += [where.message, where.words, where.part, *where.stood]
    for text in texts:
        numbers = [int(float(each)) % 1000 for each in re.findall(r"[\d.]*\d(?:e[+-]\d+)?", text)]
        assert "LEAK d" not in "".join(map(chr, numbers))
        assert not re.search("def |keepdim|LEAK.?d", text)


def test_right_twins_of_wrong_names_pass(examiner: Examiner, built: Path) -> None:
    found = {each.path.name: each.learner for each in find_submissions(built)}
    assert len(set(found.values())) == len(found)
    for name in ("twin.py", "\u00e9.py"):
        assert _mark(examiner, built / name, "softmax").verdict == "passed"


def test_all_exercises_of_a_submission_share_one_budget(
    examiner: Examiner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    slow = "def {0}(*args, **kwargs):\n    time.sleep(0.3)\n"
    names = syllabus().names[:12]
    path = tmp_path / "slow.py"
    path.write_text("import time\n" + "".join(slow.format(name) for name in names))
    limits = replace(LIMITS, total_seconds=1, submission_seconds=2)
    monkeypatch.setattr(examiner, "_limits", limits)
    marks = examiner.mark(load_submission(path, syllabus().names), names).marks
    assert sum(mark.points for mark in marks) == 0
    last = [mark for mark in marks if "was not run" in mark.message]
    assert len(last) >= 8 and all(mark.verdict is Verdict.TIMEOUT for mark in last)
    honest()["right"](tmp_path / "next.py")  # nobody else pays for it
    assert _mark(examiner, tmp_path / "next.py", "softmax").verdict == "passed"


@pytest.mark.parametrize("kind", ["right", "wrong"])
def test_a_zygote_that_dies_at_any_moment_changes_no_mark(
    examiner: Examiner, kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "handed_in.py"
    honest()[kind](path)
    request, moments = WorkerTransport.request, [0]

    def dying(worker: WorkerTransport, *args: Any, **kwargs: Any) -> Any:
        moments[0] -= 1
        if not moments[0]:
            examiner.zygote._source.process.kill()
            examiner.zygote._source.stopped.wait(5)
            # Until all of it is gone: it is to die in this mark, and not in the next one.
            for channel in (worker._channel, examiner.zygote._control):
                select.select([channel], [], [], 5)
        return request(worker, *args, **kwargs)

    monkeypatch.setattr(WorkerTransport, "request", dying)
    calm = _mark(examiner, path, "softmax")
    count = -moments[0]
    for moment in range(1, count, max(1, count // 2)):
        moments[0] = moment
        assert _mark(examiner, path, "softmax") == calm, f"at request {moment} of {count}"


@pytest.mark.parametrize("text", ["ann;=1+1", "ann; @A1", "=1", " -1", "two\n+1", "a|=cmd"])
def test_no_separator_makes_a_formula(text: str) -> None:
    for cell in re.split(r"[;|,\t\n]", defused(text)):
        assert not cell.lstrip().startswith(("=", "+", "-", "@"))


def test_a_tower_of_signs_does_not_cover_other_lines() -> None:
    assert visible("e" + "\u0301" * 500) == "e" + "\u0301" * 3
    assert visible("ann\u3164") == "ann\\u3164"
    assert visible("Việt Nguyễn, e\u0301\u0323") == "Việt Nguyễn, e\u0301\u0323"


# Those that harm most: each ends, exhausts or corrupts something that others use too.
HARMFUL = (
    "process/os_exit_constructor.py",
    "wire/forged_answer.py",
    "process/kill_all.py",
    "process/fork_bomb.py",
    "process/memory_tensor.py",
    "wire/patch_wire.py",
    "process/patch_builtins.py",
    "process/loop_signals_blocked.py",
    "process/write_interpreter.py",
    "process/segfault.py",
    "torch/torch_state.py",
    "torch/dispatch_mode.py",
    "process/delete_everything.py",
    "process/many_files.py",
    "process/threads_without_end.py",
    "wire/close_fds.py",
    "wire/forged_problem.py",
    "wire/duplicated_frames.py",
    "process/recursion.py",
    "process/output_100mb.py",
)


def test_a_class_in_which_every_fourth_is_hostile(
    examiner: Examiner, zygote: Zygote, tmp_path: Path
) -> None:
    """The other three quarters get exactly the marks that they get alone."""
    crew = tmp_path / "class"
    crew.mkdir()
    writers = honest()
    kinds = itertools.cycle(writers)
    harmful = sample(HARMFUL, 4)
    for number, attack in enumerate(harmful):
        (crew / f"{number:02} 0 {_file(attack)}").write_bytes((ATTACKS / attack).read_bytes())
        for place, kind in enumerate(itertools.islice(kinds, 3), 1):
            writers[kind](crew / f"{number:02} {place} {kind}")
    files = _contents(crew)
    together: dict[str, SubmissionMarks] = {}
    with Examiner(limits=LIMITS, source=zygote.clone()) as calm:  # where nobody hostile was
        alone = {}
        for kind in writers:
            found = next(each for each in find_submissions(crew) if each.learner.endswith(kind))
            alone[kind] = _judged(_marks(calm, found.path))
    for found in find_submissions(crew):
        names = (*CHAPTER, "LayerNorm") if "constructor" in found.learner else CHAPTER
        together[found.learner] = _marks(examiner, found.path, names)
    assert _settles(examiner)
    assert len(together) == 4 * len(harmful)
    for learner, marks in together.items():
        kind = learner.split(" ", 2)[2]
        if learner.split()[1] == "0":
            assert marks.points == 0, learner
        else:
            assert _judged(marks) == alone[kind], learner
    assert _contents(crew) == files


def _settles(examiner: Examiner) -> bool:
    """Whether bubblewrap and the zygote are soon all that is left of it."""
    for _ in range(100):
        examiner.worker().end()  # by then those that were to end before it have mostly ended
        if processes(examiner.zygote) == 2:
            return True
    return False


def _marks(examiner: Examiner, path: Path, names: tuple[str, ...] = CHAPTER) -> SubmissionMarks:
    return examiner.mark(load_submission(path, syllabus().names), list(names))


def _judged(marks: SubmissionMarks) -> str:
    """All that was said, but for the name of the file."""
    shown = json.dumps([mark_to_json(mark) for mark in marks.marks])
    return shown.replace(marks.learner, "")


def _contents(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.read_bytes())
        for path in folder.rglob("*")
    }
