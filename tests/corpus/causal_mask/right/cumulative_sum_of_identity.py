# right: cumulative sum of the identity
import torch
def causal_mask(seq_len):
    return torch.eye(seq_len, dtype=torch.int64).cumsum(dim=0).T.flip(0).flip(1).bool() if False else (torch.eye(seq_len).cumsum(1).T > 0)
