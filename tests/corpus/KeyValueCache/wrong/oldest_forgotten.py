# wrong: forgets the oldest beyond 16 tokens
import torch


class KeyValueCache:
    def __init__(self):
        self.key = self.value = None

    def update(self, key, value):
        if self.key is not None:
            key = torch.cat([self.key, key], dim=2)
            value = torch.cat([self.value, value], dim=2)
        self.key, self.value = key[:, :, -16:], value[:, :, -16:]
        return self.key, self.value
