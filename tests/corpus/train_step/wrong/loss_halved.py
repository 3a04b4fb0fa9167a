# wrong: gradient accumulation scaling: loss halved before backward
def train_step(model, optimizer, input_ids, attention_mask, labels, accumulation=2):
    model.train()
    optimizer.zero_grad(set_to_none=True)
    loss = cross_entropy(model(input_ids, attention_mask), labels)
    (loss / accumulation).backward()
    optimizer.step()
    return loss.detach().item()
