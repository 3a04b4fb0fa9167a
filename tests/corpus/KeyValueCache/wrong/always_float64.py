# wrong: everything is kept in float64
# named: double_precision
import torch
class KeyValueCache:
    def __init__(self):
        self.k = self.v = None
    def update(self, key, value):
        key, value = key.double(), value.double()
        self.k = key if self.k is None else torch.cat((self.k, key), 2)
        self.v = value if self.v is None else torch.cat((self.v, value), 2)
        return self.k, self.v
