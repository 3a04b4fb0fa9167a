# wrong: no return
# named: nothing_back
import torch


class KeyValueCache:
    def __init__(self):
        self.k = self.v = None

    def update(self, key, value):
        self.k = key if self.k is None else torch.cat([self.k, key], 2)
        self.v = value if self.v is None else torch.cat([self.v, value], 2)
        pass
