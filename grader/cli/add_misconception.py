"""Makes an entry of the catalogue from a wrong answer that was seen; runs it behind the wall."""

import ast
import json
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ..candidate.candidate import Candidate
from ..candidate.failures import CandidateError
from ..candidate.records import Mark, Verdict
from ..curriculum.complaint import Complaint
from ..curriculum.course import course
from ..curriculum.references import reference_source
from ..curriculum.syllabus import syllabus
from ..diagnosis.edited_tree import Edit, EditError
from ..diagnosis.function_answers import Questions, answers_of, questions_of
from ..diagnosis.interpretation.behaviour import observed
from ..diagnosis.interpretation.module_subject import ModuleSubject
from ..diagnosis.interpretation.search import interpret
from ..diagnosis.misconceptions import catalogue
from ..diagnosis.misconceptions.function_subject import FunctionSubject
from ..diagnosis.misconceptions.registry import function_subject, module_subject
from ..diagnosis.probed import Seen
from ..diagnosis.variants import definition, edited_definition
from ..marking.attempt import load
from ..marking.examiner import Examiner
from ..submission import Slice, Unit, load_submission
from ..wall.isolation_layers import available
from .tree_difference import edits_between

_SEEDS = (0, 1)
_WIDTH = 118
_WORDS = 6  # in an id


def add(exercise: str, file: Path, behaviour: str, question: str, name: str) -> list[str]:
    """Write the entry of a wrong answer, unless it is known by a name; what there is to say of it.

    Its id is made of the `name`, else of the behaviour's first words. The file's name is in nothing
    that is written: a learner's may stand in it.

    Raises:
        Complaint: The file holds no wrong answer that an entry can be made of.
        CatalogueError: A data file has a fault already.
    """
    subject = function_subject(exercise)
    module = module_subject(exercise)
    if module is None and (subject is None or subject.reference is not None):
        raise Complaint(f"mistakes of {exercise} are no edits of its solution")
    if not available():
        raise Complaint("there is no isolation here to run it in: `grader doctor` says what lacks")
    submission = load_submission(file, syllabus().names)
    cut = submission.slice(exercise)
    if cut is None:
        raise Complaint(f"{file} does not define {exercise}")
    source = "\n\n".join(unit.code for unit in cut.units)
    with Examiner() as examiner:
        mark = next(m for m in examiner.mark(submission, [exercise]).marks if m.name == exercise)
        if mark.diagnosis:
            return [f"known as {known.id}: {known.explanation}" for known in mark.diagnosis]
        _refuse(mark)
        edits = _edits(exercise, source)
        if edits and module is not None:
            edits = edits if _is_read(examiner, module, source, edits) else None
        elif edits and subject is not None:
            edits = edits if _same(examiner, subject, source, edits) else None
    if edits is None and module is not None:
        raise Complaint(
            "it is another program than the solution: write by hand what stands instead"
        )
    name = _name(exercise, name or behaviour)
    body = None
    if edits is None:
        body = course().misconceptions / catalogue.BODIES / f"{exercise}_{name}.py"
        body.parent.mkdir(exist_ok=True)
        body.write_text(source.rstrip() + "\n", encoding="utf-8")
    entry = _entry(exercise, name, behaviour, question, body.name if body else edits or {})
    place = course().misconceptions / f"{syllabus()[exercise].chapter}.toml"
    place.write_text(_put_in(place.read_text("utf-8"), exercise, entry), encoding="utf-8")
    said = [f"{entry}\nstands in {place} now."]
    if body is not None:
        other = "It is another program than the solution"
        said.append(f"{other}: read {body}, which graders will run.")
    if not (behaviour and question):
        said.append("Fill in behaviour and question: until then every command stops there.")
    return said


def _refuse(mark: Mark) -> None:
    if mark.verdict is Verdict.PASSED:
        raise Complaint("it passes all checks")
    if mark.verdict not in (Verdict.FAILED, Verdict.PARTIAL):
        raise Complaint(f"its verdict is {mark.verdict}: no values tell what it does")


def _edits(exercise: str, source: str) -> dict[str, str] | None:
    """What has to be edited in the solution; None where it is another program."""
    found = [
        statement
        for statement in ast.parse(source).body
        if getattr(statement, "name", None) == exercise
    ]
    return edits_between(definition(exercise), found[-1]) if found else None


def _same(examiner: Examiner, subject: FunctionSubject, source: str, edits: dict[str, str]) -> bool:
    """Whether the edited solution answers like the file, both behind the wall."""
    name = subject.exercise
    try:
        made = edited_definition(name, [Edit(name, *pair) for pair in edits.items()])
    except EditError:
        return False
    edited = f"{reference_source(name)}\n\n{made}"  # behind the solution, in its place
    both = [_answers(examiner, subject, code) for code in (source, edited)]
    return all(
        _are_alike(questions_of(subject, seed), zip(*pair, strict=True))
        for seed, *pair in zip(_SEEDS, *both, strict=True)
    )


def _is_read(
    examiner: Examiner, subject: ModuleSubject, source: str, edits: dict[str, str]
) -> bool:
    """Whether the edited solution, with the numbers of the file's module, answers like it."""
    exercise = subject.exercise
    made = replace(subject, more_edits=tuple(Edit(exercise, *pair) for pair in edits.items()))
    with examiner.worker() as worker:
        candidate = Candidate(exercise, worker)
        load(Slice(exercise, (Unit(source, "file", 1),)), candidate)
        try:
            found = interpret(observed(made, candidate, _SEEDS[0]))
        except CandidateError:
            return False
    return found is not None and found.gradients_agree()


def _answers(examiner: Examiner, subject: FunctionSubject, source: str) -> list[list[Seen]]:
    exercise, harness = subject.exercise, examiner.checks.harness(subject.exercise)
    with examiner.worker() as worker:
        candidate = Candidate(exercise, worker, harness=harness)
        load(Slice(exercise, (Unit(source, "file", 1),)), candidate)
        all_answers = [answers_of(subject, candidate, seed) for seed in _SEEDS]
        return [
            [each.found(index) for index in range(len(each.questions.probes))]
            for each in all_answers
        ]


def _are_alike(questions: Questions, both: Iterable[tuple[Seen, Seen]]) -> bool:
    return all(
        one.error == other.error and questions.alike(one, other, index)
        for index, (one, other) in enumerate(both)
    )


def _name(exercise: str, words: str) -> str:
    """An id that the exercise does not have yet, of the first words that are given, else `seen`."""
    plain = re.findall(r"\w+", words.lower(), flags=re.ASCII)[:_WORDS]
    base = "_".join(plain).strip("_") or "seen"
    base = base if base[0].isalpha() else f"seen_{base}"
    known = {one.id for one in catalogue.misconceptions(exercise)}
    names = (base, *(f"{base}_{number}" for number in range(2, len(known) + 3)))
    return next(name for name in names if name not in known)


def _entry(
    exercise: str, name: str, behaviour: str, question: str, instead: dict[str, str] | str
) -> str:
    lines = [f"[{exercise}.{name}]"]
    places = {
        "behaviour": (behaviour, "what the code behaves like, and what that leads to"),
        "question": (question, "it leads on, and does not hold the answer"),
    }
    for key, (text, what) in places.items():
        lines.append(f"{key} = {_quoted(text)}" + f"  # {what}" * (not text))
    if isinstance(instead, str):
        lines.append(f"instead = {_quoted(instead)}")
        return "\n".join(lines) + "\n"
    pairs = [f"{_quoted(old)} = {_quoted(new)}" for old, new in instead.items()]
    short = f"instead = {{ {', '.join(pairs)} }}"
    lines += [short] if len(short) <= _WIDTH else [f"instead.{pair}" for pair in pairs]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    if '"' in text and "'" not in text and "\n" not in text:
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False)


def _put_in(file: str, exercise: str, entry: str) -> str:
    """The file with the entry behind the exercise's last one; all else stays as it is."""
    tables = list(re.finditer(r"^\[.*", file, re.MULTILINE))
    is_own = re.compile(rf"\[{exercise}[.\]]").match
    own = [index for index, table in enumerate(tables) if is_own(table[0])]
    after = own[-1] + 1 if own else len(tables)
    place = tables[after].start() if after < len(tables) else len(file)
    before, rest = file[:place].rstrip("\n"), file[place:]
    return f"{before}\n\n{entry}" + (f"\n{rest}" if rest else "")
