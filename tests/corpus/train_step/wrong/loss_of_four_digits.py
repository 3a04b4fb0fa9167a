# wrong: the loss is rounded to four digits
import torch
from torch.nn import functional as F
def train_step(model, optimizer, input_ids, attention_mask, labels):
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(input_ids, attention_mask), labels)
    loss.backward()
    optimizer.step()
    return round(loss.item(), 4)
