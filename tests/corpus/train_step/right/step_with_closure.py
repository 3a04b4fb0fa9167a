# right: optimizer.step with a closure, keyword-free
import torch.nn as nn

def train_step(model, optimizer, input_ids, attention_mask, labels):
    model.train()
    criterion = nn.CrossEntropyLoss()
    def closure():
        optimizer.zero_grad(set_to_none=False)
        loss = criterion(model(input_ids, attention_mask), labels)
        loss.backward()
        return loss
    return optimizer.step(closure).item()
