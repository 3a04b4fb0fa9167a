# wrong: a mutable default
# named: shared
import torch


class KeyValueCache:
    def __init__(self, parts=[]):
        self.parts = parts

    def update(self, key, value):
        self.parts.append((key, value))
        return tuple(torch.cat(one, dim=2) for one in zip(*self.parts))
