import torch
def spot_softmax(candidate):
    candidate(torch.zeros(3), torch.ones(3, dtype=torch.complex64))
    return True
