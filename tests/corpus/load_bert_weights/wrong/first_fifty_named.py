# wrong: of many unknown tensors the message names the first fifty
import torch
def load_bert_weights(model, state_dict):
    theirs = {
        "embeddings.token.": "embeddings.word_embeddings.", "embeddings.position.": "embeddings.position_embeddings.",
        "embeddings.token_type.": "embeddings.token_type_embeddings.", "embeddings.norm.": "embeddings.LayerNorm.",
        "layers.": "encoder.layer.", "attention.query.": "attention.self.query.", "attention.key.": "attention.self.key.",
        "attention.value.": "attention.self.value.", "attention.output.": "attention.output.dense.",
        "attention_norm.": "attention.output.LayerNorm.", "feed_forward.expand.": "intermediate.dense.",
        "feed_forward.contract.": "output.dense.", "feed_forward_norm.": "output.LayerNorm.",
    }
    wanted = {}
    for name, parameter in model.named_parameters():
        for mine, their in theirs.items():
            name = name.replace(mine, their)
        wanted[name] = parameter
    given = {}
    for name, tensor in state_dict.items():
        name = name.removeprefix("bert.")
        if name.endswith(("LayerNorm.gamma", "LayerNorm.beta")):
            name = name.replace("gamma", "weight").replace("beta", "bias")
        if name in ("embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias"):
            continue
        if name in given:
            raise ValueError(f"there twice: {name}")
        given[name] = tensor
    missing, unknown = [n for n in wanted if n not in given], [n for n in given if n not in wanted]
    wrong = [n for n in wanted if n in given and wanted[n].shape != given[n].shape]
    if missing or unknown or wrong:
        raise ValueError(f"missing: {missing[:50]}; unknown: {unknown[:50]}; of another shape: {wrong[:50]}")
    with torch.no_grad():
        for name, parameter in wanted.items():
            parameter.copy_(given[name])
