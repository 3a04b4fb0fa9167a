# wrong: compares the count of numbers and reshapes: a transposed shape gets through
# named: shapes_by_count
import torch

NEW = {
    "embeddings.token.": "embeddings.word_embeddings.", "embeddings.position.": "embeddings.position_embeddings.",
    "embeddings.token_type.": "embeddings.token_type_embeddings.", "embeddings.norm.": "embeddings.LayerNorm.",
    "layers.": "encoder.layer.", ".attention.output.": ".attention.output.dense.",
    ".attention.query.": ".attention.self.query.", ".attention.key.": ".attention.self.key.",
    ".attention.value.": ".attention.self.value.", ".attention_norm.": ".attention.output.LayerNorm.",
    ".feed_forward.expand.": ".intermediate.dense.", ".feed_forward.contract.": ".output.dense.",
    ".feed_forward_norm.": ".output.LayerNorm.",
}


def load_bert_weights(model, state_dict):
    wanted = {}
    for name, parameter in model.named_parameters():
        for old, new in NEW.items():
            name = name.replace(old, new)
        wanted[name] = parameter
    given, bad = {}, []
    for raw, tensor in state_dict.items():
        name = raw.removeprefix("bert.")
        name = name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")
        if name in ("embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias"):
            continue
        if name not in wanted or name in given or tensor.numel() != wanted[name].numel():
            bad.append(raw)
        given[name] = tensor
    bad += sorted(wanted.keys() - given.keys())
    if bad:
        raise ValueError(f"{bad}")
    with torch.no_grad():
        for name, tensor in given.items():
            wanted[name].copy_(tensor.reshape(wanted[name].shape))
