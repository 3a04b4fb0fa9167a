# wrong: averages the one-hot rows over the sequence first
import torch
def embed_one_hot(token_ids, table):
    hot = torch.eye(table.shape[0], dtype=table.dtype)[token_ids]
    return (hot.mean(1, keepdim=True) @ table).expand(-1, token_ids.shape[1], -1)
