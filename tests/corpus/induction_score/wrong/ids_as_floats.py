# wrong: ids are compared as floats, in which large ones are equal
import torch


def induction_score(attention, input_ids):
    batch, heads, n, _ = attention.shape
    tokens = input_ids.to(attention.dtype)           # one dtype for everything
    total = attention.new_zeros(heads)
    count = 0
    for b in range(batch):
        for q in range(1, n):
            before = (tokens[b, :q] == tokens[b, q]).nonzero().flatten()
            if before.numel() == 0:
                continue
            total = total + attention[b, :, q, before + 1].sum(dim=-1)
            count += 1
    return total / max(count, 1)
