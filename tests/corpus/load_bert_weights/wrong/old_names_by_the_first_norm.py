# wrong: the first LayerNorm alone decides whether all are called gamma and beta
import torch
from torch import nn
OWN = {
    "embeddings.token.": "embeddings.word_embeddings.", "embeddings.position.": "embeddings.position_embeddings.",
    "embeddings.token_type.": "embeddings.token_type_embeddings.", "embeddings.norm.": "embeddings.LayerNorm.",
    "layers.": "encoder.layer.", "attention.query.": "attention.self.query.", "attention.key.": "attention.self.key.",
    "attention.value.": "attention.self.value.", "attention.output.": "attention.output.dense.",
    "attention_norm.": "attention.output.LayerNorm.", "feed_forward.expand.": "intermediate.dense.",
    "feed_forward.contract.": "output.dense.", "feed_forward_norm.": "output.LayerNorm.",
}
FREE = ("embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias")
def load_bert_weights(model, state_dict):
    wanted = {}
    for name, parameter in model.named_parameters():
        for mine, theirs in OWN.items():
            name = name.replace(mine, theirs)
        wanted[name] = parameter
    old = any(name.endswith("embeddings.LayerNorm.gamma") for name in state_dict)

    given = {}
    for name, tensor in state_dict.items():
        name = name.removeprefix("bert.")
        if old:
            name = name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")
        if name in given:
            raise ValueError(f"there twice: {name}")
        given[name] = tensor
    for name in FREE:
        given.pop(name, None)
    missing, unknown = [n for n in wanted if n not in given], [n for n in given if n not in wanted]
    wrong = [n for n in wanted if n in given and wanted[n].shape != given[n].shape]
    if missing or unknown or wrong:
        raise ValueError(f"missing: {missing}; unknown: {unknown}; of another shape: {wrong}")
    with torch.no_grad():
        for name, parameter in wanted.items():
            parameter.copy_(given[name])
