# wrong: newest first
# named: newest_first
import torch


class KeyValueCache:
    def __init__(self):
        self.k = self.v = None

    def update(self, key, value):
        self.k = key if self.k is None else torch.cat([key, self.k], 2)
        self.v = value if self.v is None else torch.cat([value, self.v], 2)
        return self.k, self.v
