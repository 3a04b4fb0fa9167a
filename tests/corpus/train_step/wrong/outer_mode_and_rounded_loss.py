# wrong: the outer module alone is in training mode, and the loss is rounded
# named: outer_mode_alone
import torch
from torch.nn import functional as F


def train_step(model, optimizer, input_ids, attention_mask, labels):
    model.training = True
    optimizer.zero_grad()
    logits = model(input_ids, attention_mask)
    loss = F.cross_entropy(logits, labels)
    loss.backward()
    optimizer.step()
    return round(loss.item(), 2)
