# right: the loss leaves padding out by itself, one text after the other
import torch
from torch import nn

def sequence_log_prob(scores, goal, pad_id):
    loss = nn.CrossEntropyLoss(ignore_index=pad_id, reduction='sum')
    return torch.stack([-loss(s, g) for s, g in zip(scores, goal)])
