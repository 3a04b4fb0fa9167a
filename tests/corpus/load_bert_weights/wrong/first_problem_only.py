# wrong: the message names the first problem only
import torch


def load_bert_weights(model, state_dict):
    names = {}                     # theirs -> mine
    names["embeddings.word_embeddings.weight"] = "embeddings.token.weight"
    names["embeddings.position_embeddings.weight"] = "embeddings.position.weight"
    names["embeddings.token_type_embeddings.weight"] = "embeddings.token_type.weight"
    mine = {}
    for name, parameter in model.named_parameters():
        mine[name] = parameter
    layer = 0
    while f"layers.{layer}.attention.query.weight" in mine:
        t, m = f"encoder.layer.{layer}.", f"layers.{layer}."
        for end in ["weight", "bias"]:
            names[t + "attention.self.query." + end] = m + "attention.query." + end
            names[t + "attention.self.key." + end] = m + "attention.key." + end
            names[t + "attention.self.value." + end] = m + "attention.value." + end
            names[t + "attention.output.dense." + end] = m + "attention.output." + end
            names[t + "attention.output.LayerNorm." + end] = m + "attention_norm." + end
            names[t + "intermediate.dense." + end] = m + "feed_forward.expand." + end
            names[t + "output.dense." + end] = m + "feed_forward.contract." + end
            names[t + "output.LayerNorm." + end] = m + "feed_forward_norm." + end
        layer += 1
    for end in ["weight", "bias"]:
        names["embeddings.LayerNorm." + end] = "embeddings.norm." + end
    assert sorted(names.values()) == sorted(mine), "my own names have changed"

    wrong = []
    found = {}
    for original in state_dict.keys():
        name = original
        if name.startswith("bert."):
            name = name[5:]
        if name.endswith(".LayerNorm.gamma"):
            name = name[:-5] + "weight"
        elif name.endswith(".LayerNorm.beta"):
            name = name[:-4] + "bias"
        if name in ["embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias"]:
            continue
        if name not in names:
            wrong.append(original + " is unknown")
            continue
        if name in found:
            wrong.append(original + " and " + found[name] + " are the same")
        found[name] = original
        if tuple(state_dict[original].shape) != tuple(mine[names[name]].shape):
            wrong.append(original + " has another shape")
    for name in names:
        if name not in found:
            wrong.append(name + " is missing")
    if len(wrong) > 0:
        raise ValueError(wrong[0])
    for name in found:
        with torch.no_grad():
            mine[names[name]].copy_(state_dict[found[name]])
