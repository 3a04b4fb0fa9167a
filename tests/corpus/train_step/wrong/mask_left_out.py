# wrong: model called without the mask, batch held in a dictionary
# named: no_mask
import torch.nn.functional as F
def train_step(model, optimizer, input_ids, attention_mask, labels):
    batch = {"input_ids": input_ids, "mask": attention_mask, "labels": labels}
    model.train(mode=True)
    optimizer.zero_grad()
    out = model(batch["input_ids"])
    value = F.nll_loss(out.log_softmax(-1), batch["labels"])
    value.backward()
    optimizer.step()
    return value.item()
