"""Asks stacks whose values are right once more, with sharp scores: weak fills of a mask leak then.

Ids cannot be made larger as vectors can; queries and keys can be made longer by their weights.
"""

from __future__ import annotations

import torch
from torch import Generator, Tensor

from ...candidate.candidate import CandidateError
from ..misconceptions.catalogue import Misconception
from ..misconceptions.function_subject import Probe
from .evidence import Evidence, near
from .layouts import evaluate
from .module_subject import ModuleSubject
from .places import places_of
from .search import Interpretation

STACKS = ("TransformerEncoder", "TransformerForSequenceClassification", "BertEncoder")
_LONGER = 3.0  # queries, and keys: scores are that many times that many times as far apart
_ASKING = frozenset({"q_w", "q_b", "k_w", "k_b"})
_FILLS = "mask_fills_"
Values = dict[str, Tensor]


def at_hidden_positions(
    subject: ModuleSubject, evidence: Evidence, right: Interpretation, generator: Generator
) -> tuple[Tensor, Tensor] | None:
    """Two answers with other ids at the hidden positions, where they are promised.

    None in odd layouts, where weights of queries and keys cannot be told from others.
    """
    values = _sharpened(evidence, right)
    if values is None:
        return None
    probe = _masked(evidence)
    ids, mask = probe.args[:2]
    drawn = torch.randint(1, int(ids.max()) + 1, ids.shape, generator=generator)
    with evidence.holding(values):
        one = evidence.module.run(*probe.args).value
        two = evidence.module.run(ids.where(mask.bool(), drawn), *probe.args[1:]).value
    if not (isinstance(one, Tensor) and isinstance(two, Tensor)):
        return None
    return subject.focused(one, probe), subject.focused(two, probe)


def weak_fill(
    subject: ModuleSubject, evidence: Evidence, right: Interpretation
) -> Misconception | None:
    """The fill that hides too little, of a module whose values are right where scores are mild."""
    values = _sharpened(evidence, right)
    if values is None:
        return None
    probe = _masked(evidence)
    try:
        with evidence.holding(values):
            got = evidence.module.run(*probe.args).value
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
    fills = (turn for turn in subject.misconceptions if turn.id.startswith(_FILLS))
    return next((turn for turn in fills if fits(turn.id)), None)


def _sharpened(evidence: Evidence, right: Interpretation) -> Values | None:
    """The candidate's numbers with longer queries and keys; None where these cannot be found."""
    try:
        names = places_of(right.parts, evidence.values)
    except (IndexError, KeyError, RuntimeError):
        return None
    values = {name: value.clone() for name, value in evidence.values.items()}
    for place in names.numbers:
        if place[-1] in _ASKING:
            names.multiply(values, place, _LONGER)
    return values


def _masked(evidence: Evidence) -> Probe:
    return next(probe for probe in evidence.probes if len(probe.args) > 1)
