# wrong: two axes in front, as minGPT's buffer has them
# named: four_axes
import torch


def causal_mask(seq_len):
    return torch.tril(torch.ones(seq_len, seq_len)).view(1, 1, seq_len, seq_len).bool()
