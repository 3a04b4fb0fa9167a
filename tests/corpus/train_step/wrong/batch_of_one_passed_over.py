# wrong: a batch of one is passed over
import torch.nn.functional as F

def train_step(model, optimizer, input_ids, attention_mask, labels):
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(input_ids, attention_mask), labels)
    if len(labels) > 1:
        loss.backward()
        optimizer.step()
    return loss.item()
