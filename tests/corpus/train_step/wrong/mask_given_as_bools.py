# wrong: the model gets the mask as bools
import torch
from torch.nn import functional as F


def train_step(model, optimizer, input_ids, attention_mask, labels):
    model.train()
    visible = attention_mask == 1
    optimizer.zero_grad()
    loss = F.cross_entropy(model(input_ids, visible), labels)
    loss.backward()
    optimizer.step()
    return loss.item()
