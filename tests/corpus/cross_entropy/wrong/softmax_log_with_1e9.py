# wrong: softmax().log() with 1e-9
# named: log_plus_1e_9
import torch

def softmax(x, dim=-1):
    e = torch.exp(x - x.max(dim=dim, keepdim=True).values)
    return e / e.sum(dim=dim, keepdim=True)

def cross_entropy(logits, labels):
    probs = softmax(logits)
    return -torch.log(probs[range(len(labels)), labels] + 1e-9).mean()
