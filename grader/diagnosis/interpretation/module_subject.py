"""What a module exercise is judged against: building, asking, reading; knows no candidate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Generator, Tensor, nn

from ...candidate.candidate import Candidate
from ..edited_tree import Edit
from ..latest import Latest
from ..misconceptions.catalogue import Misconception, misconceptions
from ..misconceptions.changes import changes
from ..misconceptions.function_subject import Probe
from ..misconceptions.wrong_turns import NONE, Turns
from ..sameness import near
from ..tolerances import MODULE
from .edited_reference import IMPOSSIBLE, Adapt, EditedReference, made_with
from .held import Held, Part, Values
from .places import Places

Numbers = dict[str, Held]  # by the names of the reference's parameters
# Ways to read parts as parameters of these names in a reference, likely ones first.
Layouts = Callable[[Sequence[Part], EditedReference, Sequence[str]], Iterator[Numbers]]
_MOST_MADE = 256  # a stack of layers takes 150 kB
_MOST_USED = 2000


@dataclass(frozen=True)
class ModuleSubject:
    """An exercise that is a module.

    `single_token` is a call with one a sentence, which settles all but queries and keys.
    """

    exercise: str
    arguments: tuple[Any, ...]
    probes: Callable[[Generator], tuple[Probe, ...]]
    layouts: Layouts
    adapt: Adapt
    single_token: Callable[[Generator], Probe] | None = None
    tolerance: float = MODULE
    real_tokens: Callable[[Probe], Tensor | None] | None = None
    is_deep: bool = False  # several layers: a reading is dear, so mistakes are sought in few
    always_on: Turns = NONE  # they give the reference what the contract leaves free
    more_edits: tuple[Edit, ...] = ()  # that are in no data file
    # What it may do without: where no parameter's name begins like this, it takes the wrong turn.
    optional: str = ""
    without_optional: Turns = NONE
    # Functions that say where numbers stand: with one of them edited, readings are sought anew.
    placing: frozenset[str] = frozenset()
    # Other values of a candidate's parameters, with which a reading has to fit as well.
    telling_numbers: Callable[[Places, Values], dict[str, Tensor] | None] = lambda *_: None
    axes: tuple[str, ...] = ()  # of its answer, by name, in a picture of it
    # Which mistakes a candidate behaves like.
    diagnose: Callable[[ModuleSubject, Candidate, int], tuple[Misconception, ...]] = lambda *_: ()
    _made: Latest[Turns, EditedReference | str] = field(
        default_factory=lambda: Latest(_MOST_MADE), init=False, compare=False, repr=False
    )
    _used: Latest[Turns, tuple[str, ...]] = field(
        default_factory=lambda: Latest(_MOST_USED), init=False, compare=False, repr=False
    )

    @property
    def misconceptions(self) -> tuple[Misconception, ...]:
        """What the catalogue has of the exercise, likely ones first."""
        return misconceptions(self.exercise)

    def reference(self, on: Turns = NONE) -> EditedReference:
        """The reference with these wrong turns; raises ValueError where no program takes all."""
        if on not in self._made:
            self._made[on] = self._make(on)
        made = self._made[on]
        if isinstance(made, str):
            raise ValueError(made)
        return made

    def _make(self, on: Turns) -> EditedReference | str:
        """The reference with these wrong turns, or why there is none."""
        try:
            edits = self._edits(on | self.always_on)
            return EditedReference(self.exercise, self.arguments, edits, self.adapt)
        except ValueError as error:
            return str(error)  # kept, the error itself would hold on to all that its callers had

    def made(self, on: Turns, arguments: Sequence[Any]) -> nn.Module:
        """A module that takes these wrong turns, with parameters of its own."""
        return made_with(self.exercise, arguments, self._edits(on), self.adapt)

    def run(
        self, numbers: Mapping[str, Tensor], *args: Any, on: Turns = NONE, **kwargs: Any
    ) -> Tensor:
        """What the reference with these wrong turns answers with these numbers in it."""
        if self.optional and not any(name.startswith(self.optional) for name in numbers):
            on = on | self.without_optional
        return self.reference(on).run(numbers, *args, **kwargs)

    def promised(
        self, numbers: Mapping[str, Tensor], probe: Probe, on: Turns = NONE
    ) -> Tensor | None:
        """The same of a probe, where it is promised; None where there is no answer."""
        try:
            with torch.inference_mode():
                found = self.run(numbers, *probe.args, on=on, **probe.kwargs)
                return self.focused(found, probe)
        except IMPOSSIBLE:
            return None

    def gives(
        self, numbers: Mapping[str, Tensor], probe: Probe, got: Tensor, on: Turns = NONE
    ) -> bool:
        """Whether `got` is what is promised, up to rounding."""
        found = self.promised(numbers, probe, on)
        return found is not None and near(got, found, self.tolerance)

    def wanted(self, on: Turns = NONE) -> tuple[EditedReference, tuple[str, ...]]:
        """The reference with these wrong turns, and its parameters in the order of use.

        Raises ValueError where no program takes all.
        """
        made = self.reference(on)
        if on not in self._used:
            is_kept = on and made.shapes.keys() == self.reference().shapes.keys()
            if is_kept and not any("self." in edit.old + edit.new for edit in self._edits(on)):
                self._used[on] = self.wanted()[1]  # it speaks of nothing that is held
            else:
                probes = sorted(self.probes(Generator().manual_seed(0)), key=lambda p: len(p.args))
                self._used[on] = made.used([probes[-1], probes[0]])
        return made, self._used[on]

    def form(self, on: Turns) -> tuple[Any, ...]:
        """What readings depend on: the parameters that are used, with their shapes.

        Empty where no program takes all of these wrong turns.
        """
        try:
            made, used = self.wanted(on)
        except ValueError:
            return ()
        moves = on if any(edit.definition in self.placing for edit in self._edits(on)) else NONE
        return moves, *((name, made.shapes[name]) for name in used)

    def _edits(self, on: Turns) -> list[Edit]:
        known = changes(self.exercise)
        return [*(edit for name in sorted(on) for edit in known[name]), *self.more_edits]

    def readings(
        self, parts: Sequence[Part], on: Turns = NONE, whole: bool = False
    ) -> Iterator[Numbers]:
        """Ways to read parts as the parameters that are used; `whole`: as all that there are."""
        for way in dict.fromkeys([on, on | self.without_optional]):
            made, used = self.wanted(way)
            found = self.layouts(parts, made, tuple(made.shapes) if whole else used)
            if (first := next(found, None)) is not None:
                yield first
                yield from found
                return

    def focused(self, value: Tensor, probe: Probe) -> Tensor:
        """The answer where it is promised: at real tokens, where these are told from padding."""
        mask = None if self.real_tokens is None else self.real_tokens(probe)
        if mask is None or value.shape[: mask.dim()] != mask.shape:
            return value
        return value.masked_fill(~mask.view(*mask.shape, *[1] * (value.dim() - mask.dim())), 0.0)
