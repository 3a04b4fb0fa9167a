# wrong: values forgotten
# named: keys_alone_grow
import torch


class KeyValueCache:
    def __init__(self):
        self.k = None

    def update(self, key, value):
        self.k = key if self.k is None else torch.cat([self.k, key], 2)
        return self.k, value
