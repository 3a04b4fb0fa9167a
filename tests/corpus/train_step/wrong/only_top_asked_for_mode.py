# wrong: a module left in evaluation stays so where the model is in training
import torch
from torch import nn

def train_step(model, optimizer, input_ids, attention_mask, labels):
    if not model.training:
        model.train()
    optimizer.zero_grad()
    loss = cross_entropy(model(input_ids, attention_mask), labels)
    loss.backward()
    optimizer.step()
    return loss.item()
