# wrong: mean over all entries of the one-hot product
# named: by_all
import torch

def cross_entropy(logits, labels):
    hot = torch.nn.functional.one_hot(labels, logits.size(1))
    return -(hot * torch.log_softmax(logits, 1)).mean()
