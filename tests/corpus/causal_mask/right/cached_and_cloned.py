# right: cached by lru_cache, clone handed out
from functools import lru_cache
import torch
@lru_cache(maxsize=None)
def _table(n):
    return torch.arange(n).unsqueeze(0).le(torch.arange(n).unsqueeze(1))
def causal_mask(seq_len):
    return _table(seq_len).clone()
