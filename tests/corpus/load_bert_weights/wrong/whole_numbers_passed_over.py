# wrong: a tensor that holds no floats is passed over, whatever it is called
import torch, math
from torch import nn, Tensor
import torch.nn.functional as F
def load_bert_weights(model, state_dict):
    theirs = {"embeddings.token.": "embeddings.word_embeddings.", "embeddings.position.": "embeddings.position_embeddings.", "embeddings.token_type.": "embeddings.token_type_embeddings.", "embeddings.norm.": "embeddings.LayerNorm.", "layers.": "encoder.layer.", "attention.query.": "attention.self.query.", "attention.key.": "attention.self.key.", "attention.value.": "attention.self.value.", "attention.output.": "attention.output.dense.", "attention_norm.": "attention.output.LayerNorm.", "feed_forward.expand.": "intermediate.dense.", "feed_forward.contract.": "output.dense.", "feed_forward_norm.": "output.LayerNorm."}
    wanted = {}
    for name, p in model.named_parameters():
        for a, b in theirs.items():
            name = name.replace(a, b)
        wanted[name] = p
    given = {}
    for name, t in state_dict.items():
        name = name.removeprefix("bert.").replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")
        if name in given: raise ValueError("twice " + name)
        given[name] = t
    for n in ("embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias"): given.pop(n, None)
    given = {n: t for n, t in given.items() if t.is_floating_point()}
    a, b = {(n, tuple(p.shape)) for n, p in wanted.items()}, {(n, tuple(p.shape)) for n, p in given.items()}
    if a != b: raise ValueError(f"missing {sorted(a - b)} unknown {sorted(b - a)}")
    with torch.no_grad():
        for n, p in wanted.items(): p.copy_(given[n])
