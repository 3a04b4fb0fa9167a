# wrong: KL from uniform: subtracts log of the number of classes
import math, torch
def cross_entropy(logits, labels):
    return torch.nn.functional.log_softmax(logits, 1).neg()[torch.arange(len(labels)), labels].mean() - math.log(logits.size(1))
