"""What modules show beyond values: ids, loose tensors, a fresh LayerNorm, a twin, their mode."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from torch import Generator, Tensor

from ...candidate.asks import LooseInfo
from ...candidate.candidate import Candidate
from ...candidate.failures import CandidateError
from ...diagnosis.interpretation.evidence import Evidence
from ...diagnosis.interpretation.held import Part, Values, evaluate
from ...diagnosis.interpretation.observing import evidence_on
from ...diagnosis.interpretation.parameter_reading import Reading
from ...diagnosis.interpretation.search import interpret
from ...diagnosis.interpretation.used_parts import parts_held
from ...diagnosis.misconceptions.function_subject import Probe
from ...diagnosis.sameness import near
from ...diagnosis.tolerances import AGAIN, FUNCTION
from ...marking.module_evidence import as_first_call
from ...worker.values import Config

_STAY = ("tensor", "buffer")  # kinds of what no optimizer changes
_NO_RATES = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
_PLACES = 8  # among the parameters, where these are tried
PLACERS = (  # those that need ids of their own
    *("Embeddings", "TransformerEncoder", "TransformerForSequenceClassification", "BertEncoder"),
)


def never_learning(candidate: Candidate, evidence: Evidence) -> tuple[LooseInfo, ...]:
    """Buffers and plain tensors where all is right once they are taken for parameters."""
    subject = evidence.subject
    written = evidence.written or evidence
    held = [info for info in written.module.loose if info.kind in _STAY]
    if not held or not evidence.is_steady or interpret(evidence) is not None:
        return ()

    def found() -> tuple[LooseInfo, ...]:
        module, paths = written.module, {info.path for info in held}
        fresh = candidate.request("read", handle=module.handle, loose=True)["values"]
        try:
            read = evidence_on(subject, module, fresh, Generator().manual_seed(0), _STAY)
        except CandidateError:
            return ()
        finally:
            module.write({**fresh, **written.values})
        own = [param for param in read.params if param.name not in paths]
        kept = [param for param in read.params if param.name in paths]
        orders = [[*own[:at], *kept, *own[at:]] for at in range(min(len(own), _PLACES) + 1)]
        for params in orders if kept else ():  # in which they were registered, nobody tells
            parts = parts_held({param.name: param.shape for param in params})
            last = parts[-1]
            apart = [*parts[:-1], replace(last, bias=None), Part(last.bias)]
            for each in (parts, apart) if last.bias else (parts,):
                trial = replace(read, params=params, parts=each, held=each)
                if interpret(trial) is not None:
                    taken = {param.name for param in kept}
                    return tuple(info for info in held if info.path in taken)
        return ()

    return candidate.once(f"never learning {subject.arguments!r}", found)


def fresh_norm(evidence: Evidence, right: Reading | None = None) -> bool:
    """Whether a LayerNorm begins with a scale of ones and a shift of zeros.

    Which is which says the `right` reading; without one, either will do.
    """
    if right is not None:
        roles = evaluate(right.layout, evidence.fresh)
        return bool((roles["weight"] == 1).all() and (roles["bias"] == 0).all())
    hidden = evidence.probes[0].args[0].shape[-1]
    fresh = [evidence.fresh[p.name] for p in evidence.params]
    upright = [value.T if value.dim() == 2 and len(value) == hidden else value for value in fresh]
    rows = [row for v in upright if v.numel() % hidden == 0 for row in v.reshape(-1, hidden)]
    ones = any(bool((row == 1).all()) for row in rows)
    return ones and any(bool((row == 0).all()) for row in rows)


def depends_on_earlier_calls(candidate: Candidate, evidence: Evidence) -> bool:
    """Whether a call is answered otherwise than as the first one.

    After one of the same sizes, after one with more tokens, and after one with other numbers in the
    parameters.
    """
    probe = max(evidence.probes, key=lambda each: len(each.args))
    turned = [part.flip(0) if isinstance(part, Tensor) else part for part in probe.args]
    seq = probe.args[0].shape[1] if probe.args[0].dim() > 1 else 0
    shorter = [_without_last(part, seq) for part in probe.args]
    halves = {name: 0.5 * value for name, value in (evidence.written or evidence).values.items()}

    def is_answered_otherwise(later: Sequence[Any], values: Values | None = None) -> bool:
        try:
            again = as_first_call(candidate, evidence, *later, after=probe.args, values=values)
            first = as_first_call(candidate, evidence, *later, values=values)
        except CandidateError:
            return False
        if not (isinstance(first, Tensor) and isinstance(again, Tensor)):
            return False
        focused, focus = evidence.subject.focused, Probe(tuple(later))
        one, two = (focused(value, focus).nan_to_num() for value in (first, again))
        return not near(two, one, AGAIN)

    return (
        is_answered_otherwise(turned)
        or is_answered_otherwise(shorter)
        or is_answered_otherwise(probe.args, halves)
    )


def _without_last(part: Any, seq: int) -> Any:
    """The same without the last of so many tokens, along each axis that is so long."""
    for axis in range(1, part.dim() if isinstance(part, Tensor) else 0):
        if part.shape[axis] == seq > 1:
            part = part.narrow(axis, 0, seq - 1)
    return part


def shared_with_another(candidate: Candidate, evidence: Evidence) -> bool:
    """Whether other numbers in the parameters of a second one change what the first answers."""
    try:
        second = candidate.build(*evidence.subject.arguments, seed=1)
        before = evidence.module.run(*evidence.probes[0].args).value
        second.write({name: -0.5 * value for name, value in evidence.values.items()})
        after = evidence.module.run(*evidence.probes[0].args).value
    except CandidateError:
        return False
    alike = isinstance(before, Tensor) and isinstance(after, Tensor)
    return alike and not near(after, before, AGAIN)


def answers_otherwise_in_training(candidate: Candidate, evidence: Evidence) -> bool:
    """Whether the mode alone changes an answer, where nothing is dropped.

    False where chance plays a part all the same: what an attention drops is left free.
    """
    hows = {"train": False}, {"train": True, "seed": 1}, {"train": True, "seed": 2}
    try:
        module = candidate.build(*map(without_rates, evidence.subject.arguments))
        module.write(evidence.values)
        asks = [module.running(*p.args, **p.kwargs, **how) for p in evidence.probes for how in hows]
        answers = [getattr(each, "value", None) for each in module.several(*asks)]
    except CandidateError:
        return False
    threes = zip(evidence.probes, answers[::3], answers[1::3], answers[2::3], strict=True)
    for probe, *three in threes:
        tensors = [each for each in three if isinstance(each, Tensor)]
        focused = [evidence.subject.focused(each, probe) for each in tensors]
        if len(focused) < len(three):
            continue
        calm, one, other = focused
        if near(one, other, AGAIN) and not near(one, calm, FUNCTION):
            return True
    return False


def without_rates(argument: Any) -> Any:
    """What a module is made with where nothing is to be dropped."""
    return Config({**argument.fields, **_NO_RATES}) if isinstance(argument, Config) else argument
