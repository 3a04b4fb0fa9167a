# right: log_softmax ready-made, advanced indexing
import torch

def cross_entropy(logits, labels):
    return -torch.log_softmax(logits, -1)[torch.arange(labels.numel(), device=labels.device), labels].mean()
