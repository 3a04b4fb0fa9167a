"""What modules of this course show beyond values: ids, loose tensors, a fresh LayerNorm, a twin."""

from torch import Tensor

from ...candidate.candidate import Candidate
from ...candidate.failures import CandidateError
from ...diagnosis.interpretation.evidence import Evidence, Interpretation
from ...diagnosis.interpretation.held import evaluate
from ...diagnosis.interpretation.module_subject import ModuleSubject
from ...diagnosis.interpretation.search import interpret
from ...diagnosis.sameness import near
from ...diagnosis.tolerances import AGAIN

PLACERS = (  # those that need ids of their own
    *("Embeddings", "TransformerEncoder", "TransformerForSequenceClassification", "BertEncoder"),
)


def plain_tensors(subject: ModuleSubject, evidence: Evidence) -> tuple[str, ...]:
    """Tensors shaped like a parameter of the exercise, where without them nothing is right."""
    if subject.exercise != "AdditiveScores" or interpret(subject, evidence) is not None:
        return ()
    query_dim, key_dim, hidden_dim = subject.arguments
    maps = [sorted((hidden_dim, dim)) for dim in (query_dim, key_dim, 1)]
    held = [info for info in evidence.module.loose if info.kind == "tensor"]
    return tuple(i.path for i in held if sorted(i.shape) in maps or i.shape == (hidden_dim,))


def fresh_norm(evidence: Evidence, right: Interpretation | None = None) -> bool:
    """Whether a LayerNorm begins with a scale of ones and a shift of zeros.

    Which is which says the `right` reading; without one, either will do.
    """
    if right is not None:
        roles = evaluate(right.parts, evidence.fresh)
        return bool((roles["weight"] == 1).all() and (roles["bias"] == 0).all())
    hidden = evidence.probes[0].args[0].shape[-1]
    fresh = [evidence.fresh[p.name] for p in evidence.params]
    upright = [value.T if value.dim() == 2 and len(value) == hidden else value for value in fresh]
    rows = [row for v in upright if v.numel() % hidden == 0 for row in v.reshape(-1, hidden)]
    ones = any(bool((row == 1).all()) for row in rows)
    return ones and any(bool((row == 0).all()) for row in rows)


def shared_with_another(subject: ModuleSubject, candidate: Candidate, evidence: Evidence) -> bool:
    """Whether other numbers in the parameters of a second one change what the first answers."""
    try:
        second = candidate.build(*subject.arguments, seed=1)
        before = evidence.module.run(*evidence.probes[0].args).value
        second.write({name: -0.5 * value for name, value in evidence.values.items()})
        after = evidence.module.run(*evidence.probes[0].args).value
    except CandidateError:
        return False
    alike = isinstance(before, Tensor) and isinstance(after, Tensor)
    return alike and not near(after, before, AGAIN)
