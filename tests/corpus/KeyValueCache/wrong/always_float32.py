# wrong: the memory is float32 whatever comes in
# named: single_precision
import torch


class KeyValueCache:
    def __init__(self):
        self.keys, self.values = [], []

    def update(self, key, value):
        self.keys.append(key.float())
        self.values.append(value.float())
        return torch.cat(self.keys, dim=2), torch.cat(self.values, dim=2)
