# wrong: zips parameters by order
import torch
def load_bert_weights(model, state_dict):
    params = list(model.parameters())
    tensors = [v for k, v in state_dict.items() if "position_ids" not in k and "pooler" not in k]
    if len(params) != len(tensors) or any(p.shape != t.shape for p, t in zip(params, tensors)):
        raise ValueError("shapes")
    with torch.no_grad():
        for p, t in zip(params, tensors):
            p.copy_(t)
