# wrong: only the last two parameters keep a gradient
def train_step(model, optimizer, input_ids, attention_mask, labels):
    model.train()
    optimizer.zero_grad()
    loss = cross_entropy(model(input_ids, attention_mask), labels)
    loss.backward()
    for p in list(model.parameters())[:-2]:
        p.grad = None
    optimizer.step()
    return loss.item()
