"""Hidden checks of chapter 09's functions: pooling over real tokens, and loading BERT's weights."""

from functools import partial
from typing import Any

import torch
from torch import Generator, Tensor

from ...candidate.candidate import Candidate
from ...candidate.failures import CandidateError
from ...candidate.message import Choice, known
from ...marking.check import Reference, check
from ...marking.expect import Mismatch, again, agree, answers, gradients, untouched, wrong
from ...marking.facts import describe
from ...marking.inputs import MASK_KINDS, normal, one_large, sized
from ...worker.values import Config
from ..misconceptions.pretrained_bert import FIELDS, HARNESS, hidden_states, inputs, state_dict
from .loading_trials import kept_fresh, taken_for_each_other
from .odd_weights import MANY_UNKNOWN, POSITION_IDS, misfits, other_faults, otherwise_named


def _mask(batch: int, seq: int) -> Tensor:
    """Row 0 has one token, the last row has no padding."""
    lengths = torch.linspace(1, seq, batch).round().unsqueeze(1)
    return (torch.arange(seq) < lengths).long()


@check("mean_pool", weight=3, essential=True)
def test_pool(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Every sentence gets the mean over its real tokens."""
    for batch, seq, hidden in ((2, 5, 3), (4, 6, 7), (3, 4, 2), (4, 6, 7)):
        x, mask = normal(generator, batch, seq, hidden), _mask(batch, seq)
        answers(candidate, reference, x, mask, sizes=sized(batch=batch, seq=seq, hidden=hidden))
    again(candidate, x, mask)


@check("mean_pool")
def test_pool_bool(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Bool masks work as well as integers."""
    x, mask = normal(generator, 3, 5, 4), _mask(3, 5)
    for kind, dtype in MASK_KINDS.items():
        answers(candidate, reference, x, mask.to(dtype), what=f"With a {kind} mask")
    for shape in one_large(generator, 2, 3, 2):
        many = normal(generator, *shape), _mask(*shape[:2])
        answers(candidate, reference, *many, what=f"For shape {list(shape)}")
    one = normal(generator, 1, 1, 1), torch.ones(1, 1).long()
    answers(candidate, reference, *one, what="For a single token with a single feature")


@check("mean_pool")
def test_pool_padding(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """What stands at padding makes no difference, however large it is."""
    x, mask = normal(generator, 3, 5, 4), _mask(3, 5)
    for size in (1000.0, 1e30):
        loud = torch.where(mask.unsqueeze(-1) == 0, (x * size).clamp(-1e30, 1e30), x)
        answers(candidate, reference, loud, mask, what=f"With {size:g} times as much at padding")


@check("mean_pool")
def test_pool_anywhere(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Real tokens count wherever they stand, with padding before them and in between too."""
    mask = torch.tensor([[0, 0, 1, 1, 1], [1, 0, 1, 0, 1], [0, 0, 0, 0, 1]])
    for each in (mask, mask.bool(), mask.flip(1)):
        answers(candidate, reference, normal(generator, 3, 5, 4), each)


@check("mean_pool")
def test_pool_zeros(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """A real token counts with all its numbers, zeros too."""
    x, mask = normal(generator, 3, 5, 4), _mask(3, 5)
    x[1, 1, 2] = x[2, 0, 0] = 0.0
    answers(candidate, reference, x, mask, what="With zeros in two vectors")
    x[2, 3] = x[:, 1] = 0.0
    answers(candidate, reference, x, mask, what="With real tokens whose vectors are 0")
    answers(candidate, reference, 0 * x, mask, what="With zeros everywhere")


@check("mean_pool")
def test_pool_stays(candidate: Candidate, generator: Generator) -> None:
    """Hidden state and mask stay as they are, and may lie in memory in any way."""
    untouched(candidate, normal(generator, 3, 5, 4), _mask(3, 5))


@check("mean_pool")
def test_pool_gradient(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Gradients flow back to the real tokens, and to no padding."""
    x, mask = normal(generator, 3, 5, 4), _mask(3, 5)
    for each in (x, 0 * x):
        gradients(candidate, reference, each, mask, generator=generator)


def _loaded(
    candidate: Candidate,
    weights: dict[str, Tensor],
    given: list[Any],
    fields: dict[str, Any] = FIELDS,
    double: bool = False,
) -> Any:
    got = candidate.through("grader_load_bert", Config(fields), weights, given, double)
    if not isinstance(got, dict):
        raise wrong("The loading could not be followed.")
    if got.get("retyped"):
        raise wrong(
            "After loading, {} parameters have another dtype than before.", len(got["retyped"])
        )
    return got


@check("load_bert_weights", weight=3, essential=True, harness=HARNESS)
def test_load(candidate: Candidate, generator: Generator) -> None:
    """After loading, your encoder computes what BERT with these weights computes."""
    for _ in range(2):
        weights, given = state_dict(generator), inputs(generator)
        right = partial(_is_right, candidate, given)
        expected = hidden_states(FIELDS, weights, given)
        got = _loaded(candidate, weights, given)
        sizes = sized(batch=2, seq=7, hidden=FIELDS["hidden_size"])
        try:
            for found, wanted in zip(got["hidden"], expected, strict=True):
                agree(found, wanted, 1e-4, "The hidden state of the loaded model", sizes)
        except Mismatch as wrong:
            detail = kept_fresh(got) or taken_for_each_other(weights, right)
            raise wrong.and_also(detail) from None


def _is_right(candidate: Candidate, given: list[Any], weights: dict[str, Tensor]) -> bool:
    expected = hidden_states(FIELDS, weights, given)
    try:
        got = _loaded(candidate, weights, given)["hidden"]
    except CandidateError:
        return False
    return all(not describe(a, b, None, 1e-4) for a, b in zip(got, expected, strict=True))


@check("load_bert_weights", weight=2)
def test_load_strict(candidate: Candidate, generator: Generator) -> None:
    """A tensor that is missing, unknown, there twice or of a wrong shape: nothing is copied."""
    _loaded(candidate, state_dict(generator), [])  # who refuses this too has told nothing apart
    for case, got in _refusals(candidate, generator).items():
        if not got["refused"]:
            raise wrong("A state dict with {} is accepted without a word.", known(case))
        if got["copied"]:
            raise wrong(
                "A state dict with {} is refused, but by then a part of it had been copied.",
                known(case),
            )


def _refusals(candidate: Candidate, generator: Generator) -> dict[str, Any]:
    """What came of each state dict that does not fit, by what is wrong with it; asked once."""

    def asked() -> dict[str, Any]:
        cases = misfits(state_dict(generator))
        return {case: _loaded(candidate, given, []) for case, given in cases.items()}

    return candidate.once("refusals", asked)


@check("load_bert_weights")
def test_load_says_which(candidate: Candidate, generator: Generator) -> None:
    """Whatever does not fit, it is a ValueError, and that names every tensor that is unknown."""
    for case, found in _refusals(candidate, generator).items():
        if found["refused"] not in ("", "ValueError"):
            raise wrong(
                "With {} it raises {}; a ValueError was promised.", known(case), found["refused"]
            )
    unknown = dict.fromkeys(MANY_UNKNOWN, torch.zeros(3))
    for beside, weights in other_faults(state_dict(generator)).items():
        got = _loaded(candidate, {**weights, **unknown}, [])
        if got["refused"] and got["refused"] != "ValueError":
            raise wrong("It raises {}; a ValueError was promised.", got["refused"])
        unsaid = [name for name in MANY_UNKNOWN if name not in got["told"]]
        if got["refused"] and unsaid:
            raise wrong(
                "Of {} unknown tensors{}, the message does not name {}.",
                len(MANY_UNKNOWN),
                known(beside),
                Choice(unsaid[0], len(MANY_UNKNOWN)),
            )


@check("load_bert_weights")
def test_load_deep(candidate: Candidate, generator: Generator) -> None:
    """A model of twelve layers is loaded as well, and one of a single layer with a single head."""
    for layers, heads in ((12, 3), (1, 1)):
        fields = {**FIELDS, "num_hidden_layers": layers, "num_attention_heads": heads}
        weights, given = state_dict(generator, fields), inputs(generator)
        expected = hidden_states(fields, weights, given)
        got = _loaded(candidate, weights, given, fields)["hidden"]
        agree(got[0], expected[0], 1e-3, f"Of a model with num_hidden_layers={layers}")


@check("load_bert_weights")
def test_load_names(candidate: Candidate, generator: Generator) -> None:
    """Names as they are found: a "bert." in front, gamma and beta, a pooler and position_ids."""
    weights, given = state_dict(generator), inputs(generator)
    expected = hidden_states(FIELDS, weights, given)
    for case, given_weights in otherwise_named(weights).items():
        got = _loaded(candidate, given_weights, given)["hidden"]
        agree(got[0], expected[0], 1e-4, case)


@check("load_bert_weights")
def test_load_dtype(candidate: Candidate, generator: Generator) -> None:
    """A copied tensor takes the parameter's dtype, of a checkpoint with other ones too."""
    weights, given = state_dict(generator), inputs(generator)
    for case, dtype in (("16 bits", torch.float16), ("64 bits", torch.float64)):
        other = {name: tensor.to(dtype) for name, tensor in weights.items()}
        expected = hidden_states(FIELDS, other, given)
        got = _loaded(candidate, other, given)["hidden"]
        agree(got[0], expected[0], 1e-4, f"Of a state dict with numbers of {case}")
    if _loaded(candidate, weights, [], double=True)["refused"]:
        raise wrong("A state dict of 32 bits is refused where the model has 64.")


@check("load_bert_weights")
def test_load_copies(candidate: Candidate, generator: Generator) -> None:
    """The state dict stays as it is, and the model has its own copies, ready to be trained."""
    weights = state_dict(generator)
    got = _loaded(candidate, weights, inputs(generator))
    try:
        kept = _loaded(candidate, {**weights, **POSITION_IDS}, inputs(generator))["kept"]
    except CandidateError:  # another check is about what may be left over
        kept = True
    if not (got["kept"] and kept):
        raise wrong("After loading, the state dict is no longer what it was.")
    if got["aliased"]:
        raise wrong("The model shares memory with the state dict: changing one changes the other.")
    if not got["trainable"]:
        raise wrong("After loading, some parameters no longer require a gradient.")
