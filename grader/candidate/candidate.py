"""A learner's exercise as the checks hold it, executed elsewhere; knows no expected value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, TypeVar

from torch import Tensor

from .asking import Asking, Gatekeeper, Transport
from .asks import Ask, Outcome
from .candidate_module import CandidateModule

T = TypeVar("T")

# Gives another candidate, of the same code in a process of its own.
Anew = Callable[[], AbstractContextManager["Candidate"]]


@dataclass
class Hidden:
    """What checks ask when all else was asked: of the same code, where nothing is told of it."""

    process: Callable[[], Candidate]
    _left: list[Callable[[], None]] = field(default_factory=list)

    def later(self, ask: Callable[[Callable[[], Candidate]], None]) -> None:
        """Have it asked then; it is given `process`, and raises as a check does."""
        self._left.append(partial(ask, self.process))

    def taken(self) -> list[Callable[[], None]]:
        """What is left to ask, which then is no more."""
        taken, self._left = self._left, []
        return taken


class Candidate(Asking):
    """One exercise of one submission, behind one transport.

    `harness` is source of the checks' own that stands beside the loaded code. `anew` gives another
    one, of the same code in a process of its own, where there is such a way.
    """

    def __init__(
        self,
        exercise: str,
        transport: Transport,
        trace: bool = False,
        gate: Gatekeeper | None = None,
        stay_in_time: Callable[[], None] = lambda: None,
        harness: str = "",
        anew: Anew | None = None,
    ) -> None:
        super().__init__(transport, trace, gate, stay_in_time)
        self.exercise = exercise
        self.heard: tuple[str, ...] = ()  # that ran in its process for others before
        self.harness = harness
        self.anew = anew
        # None where answers are told: what is asked for a diagnosis or a repair hides nothing.
        self.hidden: Hidden | None = Hidden(lambda: self)
        self._found: dict[tuple[Any, ...], Any] = {}  # what `once` found out; belongs to one code

    @contextmanager
    def attempted(self) -> Iterator[None]:
        """For as long as an attempt lasts, what is hidden is asked in a process of its own."""
        anew = self.anew
        if anew is None:
            yield
            return
        with ExitStack() as opened:
            self.hidden = Hidden(cache(lambda: opened.enter_context(anew())))
            try:
                yield
            finally:
                self.hidden = None

    @contextmanager
    def changed(self) -> Iterator[None]:
        """For as long as other code stands in its place, which no other process has."""
        found, anew = self._found, self.anew
        self.anew = None
        try:
            yield
        finally:
            self._found, self.anew = found, anew

    def left_to_ask(self) -> list[Callable[[], None]]:
        """What checks have put off by now, which then is put off no more."""
        return [] if self.hidden is None else self.hidden.taken()

    def once(self, what: str, make: Callable[[], T], *about: object) -> T:
        """What `make` gives; made once for `what` and these very objects, and kept from then on.

        What `make` raises is not kept.
        """
        key = (what, *map(id, about))
        if key not in self._found:
            self._found[key] = about, make()  # keeps the objects, so that their ids stay theirs
        found: T = self._found[key][1]
        return found

    def has_found(self, what: str, *about: object) -> bool:
        """Whether `once` was asked for this before."""
        return (what, *map(id, about)) in self._found

    def forget(self, but: str) -> None:
        """Forget what was found out, but for what is called so: other code takes its place."""
        self._found = {key: found for key, found in self._found.items() if key[0] == but}

    def edited(
        self, asks: Sequence[Ask], most: int, **hints: Any
    ) -> list[tuple[dict[str, Any], list[Any]]]:
        """Change the exercise where it is, in up to `most` ways one after the other.

        Returns where each change is, and its answers to `asks`: results, and a CandidateError where
        something raised. An empty list: no change is left. The last change stays until `choose`
        puts another in its place. `hints`: as `EditedExercise` has them.
        """
        for ask in asks:
            self._note_sent(ask.payload)
        sent = list(map(vars, asks))
        rows = self.request("alter", exercise=self.exercise, asks=sent, most=most, **hints)["edits"]
        return [(row["edit"], [self._answered(one) for one in row["answers"]]) for row in rows]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What a call gives; raises CandidateError."""
        return self.run(*args, **kwargs).value

    def run(
        self,
        *args: Any,
        cotangent: Tensor | None = None,
        strided: bool = False,
        others_first: bool = False,
        **kwargs: Any,
    ) -> Outcome:
        """Call the exercise; with a cotangent, gradients come back as well.

        `strided`: the same numbers, which lie in memory as after transposing and slicing;
        `others_first`: after a call with the same tensors while they held other numbers, both
        without gradients.
        """
        options = {"cotangent": cotangent, "strided": strided, "others_first": others_first}
        return self.called(self.calling({"name": self.exercise}, args, kwargs, options))

    def through(self, name: str, *args: Any, strided: bool = False, tracked: bool = False) -> Any:
        """What a harness function of this name gives, which stands beside the loaded code.

        `tracked`: float tensors require a gradient, as a model's do.
        """
        options = {"strided": strided, "tracked": tracked}
        return self.called(self.calling({"name": name}, args, {}, options)).value

    def build(self, *args: Any, seed: int = 0, **kwargs: Any) -> CandidateModule:
        """Construct the exercise's class."""
        made = self.request("construct", name=self.exercise, args=args, kwargs=kwargs, seed=seed)
        if self.trace:
            self.operators.update(dict.fromkeys(map(str, made["kinds"])))
        return CandidateModule(self, made)
