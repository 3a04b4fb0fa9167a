# right: under enable_grad, backward with an explicit gradient of ones, loss by log_softmax and gather
import torch
def train_step(model, optimizer, input_ids, attention_mask, labels):
    with torch.enable_grad():
        for p in model.parameters():
            p.grad = None
        optimizer.zero_grad()
        scores = model.train()(input_ids, attention_mask)
        loss = -scores.log_softmax(-1).gather(1, labels.view(-1, 1)).mean()
        loss.backward(gradient=torch.ones_like(loss))
    optimizer.step()
    return loss.detach().cpu().double().item()
