# right: einsum in double
import torch
def share_of_way(patched, start, goal):
    p, s, g = patched.double(), start.double(), goal.double()
    weights = (g - s).sign() / (g - s).abs().sum()
    return torch.einsum("...p,p->...", p - s, weights).float()
