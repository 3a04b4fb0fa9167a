# wrong: exp of log_ndtr: no gradient far below 0
import torch
def gelu(x):
    return x * torch.special.log_ndtr(x).exp()
