# wrong: added up
# named: summed
import torch


class KeyValueCache:
    def __init__(self):
        self.k = self.v = 0

    def update(self, key, value):
        self.k = self.k + key
        self.v = self.v + value
        return self.k, self.v
