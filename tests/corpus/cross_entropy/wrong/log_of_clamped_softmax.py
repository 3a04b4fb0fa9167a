# wrong: log of a clamped softmax: sure mistakes cost too little
# named: clamped_1e_7
import torch

def cross_entropy(logits, labels):
    p = torch.softmax(logits, 1).clamp(min=1e-7)
    return -p[range(len(labels)), labels].log().mean()
