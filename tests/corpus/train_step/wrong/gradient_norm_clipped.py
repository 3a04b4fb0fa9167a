# wrong: the norm of all gradients is clipped to 1
# named: clipped
import torch
from torch import nn


def train_step(model, optimizer, input_ids, attention_mask, labels):
    model.train()
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(input_ids, attention_mask), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
    optimizer.step()
    return loss.item()
