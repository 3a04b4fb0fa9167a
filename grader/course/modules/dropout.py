"""Watches the dropout of modules whose values are right: its place, rate and scale.

In a post-norm layer a part that gives ones for every token goes through its dropout, is added to
nothing and normalised: what was zeroed is then the lower of two levels, whatever the norm made of
them. What such a part is set to is a table of levels, by the places of roles.
"""

from collections.abc import Iterator

import torch
from torch import Tensor

from ...candidate.candidate import Candidate, Outcome
from ...candidate.candidate_module import CandidateModule
from ...candidate.failures import CandidateError
from ...diagnosis.interpretation.evidence import Evidence
from ...diagnosis.interpretation.held import Values
from ...diagnosis.interpretation.parameter_reading import Reading
from ...diagnosis.interpretation.places import Levels, Places
from ...diagnosis.misconceptions.catalogue import Misconception
from ...diagnosis.misconceptions.observed import (
    DROPOUT_PLACE,
    DROPOUT_RATE,
    DROPOUT_SHARED,
    DROPOUT_UNSCALED,
    DROPOUT_WHOLE,
    NO_DROPOUT,
)
from ...diagnosis.right_modules import MANY
from ...diagnosis.sameness import near
from ...diagnosis.tolerances import AGAIN, FUNCTION, MODULE
from .own_behaviour import without_rates
from .sizes import BATCH, RATE

_OUT = "attention.output.weight", "attention.output.bias"
_VALUE = "attention.value.weight", "attention.value.bias"
_CONTRACT = "feed_forward.contract.weight", "feed_forward.contract.bias"
_REPEAT = 60
_SHAPE = 50, 4  # sentences and tokens, of each call
_SEED, _OTHER_SEED = 11, 12


def dropout_turn(candidate: Candidate, right: Reading) -> Misconception | None:
    """How the dropout of a module with right values is wrong; None where it is right.

    Many sentences are watched: where values are wrong for as many, none of it speaks of dropout.
    """
    evidence, exercise = right.evidence, right.subject.exercise
    watch = _PROMISED.get(exercise)
    turn = None if watch is None else watch(evidence, right.places)
    if turn is None and _has_rate_of_its_own(candidate, right):
        turn = DROPOUT_RATE
    elif exercise in _PRE_NORM and _drops_residual(evidence):
        turn = DROPOUT_PLACE
    return turn if turn is None or _right_for_many(right) else None


def _right_for_many(right: Reading) -> bool:
    many = [torch.cat([part] * (MANY // BATCH)) for part in right.evidence.probes[0].args]
    try:
        got = right.evidence.module.run(*many).value
    except CandidateError:
        return False
    with torch.no_grad():
        expected = right.subject.run(right.roles, *many)
    return isinstance(got, Tensor) and near(got, expected, right.subject.tolerance)


def _drops_residual(evidence: Evidence) -> bool:
    """Whether a pre-norm layer in training drops what it adds to: then some of its answer is 0."""
    both = _calm_and_drawn(evidence.module, evidence)
    return both is not None and not bool((both[0] == 0).any()) and bool((both[1] == 0).any())


def _calm_and_drawn(module: CandidateModule, evidence: Evidence) -> tuple[Tensor, Tensor] | None:
    """Its answers without and with dropout; several of a sentence, so that chance spares none."""
    args = [torch.cat([part] * 8) for part in evidence.probes[0].args]
    calm, drawn = (module.run(*args, train=train, seed=_SEED).value for train in (False, True))
    return (calm, drawn) if isinstance(calm, Tensor) and isinstance(drawn, Tensor) else None


def _has_rate_of_its_own(candidate: Candidate, right: Reading) -> bool:
    """Whether numbers are dropped in training where the config's rates are 0.

    What is dropped inside an attention does not count: the exercises leave that free. With output
    projections of zeros none of it is left.
    """
    try:
        module = candidate.build(*map(without_rates, right.subject.arguments))
        silent = {place: 0.0 for place in right.places.numbers if place.endswith("output.weight")}
        module.write(right.places.changed(right.evidence.values, silent))
        both = _calm_and_drawn(module, right.evidence)
    except CandidateError:
        return False
    return both is not None and not near(both[1], both[0], FUNCTION)


def _last_dropout(evidence: Evidence, _: Places) -> Misconception | None:
    """How a dropout that comes last is wrong; None where it is right."""
    calm = evidence.outcomes[0]
    assert isinstance(calm, Outcome)
    # Draws side by side: two calls.
    many = [torch.cat([part] * (_REPEAT // 2)) for part in evidence.probes[0].args]
    drawn = _twice(evidence, evidence.values, *many)
    if drawn is None or drawn.numel() != _REPEAT * calm.value.numel():
        return DROPOUT_PLACE
    return _dropped(drawn.reshape(_REPEAT, *calm.value.shape), calm.value)


def _dropped(drawn: Tensor, calm: Tensor) -> Misconception | None:
    """Whether `drawn` [repeat, ...] is `calm` with a share zeroed and the rest scaled up."""
    if bool((drawn - calm).abs().max() < AGAIN):
        return NO_DROPOUT
    zero = drawn == 0
    share = float(zero.double().mean())
    if any(_rows_alone(zero.all(axis), zero.any(axis)) for axis in (-1, -2)):
        return DROPOUT_WHOLE
    if _shared(zero.flatten(0, 1)):
        return DROPOUT_SHARED

    def scaled(rate: float) -> Tensor:
        return (calm / max(1e-6, 1 - rate)).masked_fill(zero, 0.0)

    scale = max(1.0, float(scaled(share).abs().max()))

    def is_scaled(rate: float, tolerance: float) -> bool:
        return bool((drawn - scaled(rate)).abs().max() < tolerance * scale)

    if abs(share - RATE) < _spread(RATE, drawn):
        if is_scaled(0.0, MODULE):
            return DROPOUT_UNSCALED
        return None if is_scaled(RATE, MODULE) else DROPOUT_PLACE
    return DROPOUT_RATE if share > 0.01 and is_scaled(share, 0.2) else DROPOUT_PLACE


def _rows_alone(whole: Tensor, some: Tensor) -> bool:
    """Whether each row is zeroed whole or not at all, and both kinds are there."""
    return torch.equal(whole, some) and bool(whole.any()) and not bool(whole.all())


def _shared(zero: Tensor) -> bool:
    """Whether two slices along an axis are zeroed at the same places.

    By chance, a pair of more than 100 numbers is so once in 10¹⁶ times; shorter ones are left out.
    """
    if not RATE / 2 < float(zero.double().mean()) < 1 - RATE / 2:
        return False  # where all is kept, or hardly anything, all slices are alike
    slices = (zero.movedim(axis, 0).flatten(1).byte() for axis in range(zero.dim()))
    return any(len(each.unique(dim=0)) < len(each) for each in slices if each.shape[1] > 100)


def _spread(rate: float, drawn: Tensor) -> float:
    """How far the share that is zeroed may be from its rate by chance."""
    return float(6 * (rate * (1 - rate) / drawn.numel()) ** 0.5)


def _classifier_dropout(evidence: Evidence, places: Places) -> Misconception | None:
    """Make the [CLS] vector the same in every draw, then watch the logits' linear map draw from it.

    With a final norm whose scale is 0, [CLS] is that norm's shift. Without one, the embeddings'
    norm is treated so and the layers are silenced; its own dropout then comes on top.
    """
    final = "encoder.norm.weight" in places
    levels = {} if final else _silent(places)
    last = "encoder.norm" if final else "encoder.embeddings.norm"
    levels |= {f"{last}.weight": 0.0, f"{last}.bias": 2.0}
    levels |= {"classifier.weight": 0.0, "classifier.bias": 0.0}
    values = places.changed(evidence.values, levels)
    head = places.numbers["classifier.weight"][0]
    for label, features in enumerate(head):  # labels 0 and 1 read feature 0, label j feature j − 1
        places.assign_at(values, features[max(0, label - 1)], 1.0)
    drawn = _twice(evidence, values, torch.ones(MANY // 2, 2, dtype=torch.long))
    if drawn is None or drawn.shape != (MANY, len(head)):
        return DROPOUT_PLACE
    if not bool((drawn[:, 0] == drawn[:, 1]).all()):
        return DROPOUT_PLACE  # what one feature gives was dropped after the map
    zero = drawn == 0
    # Five features read apart are hardly ever dropped together; all sentences alike never.
    if bool(zero.all(1).double().mean() > RATE / 2) or _rows_alone(zero.all(0), zero.any(0)):
        return DROPOUT_WHOLE
    kept = 1 - RATE if final else (1 - RATE) ** 2
    share = float(zero.double().mean())
    alike = (zero[:, None, 1:] == zero[:, 1:]).all(-1).double()  # what two sentences lose
    often = 0.15 + (share**2 + (1 - share) ** 2) ** (len(head) - 1)  # by chance, once in 10¹⁸ times
    lags = range(1, MANY // 2 + 1)
    if _shared(zero[:, 1:]) or any(alike.diagonal(lag).mean() > often for lag in lags):
        return DROPOUT_SHARED
    if abs(share - (1 - kept)) < _spread(kept, drawn) and abs(drawn.max() - 2 / kept) < 1e-3:
        return None
    silent = 0.0 if final else RATE
    return NO_DROPOUT if abs(share - silent) < max(1e-9, _spread(silent, drawn)) else DROPOUT_RATE


def _post_norm_dropout(evidence: Evidence, places: Places) -> Misconception | None:
    """How a post-norm layer's dropout is wrong; None where it is right."""
    hidden = evidence.probes[0].args[0].shape[-1]
    tokens = torch.randn(*_SHAPE, hidden, generator=torch.Generator().manual_seed(_SEED))
    drawn, calm = (
        _run(evidence, places, _silent(places), tokens, train) for train in (True, False)
    )
    if drawn is None or calm is None or not torch.allclose(drawn, calm, atol=MODULE):
        return DROPOUT_PLACE  # what is added to is dropped too
    turns = (
        _seen(_run(evidence, places, levels, torch.full_like(tokens, float(of_ones))))
        for levels, of_ones in _sites(places)
    )
    return next((turn for turn in turns if turn is not None), None)


def _stack_dropout(evidence: Evidence, places: Places) -> Misconception | None:
    """How the dropout in the layers of a post-norm stack is wrong; None where it is right.

    With an embeddings' norm of zeros and all other layers silent, each layer is watched by itself.
    Layers with no dropout at all are let pass: the stack's own docstring does not speak of it.
    """
    ids = torch.ones(_SHAPE, dtype=torch.long)
    zeros = {"embeddings.norm.weight": 0.0, "embeddings.norm.bias": 0.0}
    turns = [
        _seen(_run(evidence, places, {**levels, **zeros}, ids))
        for place in places.numbers
        if place.endswith(_OUT[0])
        for levels, of_ones in _sites(places, place.removesuffix(_OUT[0]))
        if not of_ones
    ]
    if all(turn is NO_DROPOUT for turn in turns):
        return None
    return next((turn for turn in turns if turn is not None), None)


def _sites(places: Places, layer: str = "") -> Iterator[tuple[Levels, bool]]:
    """What to set, for each dropout of a layer, so that it gets ones; whether of tokens of ones."""
    bias = f"{layer}{_OUT[1]}"
    if bias in places:
        yield {**_silent(places), bias: 1.0}, False
    else:  # it is a token of ones that becomes equal ones
        ones = {_OUT[0]: 1.0, _VALUE[0]: 1.0, _VALUE[1]: 0.0}
        yield {**_silent(places), **{f"{layer}{name}": one for name, one in ones.items()}}, True
    second = {f"{layer}{_CONTRACT[1]}": 1.0, f"{layer}attention_norm.weight": 0.0}
    yield {**_silent(places), **second}, False


def _silent(places: Places) -> Levels:
    """No layer adds anything, and norms only normalise."""
    levels: Levels = {}
    for place in places.numbers:
        if place.endswith((*_OUT, *_CONTRACT)):
            levels[place] = 0.0
        elif "norm." in place:
            levels[place] = float(place.endswith("weight"))
    return levels


def _seen(drawn: Tensor | None) -> Misconception | None:
    """What is wrong with the share of ones that were dropped; None where it is right."""
    if drawn is None:
        return DROPOUT_PLACE
    lowest, highest = drawn.amin(-1, keepdim=True), drawn.amax(-1, keepdim=True)
    lower = (drawn < (lowest + highest) / 2) & (highest - lowest > 1e-2)  # where there are two
    share = float(lower.double().mean())
    if share == 0:
        return NO_DROPOUT
    if _shared(lower):
        return DROPOUT_SHARED
    # The attention, or the feed-forward network, may end with a dropout of its own.
    wanted = (RATE, 1 - (1 - RATE) ** 2)
    right = any(abs(share - one) <= _spread(RATE, drawn) for one in wanted)
    return None if right else DROPOUT_RATE


def _run(
    evidence: Evidence, places: Places, levels: Levels, tokens: Tensor, train: bool = True
) -> Tensor | None:
    """The answers [sentences, tokens, hidden] of two calls with some roles set."""
    values = places.changed(evidence.values, levels)
    value = _twice(evidence, values, tokens, train=train)
    right = value is not None and value.dim() == 3 and value.shape[:2] == (2 * _SHAPE[0], _SHAPE[1])
    return value if right else None


def _twice(evidence: Evidence, values: Values, *args: Tensor, train: bool = True) -> Tensor | None:
    """What two calls give, one behind the other; chance is in another state in each."""
    one, other = (
        evidence.run_with(values, *args, train=train, seed=seed).value
        for seed in (_SEED, _OTHER_SEED)
    )
    both = isinstance(one, Tensor) and isinstance(other, Tensor) and one.dim() > 0
    return torch.cat([one, other]) if both and one.shape == other.shape else None


_PROMISED = {  # their docstrings say where a dropout has to be
    "Embeddings": _last_dropout,
    "FeedForward": _last_dropout,
    "PostNormEncoderLayer": _post_norm_dropout,
    "TransformerForSequenceClassification": _classifier_dropout,
    "BertEncoder": _stack_dropout,
}
_PRE_NORM = ("TransformerEncoderLayer", "TransformerDecoderLayer")
# Where others have one, its rate is the config's.
DROPPERS = (*_PROMISED, *_PRE_NORM, "TransformerEncoder")
