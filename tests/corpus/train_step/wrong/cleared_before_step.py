# wrong: zero_grad between backward and step
# named: never_updated
import torch.nn.functional as F

def train_step(model, optimizer, input_ids, attention_mask, labels):
    model.train()
    loss = F.cross_entropy(model(input_ids, attention_mask), labels)
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()
    return loss.item()
