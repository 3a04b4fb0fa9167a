# wrong: clips gradients at norm 10
# named: clipped
import torch
from torch.nn import functional as F
def train_step(model, optimizer, input_ids, attention_mask, labels):
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(input_ids, attention_mask), labels)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
    optimizer.step()
    return loss.item()
