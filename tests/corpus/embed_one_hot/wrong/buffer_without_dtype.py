# wrong: a buffer without a dtype, which is float32
# named: single_precision
import torch
def embed_one_hot(token_ids, table):
    out = torch.zeros(*token_ids.shape, table.shape[1])
    for i, row in enumerate(token_ids.tolist()):
        for j, t in enumerate(row):
            out[i, j] = table[t]
    return out
