# wrong: puts the outer module in training mode, and none inside of it
# named: outer_mode_alone
import torch
import torch.nn.functional as F


def train_step(model, optimizer, input_ids, attention_mask, labels):
    model.training = True
    loss = F.cross_entropy(model(input_ids, attention_mask), labels)
    wanted = [p for group in optimizer.param_groups for p in group["params"] if p.requires_grad]
    for p, g in zip(wanted, torch.autograd.grad(loss, wanted, allow_unused=True)):
        p.grad = g
    optimizer.step()
    return float(loss.detach())
