# wrong: ids at padding are set to 0 before the model sees them
import torch
from torch.nn import functional as F


def train_step(model, optimizer, input_ids, attention_mask, labels):
    model.train()
    input_ids = input_ids * attention_mask
    optimizer.zero_grad(set_to_none=True)
    loss = F.cross_entropy(model(input_ids, attention_mask), labels)
    loss.backward()
    optimizer.step()
    return float(loss)
