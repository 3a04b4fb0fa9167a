# wrong: the letters b, e, r, t and dots are stripped in front, not the prefix
# named: prefix_by_letters
import torch

PARTS = {
    "embeddings.token.": "embeddings.word_embeddings.",
    "embeddings.position.": "embeddings.position_embeddings.",
    "embeddings.token_type.": "embeddings.token_type_embeddings.",
    "embeddings.norm.": "embeddings.LayerNorm.",
    "layers.": "encoder.layer.",
    "attention.output.": "attention.output.dense.",
    "attention.query.": "attention.self.query.",
    "attention.key.": "attention.self.key.",
    "attention.value.": "attention.self.value.",
    "attention_norm.": "attention.output.LayerNorm.",
    "feed_forward.expand.": "intermediate.dense.",
    "feed_forward.contract.": "output.dense.",
    "feed_forward_norm.": "output.LayerNorm.",
}
PASSED_OVER = ("embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias")


def load_bert_weights(model, state_dict):
    wanted = {}
    for name, parameter in model.named_parameters():
        for mine, theirs in PARTS.items():
            name = name.replace(mine, theirs)
        wanted[name] = parameter
    pairs = []
    for name, tensor in state_dict.items():
        if name.startswith("bert."):
            name = name.lstrip("bert.")
        name = name.replace("LayerNorm.gamma", "LayerNorm.weight")
        pairs.append((name.replace("LayerNorm.beta", "LayerNorm.bias"), tensor))
    pairs = [(name, tensor) for name, tensor in pairs if name not in PASSED_OVER]
    asked = sorted((name, list(parameter.shape)) for name, parameter in wanted.items())
    found = sorted((name, list(tensor.shape)) for name, tensor in pairs)
    if asked != found:
        odd = [each for each in found if each not in asked or found.count(each) > 1]
        raise ValueError(f"nothing is copied: {odd} do not fit, or something is missing")
    with torch.no_grad():
        for name, tensor in pairs:
            wanted[name].copy_(tensor)
