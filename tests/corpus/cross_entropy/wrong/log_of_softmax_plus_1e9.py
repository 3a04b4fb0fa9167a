# wrong: log of softmax plus 1e-9
# named: log_plus_1e_9
import torch
def cross_entropy(logits, labels):
    p = softmax(logits, -1)
    picked = p[range(len(labels)), labels]
    return -(picked + 1e-9).log().mean()
