# wrong: every label's logarithm is multiplied by 0 or 1, and 0 times the logarithm of 0 is nan
# named: zero_times_log
import torch


def cross_entropy(logits, labels):
    shares = torch.softmax(logits, dim=1)
    wanted = torch.zeros_like(shares)
    wanted[torch.arange(len(labels)), labels] = 1
    costs = -(wanted * torch.log(shares)).sum(dim=1)
    return costs.mean()
