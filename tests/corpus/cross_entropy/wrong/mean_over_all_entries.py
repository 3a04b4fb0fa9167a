import torch

def cross_entropy(logits, labels):
    hot = torch.nn.functional.one_hot(labels, logits.size(1))
    return -(hot * torch.log_softmax(logits, 1)).mean()
