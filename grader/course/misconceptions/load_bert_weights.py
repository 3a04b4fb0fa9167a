"""load_bert_weights seen through what the loaded model computes; knows no wrong turn."""

import math
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import Any

import torch
from torch import Generator, Tensor

from solutions.pretrained_bert import BertEncoder, load_bert_weights

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe
from ...worker.values import Config

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


def grader_load_numbered(config, state_dict):
    model = grader_bert(config)
    for number, parameter in enumerate(model.parameters()):
        parameter.data.fill_(1000.0 + number)
    load_bert_weights(model, state_dict)
    return {name: parameter.detach() for name, parameter in model.named_parameters()}


def grader_bert_marks(config, patterns, ids):
    model = grader_bert(config)
    model.eval()
    own = list(model.named_parameters())
    found = {}
    for name, _ in own:
        for other, parameter in own:
            usual, changed = patterns[str(list(parameter.shape))]
            parameter.data.copy_(changed if other == name else usual)
        found[name] = model(ids).detach()
    return found


def grader_load_bert(config, state_dict, inputs):
    model = grader_bert(config)
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
            return {"refused": kind, "copied": copied, "told": str(refusal)[:20_000]}
        raise
    if not inputs:
        return {"refused": "", "copied": True, "told": ""}
    model.eval()
    now = dict(model.named_parameters())
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
    return {**found, "unchanged": unchanged}
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


FOLLOWED = "grader_load_numbered"  # runs beside the learner's code
MARKS = "grader_bert_marks"
FIRST_NUMBER = 1000  # with which the parameters are filled before
SMALL = {**FIELDS, "vocab_size": 7, "hidden_size": 4, "num_attention_heads": 2} | {
    "intermediate_size": 6,
    "max_position_embeddings": 5,
    "num_hidden_layers": 1,
}


@dataclass(frozen=True)
class StateDictCase:
    """A state dict, and whether it has to be refused."""

    weights: dict[str, Tensor]
    is_bad: bool = False
    is_renamed: bool = False  # from the names that transformers gives them today
    is_whole: bool = False  # with all that is renamed
    beside: frozenset[str] = frozenset()  # that have no place in the model
    told: tuple[str, ...] = ()  # what the error has to name


def cases(generator: Generator) -> list[StateDictCase]:
    """Small state dicts under all names that are right, then such as have to be refused."""
    weights = state_dict(generator, SMALL)
    hidden = SMALL["hidden_size"]
    pooler = {"pooler.dense.weight": torch.zeros(hidden, hidden)}
    extra = pooler | {"pooler.dense.bias": torch.zeros(hidden)}
    extra["embeddings.position_ids"] = torch.arange(5).unsqueeze(0)
    old = {
        name.replace("Norm.weight", "Norm.gamma").replace("Norm.bias", "Norm.beta"): tensor
        for name, tensor in weights.items()
    }
    last = "encoder.layer.0.output.dense.bias"
    wide = "encoder.layer.0.intermediate.dense.weight"
    below = {f"bert.{name}": tensor for name, tensor in weights.items()}
    good = [
        StateDictCase(weights),
        StateDictCase(below, is_renamed=True),
        StateDictCase(old, is_renamed=True),
        StateDictCase({f"bert.{n}": t for n, t in old.items()}, is_renamed=True, is_whole=True),
        StateDictCase({**weights, **extra}, beside=frozenset(extra)),
    ]
    bad = [
        {name: tensor for name, tensor in weights.items() if name != last},
        {**weights, "cls.predictions.bias": torch.zeros(hidden)},
        {**weights, last: torch.zeros(1)},
        {**weights, wide: weights[wide].T.contiguous()},
        {**weights, f"bert.{last}": weights[last]},
    ]
    others = ("cls.predictions.bias", "some.scale")
    two = {**weights, **dict.fromkeys(others, torch.zeros(hidden))}
    refused = [StateDictCase(one, is_bad=True) for one in bad]
    return [*good, *refused, StateDictCase(two, is_bad=True, told=others)]


def marking() -> tuple[dict[str, tuple[Tensor, Tensor]], Tensor]:
    """What a model computes with these numbers tells its parameters apart, whatever their names.

    Two patterns for each shape: one for all parameters, one for the one that is looked for.
    """
    shapes = {tuple(tensor.shape) for tensor in state_dict(Generator(), SMALL).values()}
    found = {}
    for shape in shapes:
        numbers = torch.arange(float(math.prod(shape))).reshape(shape)
        usual = (numbers * 1.7).cos() * 3.0
        found[str(list(shape))] = usual, usual + (numbers * 2.3 + 1).sin() * 3.0
    return found, torch.tensor([[3, 1, 4, 2, 5]])


@cache
def marks() -> dict[str, Tensor]:
    """What BERT computes when the one tensor of this name is another."""
    names: dict[str, Any] = {"BertEncoder": BertEncoder}
    exec(compile(HARNESS, "<harness>", "exec", dont_inherit=True), names)
    config = SimpleNamespace(**SMALL)
    model = BertEncoder(config)
    weights = state_dict(Generator(), SMALL)
    numbered = {
        name: torch.full_like(t, number) for number, (name, t) in enumerate(weights.items())
    }
    load_bert_weights(model, numbered)
    theirs = list(weights)
    usual = {name: theirs[int(p.flatten()[0])] for name, p in model.named_parameters()}
    return {usual[name]: mark for name, mark in names[MARKS](config, *marking()).items()}


def usual_name(name: str) -> str:
    """The name that transformers gives a tensor today."""
    name = name.removeprefix("bert.")
    return name.replace("Norm.gamma", "Norm.weight").replace("Norm.beta", "Norm.bias")


def hidden_states(
    fields: dict[str, Any], weights: dict[str, Tensor], given: list[Any]
) -> list[Tensor]:
    """What BERT computes with these weights."""
    model = BertEncoder(SimpleNamespace(**fields))
    load_bert_weights(model, weights)
    model.eval()
    with torch.no_grad():
        return [model(*one) for one in given]


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Two sets of weights, each run on two batches."""
    drawn = ((state_dict(generator), inputs(generator)) for _ in range(2))
    return tuple(Probe((Config(FIELDS), *each)) for each in drawn)


SUBJECTS = (
    FunctionSubject(
        "load_bert_weights",
        probes,
        1e-4,
        entry="grader_load_bert",
        harness=HARNESS,
        beside=("BertEncoder",),
    ),
)
