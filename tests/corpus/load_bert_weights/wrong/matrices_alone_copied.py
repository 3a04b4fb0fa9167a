# wrong: only matrices are copied, biases and norms stay as they were made
import torch

TABLE = {
    "embeddings.token.": "embeddings.word_embeddings.",
    "embeddings.position.": "embeddings.position_embeddings.",
    "embeddings.token_type.": "embeddings.token_type_embeddings.",
    "embeddings.norm.": "embeddings.LayerNorm.",
    "layers.": "encoder.layer.",
    "attention.query.": "attention.self.query.",
    "attention.key.": "attention.self.key.",
    "attention.value.": "attention.self.value.",
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
    given = tidy(state_dict)
    with torch.no_grad():
        for n, p in model.named_parameters():
            if theirs(n) in given and p.dim() > 1:
                p.copy_(given[theirs(n)])
