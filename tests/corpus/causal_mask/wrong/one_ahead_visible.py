# wrong: generator of rows, one ahead is visible
# named: one_ahead
import torch
def causal_mask(seq_len):
    def rows():
        for i in range(seq_len):
            yield [j <= i + 1 for j in range(seq_len)]
    return torch.tensor(list(rows()), dtype=torch.bool)
