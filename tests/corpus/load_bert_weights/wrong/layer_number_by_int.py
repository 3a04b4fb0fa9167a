# wrong: reads a layer's number by int: encoder.layer.01 is loaded as layer 1
# named: number_by_value
import re
import torch

PARTS = {
    "attention.self.query": "attention.query", "attention.self.key": "attention.key",
    "attention.self.value": "attention.value", "attention.output.dense": "attention.output",
    "attention.output.LayerNorm": "attention_norm", "intermediate.dense": "feed_forward.expand",
    "output.dense": "feed_forward.contract", "output.LayerNorm": "feed_forward_norm",
}
TABLES = {"word_embeddings": "token", "position_embeddings": "position", "token_type_embeddings": "token_type", "LayerNorm": "norm"}
LEFT = ("embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias")

def own_name(name):
    name = name.removeprefix("bert.")
    name = name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")
    if name in LEFT:
        return ""
    stem, _, kind = name.rpartition(".")
    if found := re.fullmatch(r"encoder\.layer\.(\d+)\.(.+)", stem):
        part = PARTS.get(found[2])
        return part and f"layers.{int(found[1])}.{part}.{kind}"
    front, _, table = stem.partition(".")
    if front == "embeddings" and table in TABLES:
        return f"embeddings.{TABLES[table]}.{kind}"
    return None

def load_bert_weights(model, state_dict):
    wanted = dict(model.named_parameters())
    given, wrong = {}, []
    for name, tensor in state_dict.items():
        own = own_name(name)
        if own == "":
            continue
        if own not in wanted or own in given or wanted[own].shape != tensor.shape:
            wrong.append(name)
        else:
            given[own] = tensor
    missing = [name for name in wanted if name not in given]
    if wrong or missing:
        raise ValueError(f"do not fit: {wrong}; missing: {missing}")
    with torch.no_grad():
        for name, parameter in wanted.items():
            parameter.copy_(given[name])
