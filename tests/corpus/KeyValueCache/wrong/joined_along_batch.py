# wrong: joined along the batch
# named: along_batch
import torch


class KeyValueCache:
    def __init__(self):
        self.k = self.v = None

    def update(self, key, value):
        self.k = key if self.k is None else torch.cat([self.k, key], 0)
        self.v = value if self.v is None else torch.cat([self.v, value], 0)
        return self.k, self.v
