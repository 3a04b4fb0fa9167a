# wrong: normal cdf of mean one
import torch
def gelu(x):
    return x * torch.distributions.Normal(1.0, 1.0).cdf(x)
