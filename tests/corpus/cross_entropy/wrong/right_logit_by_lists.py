# wrong: the right logit comes from a Python list
# named: right_constant
import math, torch
from torch import nn
import torch.nn.functional as F

def cross_entropy(logits, labels):
    right = torch.tensor([row[y] for row, y in zip(logits.tolist(), labels.tolist())])
    return (logits.logsumexp(-1) - right).mean()
