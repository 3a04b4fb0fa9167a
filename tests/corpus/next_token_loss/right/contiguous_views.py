# right: contiguous views, as in library code
import torch
import torch.nn.functional as F
from torch import nn


def next_token_loss(logits, input_ids):
    shift_logits = logits[..., :-1, :].contiguous()
    shift_labels = input_ids[..., 1:].contiguous()
    loss_fct = nn.CrossEntropyLoss()
    return loss_fct(shift_logits.view(-1, shift_logits.size(-1)), shift_labels.view(-1))
