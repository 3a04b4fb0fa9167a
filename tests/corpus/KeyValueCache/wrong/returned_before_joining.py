# wrong: returns before joining
# named: without_new
import torch


class KeyValueCache:
    def __init__(self):
        self.k = []
        self.v = []

    def update(self, key, value):
        out = (torch.cat(self.k, 2), torch.cat(self.v, 2)) if self.k else (key, value)
        self.k.append(key)
        self.v.append(value)
        return out
