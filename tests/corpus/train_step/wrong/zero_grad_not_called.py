# wrong: retains old gradients: zero_grad is named but not called
# named: never_cleared
import torch.nn.functional as F
def train_step(model, optimizer, input_ids, attention_mask, labels):
    model.train()
    optimizer.zero_grad
    loss = F.cross_entropy(model(input_ids, attention_mask), labels)
    loss.backward()
    optimizer.step()
    return loss.item()
