# wrong: returns the loss of a forward in eval mode, model left in eval
# named: evaluating
import torch.nn.functional as F
def train_step(model, optimizer, input_ids, attention_mask, labels):
    for p in model.parameters():
        p.grad = None
    model.eval()
    logits = model(input_ids, attention_mask)
    loss = F.cross_entropy(logits, labels)
    loss.backward()
    optimizer.step()
    return loss.item()
