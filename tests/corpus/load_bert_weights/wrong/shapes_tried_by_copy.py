# wrong: shapes are tried by a copy, which stretches
# named: shapes_not_compared
import re
from collections.abc import Mapping

import torch
from torch import Tensor, nn

NO_PLACE = ("embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias")


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


def load_bert_weights(model: nn.Module, state_dict: Mapping[str, Tensor]) -> None:
    mine = places(model)

    # 1. one spelling for all names
    pairs = []
    for original in state_dict:
        name = original[5:] if original.startswith("bert.") else original
        if name in NO_PLACE:
            continue
        name = re.sub(r"LayerNorm\.gamma$", "LayerNorm.weight", name)
        name = re.sub(r"LayerNorm\.beta$", "LayerNorm.bias", name)
        pairs.append((name, original))

    # 2. compare names
    names = [name for name, _ in pairs]
    wrong = [f"unknown {original}" for name, original in pairs if name not in mine]
    wrong += [f"twice {name}" for name in set(names) if names.count(name) > 1]
    wrong += [f"missing {name}" for name in mine if name not in names]

    # 3. a dry run finds every tensor that does not fit
    for name, original in pairs:
        if name in mine:
            place, tensor = mine[name].detach(), state_dict[original]
            try:
                torch.empty_like(place).copy_(tensor)
            except RuntimeError as error:
                wrong.append(f"{original}: {error}")
    if wrong:
        raise ValueError("\n".join(wrong))

    # 4. now for good
    with torch.no_grad():
        for name, original in pairs:
            mine[name].copy_(state_dict[original])
