"""State dicts that do not fit a BertEncoder, and such as fit under other names; loads none."""

import torch
from torch import Tensor

Weights = dict[str, Tensor]
POSITION_IDS = {"embeddings.position_ids": torch.arange(9).unsqueeze(0)}  # as older files hold them
_UNKNOWN = ("classifier.weight", "cls.predictions.bias", "some.scale")
_OTHERS = ("distilbert.classifier.gain", "some.bert.gain", "roberta.embeddings.position_ids")
MANY_UNKNOWN = (*_UNKNOWN, *_OTHERS, *(f"decoder.layer.{one}.scale" for one in range(400)))
_NONE_OF_THEIRS = (
    *("encoder.layer.7.output.dense.bias", "cls.predictions.bias", "classifier.weight"),
    *("encoder.pooler.dense.weight", "pooler.dense.scale", "embeddings.position_ids.weight"),
    *("text_model.embeddings.position_ids", "other.pooler.dense.weight"),
)
_OF_OTHER_KINDS = {  # of tensors: of whole numbers, without axes, with nothing in it
    "embeddings.token_type_ids": torch.zeros(1, 9, dtype=torch.long),
    "encoder.layer.0.attention.self.distance": torch.arange(9),
    "logit_scale": torch.tensor(2.5),
    "some.memory": torch.zeros(0, 12),
    "cls.seq_relationship.weight": torch.ones(2, 12),
}
# 1, as int() reads it, and its like.
_OTHER_WRITINGS = ("01", "+1", "１", "1.0", "-1")
_WIDE = "encoder.layer.0.intermediate.dense.weight"


def misfits(weights: Weights) -> dict[str, Weights]:
    """By what is wrong with each: all of these are to be refused."""
    name, last = "encoder.layer.1.attention.self.key.bias", "encoder.layer.1.output.dense.bias"
    words, norm = "embeddings.word_embeddings.weight", "embeddings.LayerNorm"
    scale = weights[f"{norm}.weight"]
    missing = {key: tensor for key, tensor in weights.items() if key != name}
    return {
        "nothing in it": {},
        f"{name} missing": missing,
        **{f"an unknown name ({o})": {**weights, o: torch.zeros(12)} for o in _NONE_OF_THEIRS},
        **{f"an unknown name ({o})": {**weights, o: t} for o, t in _OF_OTHER_KINDS.items()},
        f"{name} under an unknown name": _renamed(weights, name, _NONE_OF_THEIRS[0]),
        f"{words} one row too short": {**weights, words: torch.zeros(22, 12)},
        f"{last} of shape [1]": {**weights, last: torch.zeros(1)},
        f"{name} of shape [1, 12]": {**weights, name: weights[name].unsqueeze(0)},
        f"{_WIDE} turned on its side": {**weights, _WIDE: weights[_WIDE].T.contiguous()},
        f"{name} there twice, with and without bert. in front": {
            **weights,
            f"bert.{name}": weights[name],
        },
        f"{norm}.weight there twice, as gamma too": {**weights, f"{norm}.gamma": scale},
        f"{norm}.weight there twice, as gamma with bert. in front too": {
            **weights,
            f"bert.{norm}.gamma": scale,
        },
        **{
            f"{one!r} for the number of a layer": _renamed(weights, "layer.1.", f"layer.{one}.")
            for one in _OTHER_WRITINGS
        },
        f"{name} under a misspelt name": {**missing, f"{name}es": weights[name]},
        **{
            f"names of another family ({front} in front)": {
                f"{front}{key}": tensor for key, tensor in weights.items()
            }
            for front in ("distilbert.", "bert_")
        },
        f"{name}, but with bert. in its middle": {
            **missing,
            name.replace("layer", "bert.layer"): weights[name],
        },
        f"{last} called gamma, though it is no LayerNorm's": _renamed(
            weights, last, f"{last.removesuffix('bias')}gamma"
        ),
        f"{name} called beta, though it is no LayerNorm's": {
            **missing,
            f"{name.removesuffix('bias')}beta": weights[name],
        },
    }


def other_faults(weights: Weights) -> dict[str, Weights]:
    """What may be wrong beside unknown tensors: nothing, or what is known to be wrong by then."""
    first = next(iter(weights))
    return {
        "": weights,
        " beside a missing one": {name: weights[name] for name in weights if name != first},
        " beside one of a wrong shape": {**weights, first: torch.zeros(2, 3)},
    }


def _renamed(weights: Weights, old: str, new: str) -> Weights:
    """The same under names in which one part is another."""
    return {name.replace(old, new): tensor for name, tensor in weights.items()}


def _in_turn(weights: Weights, start: int) -> list[bool]:
    """Whether each is called as of old: of one LayerNorm after the other none, one, both."""
    norms = list(dict.fromkeys(name.rpartition(".")[0] for name in weights if "LayerNorm" in name))
    turns = {norm: place ^ start for place, norm in enumerate(norms)}
    return [
        bool(turns.get(name.rpartition(".")[0], 0) & (2 if name.endswith("bias") else 1))
        for name in weights
    ]


def otherwise_named(weights: Weights) -> dict[str, Weights]:
    """The same weights, by how they are called: all of these are to be loaded."""
    old = _renamed(weights, "LayerNorm.weight", "LayerNorm.gamma")
    old = _renamed(old, "LayerNorm.bias", "LayerNorm.beta")
    pooler = {"pooler.dense.weight": torch.zeros(12, 12), "pooler.dense.bias": torch.zeros(12)}
    return {
        "With a pooler and position_ids": {**weights, **pooler, **POSITION_IDS},
        "With a bert. in front": {f"bert.{name}": tensor for name, tensor in weights.items()},
        "With a bert. in front, gamma and beta, a pooler and position_ids": {
            f"bert.{name}": tensor for name, tensor in {**old, **pooler, **POSITION_IDS}.items()
        },
        "With gamma and beta": old,
        **{
            f"With gamma or beta or both in three of four LayerNorms, {which}": {
                (with_old if is_old else name): tensor
                for (name, tensor), with_old, is_old in zip(
                    weights.items(), old, _in_turn(weights, start), strict=True
                )
            }
            for start, which in ((0, "not in the first"), (3, "both in the first"))
        },
        "With a bert. in front of every second name": {
            f"{'bert.' * (place % 2)}{name}": tensor
            for place, (name, tensor) in enumerate(weights.items())
        },
    }
