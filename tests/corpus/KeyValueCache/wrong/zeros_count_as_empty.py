# wrong: takes a memory full of zeros for an empty one
import torch


class KeyValueCache:
    def __init__(self):
        self.key = self.value = torch.zeros(1)

    def update(self, key, value):
        if not self.key.any():
            self.key, self.value = key, value
        else:
            self.key = torch.cat([self.key, key], dim=2)
            self.value = torch.cat([self.value, value], dim=2)
        return self.key, self.value
