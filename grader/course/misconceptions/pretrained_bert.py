"""Inputs of mean_pool, and what a model loaded by load_bert_weights computes; no wrong turn."""

from types import SimpleNamespace
from typing import Any

import torch
from torch import Generator, Tensor

from solutions.pretrained_bert import BertEncoder, load_bert_weights

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe, standard_normal
from ...worker.values import Config


def pool_probes(generator: Generator) -> tuple[Probe, ...]:
    """Integers and bools, padded and not, sizes pairwise different and coinciding."""
    draw = standard_normal(generator)
    mask = torch.tensor([[1, 1, 0, 0, 0], [1, 1, 1, 1, 0]])
    square = torch.tensor([[1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1], [1, 0, 0, 0]])
    three = torch.tensor([[1, 0, 0, 0], [1, 1, 1, 1], [1, 1, 0, 0]])
    holes = torch.tensor([[0, 0, 1, 1], [1, 0, 1, 0], [1, 1, 1, 0]])
    loud = draw(2, 5, 3)
    loud[0, 2] = loud[1, 4] = 2.0**40
    zeros = draw(3, 4, 5)
    zeros[1, 2, 3] = zeros[2, 0, 1] = 0.0
    return (
        Probe((draw(2, 5, 3), mask), gradient=True),
        Probe((draw(3, 4, 6), three)),
        Probe((draw(3, 4, 6), three.bool()), label="a bool mask"),
        Probe((draw(3, 4, 4), three), label="as many features as tokens"),
        Probe((draw(4, 4, 4), square), label="all sizes equal"),
        Probe((draw(1, 4, 4), square[:1]), label="one sentence, as many features as tokens"),
        Probe((draw(3, 4, 5), holes), label="padding on the left and in between"),
        Probe((zeros, three), label="zeros in real tokens"),
        Probe((draw(2, 3, 7), torch.ones(2, 3, dtype=torch.int64)), label="nothing is padded"),
        Probe((loud, mask), label="large numbers at padding", rounds=False, aside=True),
    )


FIELDS: dict[str, Any] = {
    "vocab_size": 23,
    "hidden_size": 12,
    "num_hidden_layers": 2,
    "num_attention_heads": 3,
    "intermediate_size": 20,
    "max_position_embeddings": 9,
    "type_vocab_size": 2,
    "hidden_dropout_prob": 0.1,
    "attention_probs_dropout_prob": 0.1,
    "layer_norm_eps": 1e-12,
    "hidden_act": "gelu",
    "pad_token_id": 0,
    "num_labels": 3,
}
# Runs beside the learner's code: makes their encoder, loads the weights, runs it.
HARNESS = """
def grader_equal(one, other):
    return one.shape == other.shape and bool((one == other).all())


def grader_bert(config):
    maker = globals().get("BertEncoder")
    if maker is None:
        maker = getattr(load_bert_weights, "__globals__", {}).get("BertEncoder")
    if maker is None:
        raise NameError("load_bert_weights needs a BertEncoder to load into; there is none yet")
    return maker(config)


def grader_load_bert(config, state_dict, inputs, double=False):
    model = grader_bert(config).double() if double else grader_bert(config)
    fresh = {name: one.detach().clone() for name, one in model.named_parameters()}
    before, state_dict = state_dict, {name: one.clone() for name, one in state_dict.items()}
    try:
        load_bert_weights(model, state_dict)
    except NotImplementedError:
        raise
    except Exception as refusal:
        if not inputs:
            now = dict(model.named_parameters())
            copied = set(now) != set(fresh)
            copied = copied or not all(grader_equal(now[name], fresh[name]) for name in fresh)
            kind = "ValueError" if isinstance(refusal, ValueError) else type(refusal).__name__
            return {"refused": kind, "copied": copied, "told": str(refusal)[:200_000]}
        raise
    now = dict(model.named_parameters())
    retyped = [name for name in fresh if name in now and now[name].dtype != fresh[name].dtype]
    if not inputs or retyped:
        return {"refused": "", "copied": True, "told": "", "retyped": retyped}
    model.eval()
    unchanged = [name for name in fresh if name in now and grader_equal(now[name], fresh[name])]
    kept = set(before) == set(state_dict)
    kept = kept and all(before[name].equal(state_dict[name]) for name in before)
    shared = {id(tensor) for tensor in state_dict.values()}
    own = [parameter for parameter in model.parameters()]
    places = {tensor.data_ptr() for tensor in state_dict.values()}
    aliased = any(p.data_ptr() in places or id(p) in shared for p in own)
    hidden = [model(*given).detach() for given in inputs]
    for name in state_dict:
        state_dict[name].zero_()
    again = [model(*given).detach() for given in inputs]
    aliased = aliased or not all(map(grader_equal, again, hidden))
    trainable = all(p.requires_grad for p in own)
    found = {"hidden": hidden, "kept": kept, "aliased": aliased, "trainable": trainable}
    return {**found, "unchanged": unchanged, "retyped": []}
"""


def state_dict(generator: Generator, fields: dict[str, Any] = FIELDS) -> dict[str, Tensor]:
    """Random weights under the names that transformers' BertModel gives them."""
    wide, narrow = fields["intermediate_size"], fields["hidden_size"]
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (fields["vocab_size"], narrow),
        "embeddings.position_embeddings.weight": (fields["max_position_embeddings"], narrow),
        "embeddings.token_type_embeddings.weight": (fields["type_vocab_size"], narrow),
    }
    maps = {"intermediate.dense": (wide, narrow), "output.dense": (narrow, wide)}
    for name in ("self.query", "self.key", "self.value", "output.dense"):
        maps[f"attention.{name}"] = (narrow, narrow)
    norms = ["embeddings.LayerNorm"]
    for layer in range(fields["num_hidden_layers"]):
        prefix = f"encoder.layer.{layer}."
        norms += [f"{prefix}attention.output.LayerNorm", f"{prefix}output.LayerNorm"]
        for name, shape in maps.items():
            shapes[f"{prefix}{name}.weight"] = shape
            shapes[f"{prefix}{name}.bias"] = shape[:1]
    for name in norms:
        shapes |= {f"{name}.weight": (narrow,), f"{name}.bias": (narrow,)}
    return {name: torch.randn(shape, generator=generator) * 0.5 for name, shape in shapes.items()}


def inputs(generator: Generator) -> list[tuple[Tensor, Tensor, Tensor]]:
    """Ids, a mask without padding in any row that counts, and types."""
    ids = torch.randint(1, 23, (2, 7), generator=generator)
    types = (torch.arange(7) > 3).long().expand(2, 7).clone()
    return [(ids, torch.ones_like(ids), types), (ids[:, :4], torch.ones(2, 4).long(), types[:, 3:])]


def hidden_states(
    fields: dict[str, Any], weights: dict[str, Tensor], given: list[Any]
) -> list[Tensor]:
    """What BERT computes with these weights."""
    model = BertEncoder(SimpleNamespace(**fields))
    load_bert_weights(model, weights)
    model.eval()
    with torch.no_grad():
        return [model(*one) for one in given]


def loading_probes(generator: Generator) -> tuple[Probe, ...]:
    """Two sets of weights, each run on two batches; then such as do not fit."""
    drawn = ((state_dict(generator), inputs(generator)) for _ in range(2))
    fitting = [Probe((Config(FIELDS), *each)) for each in drawn]
    last = f"encoder.layer.{FIELDS['num_hidden_layers'] - 1}.output.dense.weight"
    weights = state_dict(generator)
    odd = [
        {f"bert.{name}": each for name, each in weights.items()},
        weights | {"bert.pooler.dense.bias": torch.zeros(12)},
        weights | {"pooler.dense.scale": torch.zeros(12)},
        weights | {"embeddings.position_ids.weight": torch.zeros(12)},
        weights | {"embeddings.token_type_ids": torch.zeros(1, 9).long()},
        weights | {"encoder.steps": torch.arange(9)},
        weights | {"encoder.layer.9.output.dense.bias": weights[last][0]},
        weights | {f"bert.{last}": weights[last] + 1},
        {name: each for name, each in weights.items() if name != last},
        {**weights, last: weights[last][:1, :1]},
        {**weights, last: weights[last].T.contiguous()},
        {**weights, last: weights[last][:1]},
        {
            name.replace(last, last.replace("weight", "gamma")): each
            for name, each in weights.items()
        },
    ]
    odd += [
        {name.replace("layer.1.", f"layer.{one}."): each for name, each in weights.items()}
        for one in ("01", "+1")
    ]
    return (*fitting, *(Probe((Config(FIELDS), each, []), aside=True) for each in odd))


def without_words(_: Probe, value: Any) -> Any:
    """An answer but for the words of a refusal."""
    return {k: v for k, v in value.items() if k != "told"} if isinstance(value, dict) else value


SUBJECTS = (
    FunctionSubject("mean_pool", pool_probes),
    FunctionSubject(
        "load_bert_weights",
        loading_probes,
        1e-4,
        view=without_words,
        entry="grader_load_bert",
        harness=HARNESS,
        beside=("BertEncoder",),
    ),
)
