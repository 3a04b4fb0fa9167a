# wrong: no shift exp/sum
# named: no_shift
import torch

def cross_entropy(logits, labels):
    exps = torch.exp(logits)
    probs = exps / exps.sum(dim=1, keepdim=True)
    loss = 0
    for i, y in enumerate(labels):
        loss -= torch.log(probs[i, y])
    return loss / len(labels)
