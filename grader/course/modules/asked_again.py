"""Asks a module again with other numbers, where mistakes show that ordinary ones hide.

Fixed values of ε differ on tables so small that each shows: to ordinary ones, whose variance is
near 1, the answers are the same for 1e-12 and for 1e-5. Weak fills of a mask leak where scores are
sharp: ids cannot be made larger as vectors can, but queries and keys can, by their weights.
"""

from collections.abc import Callable, Sequence

import torch
from torch import Generator, Tensor

from ...candidate.failures import CandidateError
from ...diagnosis.interpretation.evidence import Evidence
from ...diagnosis.interpretation.held import Values, evaluate
from ...diagnosis.interpretation.parameter_reading import Reading
from ...diagnosis.interpretation.search import interpret
from ...diagnosis.misconceptions.catalogue import Misconception
from ...diagnosis.misconceptions.function_subject import Probe
from ...diagnosis.misconceptions.wrong_turns import NONE, Turns

_FAR, _COARSE = (1e3, 1e4), 0.02  # from zero; as a share, far more than rounding comes to
STACKS = ("TransformerEncoder", "TransformerForSequenceClassification", "BertEncoder")
LONGER = 3.0  # queries, and keys: scores are that many times that many times as far apart
_SHORTER = 0.2
_ASKING = tuple(f"{of}.{leaf}" for of in ("query", "key") for leaf in ("weight", "bias"))
_LOUD = 20.0  # the same where scores are to be too large for exp
_FILLS = "mask_fills_"
_MISREAD = ("tokens_counted_from_left", "holes_filled", "up_to_the_last", "cut_to_longest")
_LONG = 100.0  # rows of tables, beside which a bound on their length shows
_SMALLER = 1e-5  # tables: the variance of a sum of their rows is then near 1e-11
_TABLES = {"token.weight", "position.weight", "token_type.weight"}
_FIXED = ("eps_ignored", "eps_1e12", "eps_1e6", "eps_1e5", "eps_as_floor")


def with_right_epsilon(
    evidence: Evidence, turns: Sequence[Misconception], most: int
) -> tuple[Misconception, ...]:
    """The same mistakes with the ε that the candidate has; none where it has no known one.

    Only where tables feed the norm: where the input does, a probe shows it.
    """
    on = frozenset(turn.id for turn in turns)
    if not on & set(_FIXED) or evidence.subject.exercise != "Embeddings":
        return tuple(turns)
    right = interpret(evidence, on, most)
    if right is None:
        return ()
    tables = _TABLES & right.places.numbers.keys()
    values = right.places.multiplied(evidence.values, tables, _SMALLER)
    fits = _asked_with(right, values, evidence.probes[0])
    known = {turn.id: turn for turn in evidence.subject.misconceptions}
    for name in _FIXED:
        if fits(on - set(_FIXED) | {name}):
            return tuple(known[name] if turn.id in _FIXED else turn for turn in turns)
    return ()


def fits_long_rows(right: Reading) -> bool:
    """Whether it is right, too, where rows of its tables are far longer than they are drawn."""
    tables = _TABLES & right.places.numbers.keys()
    values = right.places.multiplied(right.evidence.values, tables, _LONG)
    return _asked_with(right, values, right.evidence.probes[0])(NONE)


def hold_where_mild(evidence: Evidence, on: Turns, most: int) -> bool:
    """Whether mistakes that fit do so with milder scores too: sharp ones hide what makes them."""
    right = interpret(evidence, on, most)
    if right is None or evidence.single is None:
        return True
    return _asked_with(right, _with_scores(right, _SHORTER), evidence.probes[0])(on)


def at_hidden_positions(
    right: Reading, generator: Generator, factor: float = LONGER
) -> tuple[Tensor, Tensor] | None:
    """Two answers with other ids at the hidden positions, where they are promised.

    Queries and keys are longer by a factor.
    """
    values = _with_scores(right, factor)
    probe = _masked(right.evidence)
    ids, mask = probe.args[:2]
    drawn = torch.randint(1, int(ids.max()) + 1, ids.shape, generator=generator)
    one, two = (
        right.evidence.run_with(values, given, *probe.args[1:]).value
        for given in (ids, ids.where(mask.bool(), drawn))
    )
    if not (isinstance(one, Tensor) and isinstance(two, Tensor)):
        return None
    return right.subject.focused(one, probe), right.subject.focused(two, probe)


def weak_fill(right: Reading) -> Misconception | None:
    """The fill that hides too little, of a module whose values are right where scores are mild."""
    fills = [turn for turn in right.subject.misconceptions if turn.id.startswith(_FILLS)]
    if not fills:
        return None
    fits = _asked_with(right, _with_scores(right, LONGER), _masked(right.evidence))
    if fits(NONE):
        return None
    return next((turn for turn in fills if fits(frozenset({turn.id}))), None)


def overflow(right: Reading) -> Misconception | None:
    """What overflows, of a module whose values are right where numbers, or scores, are mild."""
    evidence = right.evidence
    probe = evidence.probes[0]
    values: Values = evidence.values
    if (turn := _turn(right, "no_shift")) is not None:
        values = _with_scores(right, _LOUD)
        if (hides := _turn(right, "maximum_of_all_keys")) is not None:
            told = _told(hides, _asked_with(right, values, _masked(evidence)))
            if told is not None:
                return told
    elif (turn := _turn(right, "tanh_by_exp")) is not None:
        probe = Probe(tuple(_FAR[0] * part for part in probe.args))
    return turn and _told(turn, _asked_with(right, values, probe))


def padded_in_between(right: Reading) -> Misconception | None:
    """How padding is misread in front and in between, where it is read rightly at the end."""
    turns = [turn for turn in right.subject.misconceptions if turn.id in _MISREAD]
    if not turns:
        return None
    ids, mask, *others = _masked(right.evidence).args
    turned = torch.cat((mask[:, :1], mask[:, 1:].flip(1)), 1)
    if right.subject.real_tokens is not None:  # else the first position is the answer's
        turned[0] = mask[0].flip(0)
    probe = Probe((ids, turned, *others))
    fits = _asked_with(right, right.evidence.values, probe)
    return next((turn for turn in turns if _told(turn, fits)), None)


def zero_taken_for_padding(right: Reading) -> Misconception | None:
    """Whether id 0 is hidden where there is no mask, of a stack that is right for other ids."""
    turn = _turn(right, "zeros_hidden_without_mask")
    if turn is None:
        return None
    ids = right.evidence.probes[0].args[0].clone()
    ids[0, 2] = 0
    return _told(turn, _asked_with(right, right.evidence.values, Probe((ids,))))


def _turn(right: Reading, name: str) -> Misconception | None:
    return next((turn for turn in right.subject.misconceptions if turn.id == name), None)


def _told(turn: Misconception, fits: Callable[[Turns], bool]) -> Misconception | None:
    """The wrong turn where it fits and none at all does not."""
    ways = (frozenset({way}) for way in (turn.id, *turn.ways))
    return turn if not fits(NONE) and any(map(fits, ways)) else None


def _asked_with(right: Reading, values: Values, probe: Probe) -> Callable[[Turns], bool]:
    """Whether these wrong turns give what it answers with these numbers in its parameters."""
    try:
        got = right.evidence.run_with(values, *probe.args).value
    except CandidateError:
        got = None
    if not isinstance(got, Tensor):
        return lambda _: False
    right_there = evaluate(right.layout, values), probe, right.subject.focused(got, probe)
    return lambda on: right.subject.gives(*right_there, on)


def loses_digits(evidence: Evidence) -> bool:
    """Whether the spread of a token comes of two large numbers whose difference has few digits.

    Of a LayerNorm that begins as it should and is right near zero: far from there, each row is the
    right one times a factor of its own.
    """
    return any(_loses_digits(evidence, shift) for shift in _FAR)


def _loses_digits(evidence: Evidence, far_off: float) -> bool:
    x = evidence.probes[0].args[0]
    try:
        rows, far = (evidence.run_with(evidence.fresh, x + shift).value for shift in (0.0, far_off))
    except CandidateError:
        return False
    if not isinstance(rows, Tensor) or not isinstance(far, Tensor) or far.shape != rows.shape:
        return False
    rows, far = rows.flatten(0, -2), far.flatten(0, -2)
    factors = (far * rows).sum(-1, keepdim=True) / rows.square().sum(-1, keepdim=True)
    told = (far - factors * rows).abs().amax(-1) <= _COARSE * factors.abs().squeeze(-1)
    is_seen = (factors - 1).abs().squeeze(-1) > _COARSE
    return bool((told & is_seen | far.isnan().any(-1)).sum() > len(rows) // 2)


def _with_scores(right: Reading, factor: float) -> Values:
    """Its numbers with longer or shorter queries and keys."""
    values: Values = right.evidence.values
    for place in (place for place in right.places.numbers if place.endswith(_ASKING)):
        values = right.places.multiplied(values, [place], factor)
    return values


def _masked(evidence: Evidence) -> Probe:
    """The first call with a mask, which is of no floats."""
    return next(
        probe
        for probe in evidence.probes
        if any(not given.is_floating_point() for given in probe.args[1:])
    )
