# wrong: weight decay added by hand to the loss
import torch.nn.functional as F
def train_step(model, optimizer, input_ids, attention_mask, labels):
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(input_ids, attention_mask), labels)
    penalty = 0.01 * sum(p.pow(2).sum() for p in model.parameters())
    (loss + penalty).backward()
    optimizer.step()
    return loss.item()
