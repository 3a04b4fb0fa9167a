# right: set_to_none by hand, ready-made F.cross_entropy, nested function
import torch.nn.functional as F
def train_step(model, optimizer, input_ids, attention_mask, labels):
    def forward_loss():
        return F.cross_entropy(model(input_ids, attention_mask), labels)
    model.training or model.train(True)
    model.train()
    for group in optimizer.param_groups:
        for p in group["params"]:
            p.grad = None
    loss = forward_loss()
    loss.backward()
    optimizer.step()
    return float(loss)
