# right: vmap over rows, own logsumexp with detach of the shift
import torch
from torch.func import vmap
def cross_entropy(logits, labels):
    def one(row, y):
        m = row.max().detach()
        return (row - m).exp().sum().log() + m - torch.dot(row, y)
    hot = torch.nn.functional.one_hot(labels, logits.shape[-1]).to(logits.dtype)
    return vmap(one)(logits, hot).mean()
