# wrong: lightning style returns a tensor attached to the graph
# named: tensor, graph_kept
import torch.nn.functional as F
class Step:
    def __call__(self, model, optimizer, input_ids, attention_mask, labels):
        model.train()
        loss = self.training_step(model, (input_ids, attention_mask, labels))
        optimizer.zero_grad(); loss.backward(); optimizer.step()
        return loss
    def training_step(self, model, batch):
        ids, mask, y = batch
        return F.cross_entropy(model(ids, mask), y)
train_step = Step()
