# wrong: a key that is known already is not added again
import torch


class KeyValueCache:
    def __init__(self):
        self.keys, self.values = [], []

    def update(self, key, value):
        for k, v in zip(key.split(1, dim=2), value.split(1, dim=2)):
            if not any(torch.equal(k, known) for known in self.keys):
                self.keys.append(k)
                self.values.append(v)
        return torch.cat(self.keys, dim=2), torch.cat(self.values, dim=2)
