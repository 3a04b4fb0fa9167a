import torch
def softmax(x, dim):
    return torch.quantize_per_tensor(x, 0.1, 0, torch.quint8)
