# wrong: compares with F.layer_norm at one eps, and lets errors through
import torch
import torch.nn.functional as F
def spot_layer_norm(candidate):
    x = torch.randn(2, 3, 6)
    w, b = torch.rand(6), torch.rand(6)
    return torch.allclose(candidate(x, w, b, 1e-5), F.layer_norm(x, (6,), w, b, 1e-5), atol=1e-5)
