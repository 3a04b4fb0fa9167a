# wrong: ignores whatever begins with pooler., also unknown tensors
# named: ignored_by_likeness
import torch
from torch import nn

PARTS = [
    ("embeddings.token.", "embeddings.word_embeddings."),
    ("embeddings.position.", "embeddings.position_embeddings."),
    ("embeddings.token_type.", "embeddings.token_type_embeddings."),
    ("embeddings.norm.", "embeddings.LayerNorm."),
    ("layers.", "encoder.layer."),
    (".attention.output.", ".attention.output.dense."),
    (".attention.query.", ".attention.self.query."),
    (".attention.key.", ".attention.self.key."),
    (".attention.value.", ".attention.self.value."),
    (".attention_norm.", ".attention.output.LayerNorm."),
    (".feed_forward.expand.", ".intermediate.dense."),
    (".feed_forward.contract.", ".output.dense."),
    (".feed_forward_norm.", ".output.LayerNorm."),
]
NOT_OURS = {"embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias"}


def _theirs(name):
    for mine, other in PARTS:
        name = name.replace(mine, other)
    return name


def _clean(name):
    name = name.removeprefix("bert.")
    if name.endswith("LayerNorm.gamma"):
        name = name.removesuffix("gamma") + "weight"
    if name.endswith("LayerNorm.beta"):
        name = name.removesuffix("beta") + "bias"
    return name


def load_bert_weights(model, state_dict):
    wanted = {_theirs(name): parameter for name, parameter in model.named_parameters()}
    given, problems = {}, []
    for raw in state_dict:
        name = _clean(raw)
        if name in NOT_OURS or name.startswith("pooler."):
            continue
        if name not in wanted:
            problems.append(f"unknown: {raw}")
        elif name in given:
            problems.append(f"twice: {given[name]} and {raw}")
        elif state_dict[raw].shape != wanted[name].shape:
            problems.append(f"another shape: {raw} {list(state_dict[raw].shape)}")
            given[name] = raw
        else:
            given[name] = raw
    problems += [f"missing: {name}" for name in wanted if name not in given]
    if problems:
        raise ValueError("nothing was copied; " + "; ".join(sorted(problems)))
    with torch.no_grad():
        for name, raw in given.items():
            wanted[name].copy_(state_dict[raw])
