# wrong: key and value exchanged in the table
# named: key_value
import torch

TABLE = {
    "embeddings.token.": "embeddings.word_embeddings.",
    "embeddings.position.": "embeddings.position_embeddings.",
    "embeddings.token_type.": "embeddings.token_type_embeddings.",
    "embeddings.norm.": "embeddings.LayerNorm.",
    "layers.": "encoder.layer.",
    "attention.query.": "attention.self.query.",
    "attention.key.": "attention.self.value.",
    "attention.value.": "attention.self.key.",
    "attention.output.": "attention.output.dense.",
    "attention_norm.": "attention.output.LayerNorm.",
    "feed_forward.expand.": "intermediate.dense.",
    "feed_forward.contract.": "output.dense.",
    "feed_forward_norm.": "output.LayerNorm.",
}
FREE = ("embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias")

def theirs(name):
    for a, b in TABLE.items():
        name = name.replace(a, b)
    return name

def tidy(state_dict):
    given = {}
    for name, tensor in state_dict.items():
        name = name.removeprefix("bert.").replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")
        if name in given:
            raise ValueError("twice: " + name)
        if name not in FREE:
            given[name] = tensor
    return given

def load_bert_weights(model, state_dict):
    given, wanted = tidy(state_dict), {theirs(n): p for n, p in model.named_parameters()}
    odd = sorted(set(given) ^ set(wanted))
    odd += [f"{n} {tuple(t.shape)}" for n, t in given.items() if n in wanted and t.shape != wanted[n].shape]
    if odd:
        raise ValueError("these do not fit: " + ", ".join(odd))
    with torch.no_grad():
        for n, p in wanted.items():
            p.copy_(given[n])
