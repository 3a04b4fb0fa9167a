# right: sparse one-hot matrix times the table
import torch
def embed_one_hot(token_ids, table):
    flat = token_ids.flatten()
    n, v = flat.numel(), table.shape[0]
    onehot = torch.sparse_coo_tensor(torch.stack((torch.arange(n), flat)), torch.ones(n, dtype=table.dtype), (n, v))
    return torch.sparse.mm(onehot, table).reshape(*token_ids.shape, table.shape[1])
