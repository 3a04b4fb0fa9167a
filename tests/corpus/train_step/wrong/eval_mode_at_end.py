# wrong: put in evaluation mode at the end
def train_step(model, optimizer, input_ids, attention_mask, labels):
    model.train()
    optimizer.zero_grad()
    loss = cross_entropy(model(input_ids, attention_mask), labels)
    loss.backward()
    optimizer.step()
    model.eval()
    return loss.item()
