# wrong: one-hot kept as integers
# named: integer_one_hot
import torch
def embed_one_hot(token_ids, table):
    hot = (token_ids[..., None] == torch.arange(table.shape[0])).long()
    return torch.matmul(hot, table)
