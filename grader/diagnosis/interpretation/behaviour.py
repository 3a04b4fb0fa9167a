"""What a module shows beyond values: dropout, fresh start, what it owns; it writes no texts."""

from __future__ import annotations

from typing import Any

import torch
from torch import Generator, Tensor

from ...candidate.candidate import Candidate, CandidateError, CandidateModule, Outcome
from ...candidate.message import Message, say
from ...candidate.seeds import generator_for
from ..misconceptions.catalogue import Misconception
from ..misconceptions.observed import (
    DROPOUT_PLACE,
    DROPOUT_RATE,
    DROPOUT_UNSCALED,
    DROPOUT_WHOLE,
    MADE_ANEW,
    NO_DROPOUT,
    UNSTEADY,
)
from .computed_parameters import effective_evidence
from .evidence import Evidence, TooLarge, near, observe
from .layer_dropout import drops_residual, post_norm_dropout, stack_dropout
from .layouts import evaluate
from .module_subject import ModuleSubject
from .own_rates import rate_of_its_own
from .places import places_of
from .search import Interpretation, interpret
from .sizes import RATE

_PROMISED = (  # their docstrings say where a dropout has to be
    *("Embeddings", "FeedForward", "PostNormEncoderLayer"),
    *("TransformerForSequenceClassification", "BertEncoder"),
)
# Where others have one, its rate is the config's.
DROPPERS = (
    *_PROMISED,
    *("TransformerEncoderLayer", "TransformerEncoder", "TransformerDecoderLayer"),
)
_PRE_NORM = ("TransformerEncoderLayer", "TransformerDecoderLayer")
PLACERS = (  # those that need ids of their own
    *("Embeddings", "TransformerEncoder", "TransformerForSequenceClassification", "BertEncoder"),
)
_REPEAT = 60
_SAME = 1e-5  # up to rounding
# What a fresh layer's numbers are drawn with, and no dropout's.
_BEGINNINGS = {"aten::uniform_", "aten::normal_", "aten::randn", "aten::trunc_normal_"}


def observed(subject: ModuleSubject, candidate: Candidate, seed: int) -> Evidence:
    """Evidence on a candidate, gathered once; raises CandidateError where it cannot be built."""
    key = f"evidence {subject.arguments!r}"
    if key not in candidate.memory:
        generator = generator_for(seed, subject.exercise, "evidence")
        try:
            candidate.memory[key] = _readable(
                subject, candidate, observe(subject, candidate, generator), generator
            )
        except TooLarge as error:
            candidate.memory[key] = error
    found: Evidence | TooLarge = candidate.memory[key]
    if isinstance(found, TooLarge):
        raise found
    return found


def _readable(
    subject: ModuleSubject, candidate: Candidate, evidence: Evidence, generator: Generator
) -> Evidence:
    """Evidence on what its parameters come to, where they alone tell nothing."""
    values = [o.value for o in evidence.outcomes if isinstance(o, Outcome)]
    whole = len(values) == len(evidence.probes) and all(isinstance(v, Tensor) for v in values)
    if not whole or not evidence.is_steady or interpret(subject, evidence) is not None:
        return evidence
    found = effective_evidence(subject, candidate, evidence, generator)
    if found is None:
        return evidence
    found.loose = held_loosely(evidence)
    return found


def as_first_call(
    subject: ModuleSubject, candidate: Candidate, evidence: Evidence, *args: Any
) -> Any:
    """What one that was never called before answers, with the same numbers in its parameters."""
    evidence = evidence.written or evidence
    module = candidate.build(*subject.arguments)
    try:
        module.write(evidence.values)
    except CandidateError:  # some sizes come with the first call: this very one
        module.run(*args)
        module.write(evidence.values)
    return module.run(*args).value


def held_loosely(evidence: Evidence) -> tuple[str, ...]:
    """Parameters and layers that a module holds without registering them, and works with.

    A layer that only lends its shape, such as a template whose weights come from elsewhere, has
    nothing to learn; one without parameters matters to eval() alone.
    """
    if evidence.loose is None:
        evidence.loose = _held_loosely(evidence)
    return evidence.loose


def _held_loosely(evidence: Evidence) -> tuple[str, ...]:
    loose = evidence.module.loose
    held = [info.path for info in loose if info.kind == "parameter"]
    matter = {path for path in held if _is_used(evidence, path)}
    for layer in (info.path for info in loose if info.kind == "module"):
        own = {path for path in held if path.startswith(f"{layer}.")}
        if own & matter or (not evidence.is_steady and not own):
            matter.add(layer)
    return tuple(info.path for info in loose if info.path in matter)


def _is_used(evidence: Evidence, path: str) -> bool:
    """Whether an answer depends on a parameter; gradients that do not flow would hide it."""
    if path not in evidence.values:  # without numbers, as on the meta device
        return False
    value = evidence.values[path]
    # Not all by as much: a norm behind it would take that back.
    moved = value + torch.randn(value.shape, generator=torch.Generator().manual_seed(0))
    for probe, before in zip(evidence.probes, evidence.outcomes, strict=True):
        if not isinstance(before, Outcome):
            return True
        try:
            with evidence.holding({path: moved}):
                after = evidence.module.run(*probe.args, **probe.kwargs).value
        except CandidateError:
            return True
        values = isinstance(after, Tensor) and isinstance(before.value, Tensor)
        if not (values and near(after, before.value, _SAME)):
            return True
    return False


def layers_out_of_reach(module: CandidateModule) -> tuple[str, ...]:
    """Layers that a module holds without registering them: eval() does not reach these."""
    return tuple(info.path for info in module.loose if info.kind == "module")


def chance_turn(evidence: Evidence) -> Misconception | None:
    """Why chance has a say in evaluation, where a dropout or fresh numbers in each call explain it.

    Other code too gives two answers to one question, such as a generator of layers that is used up,
    or a dropout that eval() does not reach.
    """
    pairs = zip(evidence.probes, evidence.answers, strict=True)
    args = next(probe.args for probe, answer in pairs if not answer.steady)
    try:
        one, other, again = (evidence.module.run(*args, seed=seed).value for seed in (1, 2, 1))
        ran = evidence.module.run(*args, trace=True).operators
    except CandidateError:
        return None
    values = all(isinstance(value, Tensor) for value in (one, other, again))
    if not (values and torch.equal(one, again) and not torch.equal(one, other)):
        return None
    if _BEGINNINGS & set(ran):
        return MADE_ANEW
    return None if layers_out_of_reach(evidence.module) else UNSTEADY


def plain_tensors(subject: ModuleSubject, evidence: Evidence) -> tuple[str, ...]:
    """Tensors shaped like a parameter of the exercise, where without them nothing is right."""
    if subject.exercise != "AdditiveScores" or interpret(subject, evidence) is not None:
        return ()
    query_dim, key_dim, hidden_dim = subject.arguments
    maps = [sorted((hidden_dim, dim)) for dim in (query_dim, key_dim, 1)]
    held = [info for info in evidence.module.loose if info.kind == "tensor"]
    return tuple(i.path for i in held if sorted(i.shape) in maps or i.shape == (hidden_dim,))


def on_one_device(subject: ModuleSubject, candidate: Candidate, evidence: Evidence) -> bool:
    """Whether ids that the module makes live where its input lives, tried on the meta device.

    Of one that was called once, and with no mask: one that is kept from another call is another
    mistake.
    """
    given = evidence.probes[0].args
    module = candidate.build(*subject.arguments)
    try:
        module.run(*given)
        module.run(*given, meta=True)
    except CandidateError as error:
        message = error.problem.message
        return not ("same device" in message or "expected device" in message)
    return True


def fresh_norm(evidence: Evidence, right: Interpretation | None = None) -> bool:
    """Whether a LayerNorm begins with a scale of ones and a shift of zeros.

    Which is which says the `right` reading; without one, either will do.
    """
    if right is not None:
        roles = evaluate(right.parts, evidence.fresh)
        return bool((roles["w"] == 1).all() and (roles["b"] == 0).all())
    hidden = evidence.probes[0].args[0].shape[-1]
    fresh = [evidence.fresh[p.name] for p in evidence.params]
    upright = [value.T if value.dim() == 2 and len(value) == hidden else value for value in fresh]
    rows = [row for v in upright if v.numel() % hidden == 0 for row in v.reshape(-1, hidden)]
    ones = any(bool((row == 1).all()) for row in rows)
    return ones and any(bool((row == 0).all()) for row in rows)


def dropout_turn(
    subject: ModuleSubject, candidate: Candidate, evidence: Evidence, right: Interpretation
) -> Misconception | None:
    """How the dropout of a module with right values is wrong; None where it is right."""
    turn = _promised_dropout(subject, evidence, right) if subject.exercise in _PROMISED else None
    if turn is None and rate_of_its_own(subject, candidate, evidence, right):
        return DROPOUT_RATE
    if subject.exercise in _PRE_NORM and drops_residual(evidence):
        return DROPOUT_PLACE
    return turn


def _promised_dropout(
    subject: ModuleSubject, evidence: Evidence, right: Interpretation
) -> Misconception | None:
    """How the dropout that the docstring speaks of is wrong; None where it is right."""
    try:
        if subject.exercise == "TransformerForSequenceClassification":
            return _classifier_dropout(subject, evidence, right)
        if subject.exercise == "PostNormEncoderLayer":
            return post_norm_dropout(evidence, places_of(right.parts, evidence.values), RATE)
        if subject.exercise == "BertEncoder":
            return stack_dropout(evidence, places_of(right.parts, evidence.values), RATE)
    except (IndexError, KeyError, RuntimeError):  # in odd layouts no place can be set: unseen
        return None
    return _last_dropout(evidence)


def _last_dropout(evidence: Evidence) -> Misconception | None:
    """How a dropout that comes last is wrong; None where it is right."""
    probe = evidence.probes[0]
    calm = evidence.outcomes[0]
    assert isinstance(calm, Outcome)
    many = [torch.cat([part] * _REPEAT) for part in probe.args]  # draws side by side: one call
    drawn = evidence.module.run(*many, train=True, seed=11).value
    wanted = (_REPEAT, *calm.value.shape)
    if not isinstance(drawn, Tensor) or drawn.numel() != _REPEAT * calm.value.numel():
        return DROPOUT_PLACE
    return _dropped(drawn.reshape(wanted), calm.value, RATE)


def _dropped(drawn: Tensor, calm: Tensor, rate: float) -> Misconception | None:
    """Whether `drawn` [repeat, ...] is `calm` with a share `rate` zeroed and the rest scaled up."""
    if bool((drawn - calm).abs().max() < 1e-6):
        return NO_DROPOUT
    zero = drawn == 0
    share = float(zero.double().mean())
    if float(zero.all(-1).double().mean()) > rate / 3:  # by chance: rate to the power of the width
        return DROPOUT_WHOLE
    kept = torch.where(zero, torch.zeros(()), drawn)
    scaled = torch.where(zero, torch.zeros(()), calm.expand_as(drawn) / max(1e-6, 1 - share))
    scale = max(1.0, float(scaled.abs().max()))
    spread = 6 * (rate * (1 - rate) / drawn.numel()) ** 0.5
    if abs(share - rate) < spread:
        if bool((kept - calm.masked_fill(zero, 0.0)).abs().max() < 1e-4 * scale):
            return DROPOUT_UNSCALED
        exact = torch.where(zero, torch.zeros(()), calm.expand_as(drawn) / (1 - rate))
        return None if bool((kept - exact).abs().max() < 1e-4 * scale) else DROPOUT_PLACE
    looks_dropped = share > 0.01 and bool((kept - scaled).abs().max() < 0.2 * scale)
    return DROPOUT_RATE if looks_dropped else DROPOUT_PLACE


def _classifier_dropout(
    subject: ModuleSubject, evidence: Evidence, right: Interpretation
) -> Misconception | None:
    """Make the [CLS] vector the same in every draw, then watch the logits' linear map draw from it.

    With a final norm whose scale is 0, [CLS] is that norm's shift. Without one, the embeddings'
    norm is treated so and the layers are silenced; its own dropout then comes on top.
    """
    names = places_of(right.parts, evidence.values)
    final = "final_norm" in right.parts
    values = {name: value.clone() for name, value in evidence.values.items()}
    if final:
        names.assign(values, ("final_norm", "w"), 0.0)
        names.assign(values, ("final_norm", "b"), 2.0)
    else:
        names.assign(values, ("norm", "w"), 0.0)
        names.assign(values, ("norm", "b"), 2.0)
        for index in range(len(right.parts["layers"])):
            for part, leaf in (
                ("attention", "o_w"),
                ("attention", "o_b"),
                ("contract", "w"),
                ("contract", "b"),
            ):
                names.assign(values, ("layers", index, part, leaf), 0.0)
    labels = right.parts["head"]["w"](values).shape[0]
    names.assign(values, ("head", "w"), 0.0)
    names.assign(values, ("head", "b"), 0.0)
    head = names.numbers["head", "w"]
    for label in range(labels):  # labels 0 and 1 read feature 0 alone, label j feature j − 1
        names.assign_at(values, head[label, max(0, label - 1)], 1.0)
    ids = torch.ones(12 * _REPEAT, 2, dtype=torch.long)
    with evidence.holding(values):
        stacked = evidence.module.run(ids, train=True, seed=11).value
    if not isinstance(stacked, Tensor) or stacked.shape != (12 * _REPEAT, labels):
        return DROPOUT_PLACE
    if not bool((stacked[:, 0] == stacked[:, 1]).all()):
        return DROPOUT_PLACE  # what one feature gives was dropped after the map
    kept = 1 - RATE
    share = float((stacked == 0).double().mean())
    wanted = RATE if final else 1 - kept * kept
    spread = 6 * (wanted * (1 - wanted) / stacked.numel()) ** 0.5
    top = float(stacked.max())
    if abs(share - wanted) < spread and abs(top - 2 / (kept if final else kept**2)) < 1e-3:
        return None
    silent = 0.0 if final else RATE
    if abs(share - silent) < max(1e-9, 6 * (silent * (1 - silent) / stacked.numel()) ** 0.5):
        return NO_DROPOUT
    return DROPOUT_RATE


def influences(
    module: CandidateModule, args: tuple[Any, ...], generator: Generator
) -> Message | None:
    """A sentence where sentences of a batch influence each other; None where they do not."""
    first = module.run(*args).value
    changed = []
    for part in args:
        if isinstance(part, Tensor) and part.is_floating_point():
            moved = part.clone()
            moved[1:] += torch.randn(moved[1:].shape, generator=generator)
            changed.append(moved)
        else:
            changed.append(part)
    second = module.run(*changed).value
    if not isinstance(first, Tensor) or not isinstance(second, Tensor):
        return None
    if first.shape != second.shape or first.dim() < 2 or len(first) < 2:
        return None
    if bool((first[0] - second[0]).abs().max() > 1e-5):
        return say(
            "When other sentences of the batch change, the answer for sentence 0 changes too: an "
            "operation runs over, or mixes up, the batch axis."
        )
    return None
