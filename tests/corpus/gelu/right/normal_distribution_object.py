# right: normal distribution object
import torch

def gelu(x):
    return x * torch.distributions.Normal(0.0, 1.0).cdf(x)
