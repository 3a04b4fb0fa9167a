# wrong: gamma and beta are taken at the end of any name
# named: gamma_anywhere
import re

import torch

IGNORED = {"embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias"}


def places(model):
    """Their name → my parameter. Goes by the parts that a layer has, in the order I made them."""
    found = {}
    parts = {}                                   # address of a module → its parameters
    for name, parameter in model.named_parameters():
        parts.setdefault(name.rpartition(".")[0], []).append(parameter)
    dense, norms = {}, {}
    for address, parameters in parts.items():
        number = re.search(r"\.(\d+)\.", "." + address + ".")
        if "embeddings" in address and number is None:
            kind = address.rpartition(".")[2]
            if "type" in kind:
                theirs = "token_type_embeddings"
            elif "pos" in kind:
                theirs = "position_embeddings"
            elif "norm" in kind.lower():
                theirs = "LayerNorm"
            else:
                theirs = "word_embeddings"
            theirs = "embeddings." + theirs
        else:
            layer = int(number.group(1))
            theirs = f"encoder.layer.{layer}."
            asked = [w for w in ("query", "key", "value") if w in address]
            if asked:
                theirs += "attention.self." + asked[0]
            elif parameters[0].ndim == 1:
                norms[layer] = norms.get(layer, 0) + 1
                theirs += ["", "attention.output.LayerNorm", "output.LayerNorm"][norms[layer]]
            elif "attention" in address:
                theirs += "attention.output.dense"
            else:
                dense[layer] = dense.get(layer, 0) + 1
                theirs += ["", "intermediate.dense", "output.dense"][dense[layer]]
        for end, parameter in zip(("weight", "bias"), parameters):
            found[f"{theirs}.{end}"] = parameter
    return found


def clean(name):
    name = name.removeprefix("bert.")
    return name.replace(".gamma", ".weight").replace(".beta", ".bias")


def load_bert_weights(model, state_dict):
    wanted = places(model)
    given, problems = {}, []
    for name, tensor in state_dict.items():
        key = clean(name)
        if name.removeprefix("bert.") in IGNORED:
            continue
        if key not in wanted:
            problems.append(f"unknown: {name}")
        elif key in given:
            problems.append(f"there twice: {name}")
        elif tensor.shape != wanted[key].shape:
            problems.append(f"shape {tuple(tensor.shape)}: {name}")
        given[key] = tensor
    problems += [f"missing: {key}" for key in wanted if key not in given]
    if problems:
        raise ValueError("; ".join(problems))
    with torch.no_grad():
        for key, parameter in wanted.items():
            parameter.copy_(given[key])
