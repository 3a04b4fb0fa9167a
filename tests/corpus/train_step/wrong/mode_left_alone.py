# wrong: the mode is left as it was
# named: mode_kept
import torch
def train_step(model, optimizer, input_ids, attention_mask, labels):
    mode = model.training
    optimizer.zero_grad(set_to_none=True)
    loss = cross_entropy(model(input_ids, attention_mask), labels)
    loss.backward()
    optimizer.step()
    model.train(mode)
    return float(loss.detach())
