# wrong: through numpy: no gradient flows back
# named: gradient_stopped
import torch

def merge_heads(x):
    a = x.detach().numpy().transpose(0, 2, 1, 3)
    return torch.from_numpy(a.reshape(a.shape[0], a.shape[1], -1).copy())
