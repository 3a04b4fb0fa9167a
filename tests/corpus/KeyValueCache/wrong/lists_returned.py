# wrong: lists come back
# named: lists
import torch


class KeyValueCache:
    def __init__(self):
        self.k, self.v = [], []

    def update(self, key, value):
        self.k.append(key)
        self.v.append(value)
        return self.k, self.v
