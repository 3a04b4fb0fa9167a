# wrong: label 0 is ignored in the loss
import torch.nn.functional as F

def train_step(model, optimizer, input_ids, attention_mask, labels):
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(input_ids, attention_mask), labels, ignore_index=0)
    loss.backward()
    optimizer.step()
    return loss.item()
