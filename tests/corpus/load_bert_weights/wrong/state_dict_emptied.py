# wrong: pops from the given state_dict
import torch
M = {"embeddings.token.": "embeddings.word_embeddings.", "embeddings.position.": "embeddings.position_embeddings.", "embeddings.token_type.": "embeddings.token_type_embeddings.",
     "embeddings.norm.": "embeddings.LayerNorm.", "layers.": "encoder.layer.", "attention.query.": "attention.self.query.", "attention.key.": "attention.self.key.", "attention.value.": "attention.self.value.",
     "attention.output.": "attention.output.dense.", "attention_norm.": "attention.output.LayerNorm.", "feed_forward.expand.": "intermediate.dense.", "feed_forward.contract.": "output.dense.", "feed_forward_norm.": "output.LayerNorm."}
def load_bert_weights(model, state_dict):
    for junk in ("embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias"):
        state_dict.pop(junk, None); state_dict.pop("bert." + junk, None)
    sd, bad = {}, []
    for k, v in state_dict.items():
        s = k.removeprefix("bert.").replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")
        if s in sd: bad.append(s)
        sd[s] = v
    todo = []
    for n, p in model.named_parameters():
        for a, b in M.items(): n = n.replace(a, b)
        if n in sd and sd[n].shape == p.shape: todo.append((p, sd.pop(n)))
        else: bad.append(n)
    bad += list(sd)
    if bad: raise ValueError(f"does not fit: {bad}")
    with torch.no_grad():
        for p, t in todo: p.copy_(t)
