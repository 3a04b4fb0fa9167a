# right: gradients cleared before and after
def train_step(model, optimizer, input_ids, attention_mask, labels):
    model.train()
    optimizer.zero_grad()
    logits = model(input_ids, attention_mask)
    loss = cross_entropy(logits, labels)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()
