# right: torch.autograd.grad and hand-set gradients
import torch
import torch.nn.functional as F

def train_step(model, optimizer, input_ids, attention_mask, labels):
    model.train(True)
    with torch.enable_grad():
        loss = F.cross_entropy(model(input_ids, attention_mask), labels)
        parameters = [p for g in optimizer.param_groups for p in g["params"]]
        for p, g in zip(parameters, torch.autograd.grad(loss, parameters, allow_unused=True)):
            p.grad = g
    optimizer.step()
    return float(loss.detach())
