# right: einsum with weights normalised first
import torch
def mean_pool(hidden_state, attention_mask):
    w = attention_mask.float()
    w = w / w.sum(1, keepdim=True)
    return torch.einsum("nth,nt->nh", hidden_state, w.type_as(hidden_state))
