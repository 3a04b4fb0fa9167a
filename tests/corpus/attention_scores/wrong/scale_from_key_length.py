# wrong: scale taken from the key's sequence in a class property
# named: scaled_by_root_of_keys
import torch
class Scorer:
    def __init__(self, q, k):
        self.q, self.k = q, k
    @property
    def temperature(self):
        return self.k.size(1) ** 0.5
    @property
    def logits(self):
        return torch.bmm(self.q, self.k.mT) / self.temperature
def attention_scores(query, key):
    return Scorer(query, key).logits
