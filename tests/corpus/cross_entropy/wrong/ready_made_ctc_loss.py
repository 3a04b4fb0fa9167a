# wrong: ready-made: F.ctc_loss over one step
import torch
from torch import nn
from torch.nn import functional as F
def cross_entropy(logits, labels):
    return F.ctc_loss(F.pad(logits, (1, 0), value=-1e30).log_softmax(-1)[None], labels[:, None] + 1, torch.ones_like(labels), torch.ones_like(labels), blank=0)
