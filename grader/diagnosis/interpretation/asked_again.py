"""Asks a module again with other numbers, where mistakes show that ordinary ones hide.

Fixed values of ε differ on tables so small that each shows: to ordinary ones, whose variance is
near 1, the answers are the same for 1e-12 and for 1e-5. Weak fills of a mask leak where scores are
sharp: ids cannot be made larger as vectors can, but queries and keys can, by their weights.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Generator, Tensor

from ...candidate.candidate import CandidateError
from ..misconceptions.catalogue import Misconception
from ..misconceptions.function_subject import Probe
from .evidence import Evidence, Interpretation, near
from .held import Values
from .layouts import evaluate
from .module_subject import ModuleSubject
from .places import places_of
from .search import interpret

_FAR, _COARSE = 1e3, 0.02  # from zero; as a share, far more than rounding comes to
STACKS = ("TransformerEncoder", "TransformerForSequenceClassification", "BertEncoder")
_LONGER = 3.0  # queries, and keys: scores are that many times that many times as far apart
_ASKING = {"q_w", "q_b", "k_w", "k_b"}
_FILLS = "mask_fills_"
_SMALLER = 1e-5  # tables: the variance of a sum of their rows is then near 1e-11
_TABLES = {("token", "w"), ("position", "w"), ("token_type", "w")}
_FIXED = ("eps_ignored", "eps_1e12", "eps_1e6", "eps_1e5")


def with_right_epsilon(
    subject: ModuleSubject, evidence: Evidence, turns: Sequence[Misconception], most: int
) -> tuple[Misconception, ...]:
    """The same mistakes with the ε that the candidate has; none where it has no known one.

    Only where tables feed the norm: where the input does, a probe shows it.
    """
    on = frozenset(turn.id for turn in turns)
    if not on & set(_FIXED) or subject.exercise != "Embeddings":
        return tuple(turns)
    right = interpret(subject, evidence, on, most)
    if right is None:
        return ()
    places = places_of(right.parts, evidence.values)
    values = places.multiplied(evidence.values, _TABLES & places.numbers.keys(), _SMALLER)
    probe = evidence.probes[0]
    try:
        got = evidence.run_with(values, *probe.args).value
    except CandidateError:
        return ()
    roles = evaluate(right.parts, values)
    known = {turn.id: turn for turn in subject.misconceptions}
    for name in _FIXED:
        with torch.no_grad():
            expected = subject.run(roles, *probe.args, on=on - set(_FIXED) | {name})
        if isinstance(got, Tensor) and near(got, expected, subject.tolerance):
            return tuple(known[name] if turn.id in _FIXED else turn for turn in turns)
    return ()


def at_hidden_positions(
    subject: ModuleSubject, evidence: Evidence, right: Interpretation, generator: Generator
) -> tuple[Tensor, Tensor] | None:
    """Two answers with other ids at the hidden positions, where they are promised."""
    values = _sharpened(evidence, right)
    probe = _masked(evidence)
    ids, mask = probe.args[:2]
    drawn = torch.randint(1, int(ids.max()) + 1, ids.shape, generator=generator)
    one, two = (
        evidence.run_with(values, given, *probe.args[1:]).value
        for given in (ids, ids.where(mask.bool(), drawn))
    )
    if not (isinstance(one, Tensor) and isinstance(two, Tensor)):
        return None
    return subject.focused(one, probe), subject.focused(two, probe)


def weak_fill(
    subject: ModuleSubject, evidence: Evidence, right: Interpretation
) -> Misconception | None:
    """The fill that hides too little, of a module whose values are right where scores are mild."""
    fills = [turn for turn in subject.misconceptions if turn.id.startswith(_FILLS)]
    if not fills:
        return None
    values = _sharpened(evidence, right)
    probe = _masked(evidence)
    try:
        got = evidence.run_with(values, *probe.args).value
    except CandidateError:
        return None
    if not isinstance(got, Tensor):
        return None
    roles = evaluate(right.parts, values)

    def fits(*on: str) -> bool:
        with torch.no_grad():
            expected = subject.run(roles, *probe.args, on=frozenset(on))
        one, two = subject.focused(got, probe), subject.focused(expected, probe)
        return near(one, two, subject.tolerance)

    if fits():
        return None
    return next((turn for turn in fills if fits(turn.id)), None)


def loses_digits(evidence: Evidence) -> bool:
    """Whether the spread of a token comes of two large numbers whose difference has few digits.

    Of a LayerNorm that begins as it should and is right near zero: far from there, each row is the
    right one times a factor of its own.
    """
    x = evidence.probes[0].args[0]
    try:
        rows, far = (evidence.run_with(evidence.fresh, x + shift).value for shift in (0.0, _FAR))
    except CandidateError:
        return False
    if not isinstance(rows, Tensor) or not isinstance(far, Tensor) or far.shape != rows.shape:
        return False
    rows, far = rows.flatten(0, -2), far.flatten(0, -2)
    factors = (far * rows).sum(-1, keepdim=True) / rows.square().sum(-1, keepdim=True)
    told = (far - factors * rows).abs().amax(-1) <= _COARSE * factors.abs().squeeze(-1)
    is_seen = (factors - 1).abs().squeeze(-1) > _COARSE
    return bool((told & is_seen | far.isnan().any(-1)).sum() > len(rows) // 2)


def _sharpened(evidence: Evidence, right: Interpretation) -> Values:
    """The candidate's numbers with longer queries and keys."""
    places = places_of(right.parts, evidence.values)
    values: Values = evidence.values
    for place in (place for place in places.numbers if place[-1] in _ASKING):
        values = places.multiplied(values, [place], _LONGER)
    return values


def _masked(evidence: Evidence) -> Probe:
    """The first call with a mask, which is of no floats."""
    return next(
        probe
        for probe in evidence.probes
        if any(not given.is_floating_point() for given in probe.args[1:])
    )
