# wrong: a new optimizer in every step forgets what the given one remembers
import torch
import torch.nn.functional as F

def train_step(model, optimizer, input_ids, attention_mask, labels):
    model.train()
    fresh = torch.optim.SGD(model.parameters(), lr=optimizer.param_groups[0]["lr"])
    fresh.zero_grad()
    loss = F.cross_entropy(model(input_ids, attention_mask), labels)
    loss.backward()
    fresh.step()
    return loss.item()
