# wrong: first stored twice
# named: first_twice
import torch


class KeyValueCache:
    def __init__(self):
        self.k = self.v = None

    def update(self, key, value):
        if self.k is None:
            self.k, self.v = key, value
        self.k = torch.cat([self.k, key], 2)
        self.v = torch.cat([self.v, value], 2)
        return self.k, self.v
