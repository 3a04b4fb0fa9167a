import torch
def encode(*args, **kwargs):
    return [torch.zeros(2**21 - 1)]
