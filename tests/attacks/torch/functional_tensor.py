import torch
def softmax(x, dim):
    return torch._to_functional_tensor(x)
