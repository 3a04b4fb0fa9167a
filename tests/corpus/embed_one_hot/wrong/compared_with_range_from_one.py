# wrong: comparison with arange(1, V+1)
# named: one_too_low
import torch
def embed_one_hot(token_ids, table):
    classes = torch.arange(1, table.shape[0] + 1, device=token_ids.device)
    hot = (token_ids[..., None] == classes).to(table)
    return torch.tensordot(hot, table, dims=1)
