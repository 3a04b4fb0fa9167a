# wrong: the parameters are moved by hand: what the optimizer remembers plays no part
import torch
import torch.nn.functional as F

def train_step(model, optimizer, input_ids, attention_mask, labels):
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(input_ids, attention_mask), labels)
    loss.backward()
    with torch.no_grad():
        for group in optimizer.param_groups:
            for p in group["params"]:
                p -= group["lr"] * p.grad
    return loss.item()
