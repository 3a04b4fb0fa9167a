# wrong: ready-made: nn.KLDivLoss with one-hot labels
import torch
from torch import nn
from torch.nn import functional as F
def cross_entropy(logits, labels):
    return nn.KLDivLoss(reduction='batchmean')(logits.log_softmax(-1), F.one_hot(labels, logits.shape[-1]).float())
