import torch
def softmax(x, dim):
    return torch.complex(x, x * float('nan')).to(torch.complex64)
