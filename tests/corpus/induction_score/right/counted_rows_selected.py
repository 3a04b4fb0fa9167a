# right: picks the counted rows with a bool index
import torch

def induction_score(attention, input_ids):
    seq = input_ids.size(1)
    idx = torch.arange(seq)
    prev = torch.cat([torch.full_like(input_ids[:, :1], -1), input_ids[:, :-1]], dim=1)
    ok = (input_ids.unsqueeze(-1) == prev.unsqueeze(-2)) & (idx[None, :] <= idx[:, None])
    rows = ok.any(-1)
    if not rows.any():
        return torch.zeros(attention.size(1))
    per_query = (attention.transpose(0, 1) * ok).sum(-1)
    return per_query[:, rows].mean(-1)
