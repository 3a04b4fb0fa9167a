# wrong: class attributes
# named: shared
import torch


class KeyValueCache:
    keys, values = [], []

    def update(self, key, value):
        self.keys.append(key)
        self.values.append(value)
        return torch.cat(self.keys, 2), torch.cat(self.values, 2)
