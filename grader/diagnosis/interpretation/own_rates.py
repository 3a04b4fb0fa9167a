"""Finds a dropout whose rate is not the config's, wherever in a module it is; names no place."""

from __future__ import annotations

import torch
from torch import Tensor

from ...candidate.candidate import Candidate, CandidateError
from ...worker.values import Config
from .evidence import Evidence, near
from .module_subject import ModuleSubject
from .places import places_of
from .search import Interpretation

_NONE = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
_SEED, _SAME = 11, 1e-5


def rate_of_its_own(
    subject: ModuleSubject, candidate: Candidate, evidence: Evidence, right: Interpretation
) -> bool:
    """Whether numbers are dropped in training where the config's rates are 0.

    What is dropped inside an attention does not count: the exercises leave that free. With output
    projections of zeros none of it is left.
    """
    (config,) = subject.arguments
    try:
        module = candidate.build(Config({**config.fields, **_NONE}))
        values = {name: value.clone() for name, value in evidence.values.items()}
        places = places_of(right.parts, values)
        for place in places.numbers:
            if place[-1] == "o_w":
                places.assign(values, place, 0.0)
        module.write(values)
        args = [torch.cat([part] * 4) for part in evidence.probes[0].args]
        calm, drawn = (module.run(*args, train=train, seed=_SEED).value for train in (False, True))
    except (CandidateError, IndexError, KeyError, RuntimeError):  # in odd layouts: unseen
        return False
    if not (isinstance(calm, Tensor) and isinstance(drawn, Tensor)):
        return False
    return not near(drawn, calm, _SAME)
