# wrong: the mask of the first call is kept and cut
# named: earlier_call_counts
import torch

_mask = None

def causal_mask(seq_len):
    global _mask
    if _mask is None:
        _mask = torch.tril(torch.ones(seq_len, seq_len)).bool()
    return _mask[:seq_len, :seq_len]
