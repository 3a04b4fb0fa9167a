"""Puts together the pages of a report: the class, an exercise, a learner; reads and writes none."""

import base64
import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from types import MappingProxyType

from markupsafe import Markup

from ..candidate.records import Mark, SubmissionMarks, Verdict
from ..gradebook.entries import Piece
from ..gradebook.notes import latest
from . import wording
from .classroom import Classroom, ExerciseFacts
from .code import code_panel
from .effort import Effort, Week, span
from .lines import MistakeLine, RequestLine, Row, TimeLine, retaught
from .looks import UNREAD
from .render import render, script, style
from .standing import doubts
from .statistics import ClassCount
from .story import story
from .text import name_of, page_name

_NAMES = 20  # of learners in one list
_GROUPS = 40  # of answers on an exercise's page
_FIRST_MISTAKES = 5
_KEPT = 5_000
_LINES = 400  # of an answer, to choose one from
_CODE, _FORMS = "\0", "\1"  # where they come in
_TONE_OF_SIGN = {sign: wording.TONES[verdict] for verdict, sign in wording.SHORT_SIGNS.items()}


@dataclass(frozen=True)
class Forms:
    """What forms on a page need: a key that is sent along, the page itself, and the class."""

    key: str
    page: str
    room: Classroom

    def of(
        self, mark: Mark, pieces: Sequence[Piece], learners: Sequence[str], alike: bool = False
    ) -> Markup:
        """The forms about one answer of these learners; `alike`: all whose answer is the same."""
        asked = {note.id for note in self.room.open_requests}
        lines = [
            (f"{place}|{number}", f"{number}  {line}")
            for place, (_, first, code) in enumerate(pieces)
            for number, line in enumerate(code.split("\n"), first)
        ]
        answer, held = self.room.book.bound_now(learners[0], mark.name)
        html = render(
            "hand.html",
            **{"answer": answer, "held": held},
            **{"mark": mark, "key": self.key, "page": self.page, "lines": lines[:_LINES]},
            **{"learner": page_name(learners[0]), "size": len(learners), "alike": alike},
            seen=latest(self.room.notes, mark.name, learners),
            comments=[note for note in mark.notes if note.kind == "comment"],
            asked=[note for note in mark.notes if note.id in asked],
        )
        return Markup(html)


def class_page(
    warnings: Sequence[str],
    facts: Sequence[str],
    counted: ClassCount,
    mistakes: Sequence[MistakeLine],
    rows: Sequence[Row],
    nobodys: Sequence[str] = (),
    times: Sequence[TimeLine] = (),
    requests: Sequence[RequestLine] = (),
    efforts: Mapping[str, Effort] = MappingProxyType({}),
    weeks: Sequence[Week] = (),
) -> str:
    """The class at a glance, and everybody in it."""
    begun = [name for name, exercise in counted.exercises.items() if exercise.counts]
    columns = _columns(counted, begun)
    here = [row for row in rows if not row.is_absent]
    return whole_page(
        "class.html",
        "Marks of the class",
        warnings=warnings,
        facts=facts,
        counted=counted,
        spread=counted.spread(),
        begun=begun,
        begun_total=sum(exercise.begun for exercise in counted.exercises.values()),
        columns=columns,
        verdicts=[v for v in Verdict if any(e.verdicts[v] for e in counted.exercises.values())],
        retaught=retaught(mistakes),
        first=_FIRST_MISTAKES,
        looks=_looks(here),
        unread=UNREAD,
        nobodys=nobodys,
        together=_together,
        times=times,
        requests=requests,
        efforts=efforts,
        weeks=weeks,
        span=span,
        to_look_at=sum(bool(row.looks) for row in here) + len(nobodys),
        rows=here,
        absent=[row for row in rows if row.is_absent],
        strip=_strip([*counted.exercises], columns),
        tones_of_signs=_TONE_OF_SIGN,
        most=_NAMES,
        signs=wording.SHORT_SIGNS,
        share=_share,
    )


def _columns(counted: ClassCount, begun: Collection[str]) -> list[list[str]]:
    """The exercises of each chapter that somebody has begun."""
    chapters = {counted.exercises[name].chapter for name in begun}
    by_chapter = groupby(counted.exercises, key=lambda name: counted.exercises[name].chapter)
    return [[*names] for chapter, names in by_chapter if chapter in chapters]


def _strip(names: Sequence[str], columns: Sequence[Sequence[str]]) -> Callable[[Row], str]:
    """What shows the signs of a row, which has one for each of `names`, chapter by chapter."""
    places = [[names.index(name) for name in chapter] for chapter in columns]
    return lambda row: " ".join("".join(row.signs[n] for n in each) for each in places)


def _looks(rows: Sequence[Row]) -> dict[str, list[tuple[Row, str]]]:
    """Who has to be looked at, by reasons; what may have cost marks comes first."""
    found: dict[str, list[tuple[Row, str]]] = {}
    for row in rows:
        for reason, more in row.looks:
            found.setdefault(reason, []).append((row, more))
    order = {reason: number for number, reason in enumerate(UNREAD)}

    def turn(reason: str) -> tuple[int, int, str]:
        return order.get(reason, len(order)), -len(found[reason]), reason

    return {reason: found[reason] for reason in sorted(found, key=turn)}


def _together(lines: Sequence[str]) -> list[str]:
    """Lines of a name and a reason, one for each reason with all its names."""
    names: dict[str, list[str]] = {}
    for line in lines:
        name, _, reason = line.partition(": ")
        names.setdefault(reason, []).append(name)
    return [f"{', '.join(those)}: {reason}" for reason, those in names.items()]


def exercise_page(
    facts: ExerciseFacts,
    counted: ClassCount,
    page_of: Mapping[str, str],
    room: Classroom,
    key: str,
) -> str:
    """How one exercise went: its checks, its mistakes, and the answers that are alike."""
    counts = counted.exercises[facts.name]
    wrong = [each for each in facts.groups if each.mark.verdict is not Verdict.PASSED]
    right = [each for each in facts.groups if each.mark.verdict is Verdict.PASSED]
    groups = [*wrong[:_GROUPS], *right[: max(_GROUPS - len(wrong), _GROUPS // 4)]]
    forms = Forms(key, f"exercises/{facts.name}.html", room) if key else None
    groups_with: dict[str, list[int]] = {}  # the numbers of those that have a mistake, by its id
    for number, group in enumerate(groups, 1):
        for one in group.mark.diagnosis:
            groups_with.setdefault(one.id, []).append(number)
    return whole_page(
        "exercise.html",
        facts.name,
        chapter=counts.chapter,
        counts=counts,
        learners=counted.submissions,
        checks=facts.checks,
        mistakes=sorted(facts.mistakes.values(), key=lambda each: (-each.lost, each.diagnosis.id)),
        groups=groups,
        left_out=len(facts.groups) - len(groups),
        groups_with=groups_with,
        page_of=page_of,
        page_name=page_name,
        name_of=name_of,
        most=_NAMES,
        panel=code_panel,
        source=room.source,
        forms=forms,
        story=story,
        signs=wording.SHORT_SIGNS,
        share=_share,
        verdicts=[verdict for verdict in Verdict if counts.verdicts[verdict]],
    )


class Answers:
    """Marks beside their code; what is said of one mark, many learners have the very same."""

    def __init__(self) -> None:
        self._said: dict[int, tuple[Mark, Sequence[str]]] = {}  # a mark kept here keeps its id

    def beside(self, mark: Mark, pieces: Sequence[Piece], forms: str = "") -> Markup:
        """What is said of a mark, with the code and forms about it."""
        if id(mark) not in self._said:
            if len(self._said) >= _KEPT:
                self._said.clear()
            text = render(
                "answer.html",
                **{"mark": mark, "told": story(mark), "is_told": _is_told(mark)},
                **{"panel": Markup(_CODE), "forms": Markup(_FORMS)},
            )
            self._said[id(mark)] = mark, text.replace(_FORMS, _CODE).split(_CODE)
        before, between, after = self._said[id(mark)][1]
        return Markup(f"{before}{code_panel(mark, pieces)}{between}{forms}{after}")


def learner_page(
    submission: SubmissionMarks,
    sources: Sequence[Sequence[Piece]],
    beside: Answers,
    names: Sequence[str] = (),
    is_alone: bool = False,
    forms: Forms | None = None,
    together: bool = False,
) -> str:
    """All that one learner should read, their own code beside it.

    `names` are all whose page this is; one that is handed out links to no other (`is_alone`).
    """
    names = names or [submission.learner]
    shown = name_of(names[0])
    answers = [*zip(submission.marks, sources, strict=True)]
    right = [each for each in answers if not _is_told(each[0]) and not wording.is_idle(each[0])]
    idle = [mark for mark in submission.marks if wording.is_idle(mark)]
    by_verdict = attrgetter("verdict")

    def said(mark: Mark, pieces: Sequence[Piece]) -> Markup:
        return beside.beside(mark, pieces, forms.of(mark, pieces, names) if forms else "")

    return whole_page(
        "learner.html",
        shown if len(names) == 1 else f"{shown} and {len(names) - 1} more",
        names=[name_of(name) for name in names],
        most=_NAMES,
        submission=submission,
        doubts=doubts(submission),
        left=[mark for mark in submission.marks if _is_left(mark)],
        answers=Markup("\n").join(said(*each) for each in answers if _is_told(each[0])),
        right=Markup("\n").join(said(*each) for each in right),
        idle=[
            (str(verdict).capitalize(), [mark.name for mark in group])
            for verdict, group in groupby(sorted(idle, key=by_verdict), key=by_verdict)
        ],
        is_alone=is_alone,
        together=together,
        forms=forms,
    )


def whole_page(template: str, title: str, **values: object) -> str:
    """A page that runs no script but its own, and loads nothing."""
    css, code = style("palette", "page"), script("find") if template == "class.html" else Markup("")
    policy = f"default-src 'none'; style-src {_digest(css)}"
    policy += f"; script-src {_digest(code)}" if code else ""
    acts = "'self'" if values.get("forms") else "'none'"
    policy += f"; base-uri 'none'; form-action {acts}"
    return render(template, title=title, style=css, script=code, policy=policy, **values)


def _digest(text: str) -> str:
    """How a page's policy names what may act in it: by its hash alone."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "0 %"


def _is_left(mark: Mark) -> bool:
    """Whether there is something to mend in it; what it carries is to be mended elsewhere."""
    return mark.verdict not in (Verdict.PASSED, *wording.NOT_BEGUN)


def _is_told(mark: Mark) -> bool:
    """Whether there is more to say of it than its name."""
    return _is_left(mark) or bool(mark.carried or mark.by_hand or mark.notes)
