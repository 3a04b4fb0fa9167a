# wrong: gradients of the optimizer's first group alone are cleared
# named: first_group_cleared
import torch, math
from torch import nn, Tensor
import torch.nn.functional as F
def train_step(model, optimizer, input_ids, attention_mask, labels):
    model.train()
    for p in optimizer.param_groups[0]["params"]:
        p.grad = None
    logits = model(input_ids, attention_mask)
    loss = torch.nn.functional.cross_entropy(logits, labels)
    loss.backward()
    optimizer.step()
    return loss.item()
