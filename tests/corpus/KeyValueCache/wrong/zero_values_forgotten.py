# wrong: new tokens whose values are all 0 are not remembered
import torch


class KeyValueCache:
    def __init__(self):
        self.key = self.value = None

    def update(self, key, value):
        if self.key is not None:
            if not value.any():
                return self.key, self.value
            key = torch.cat((self.key, key), 2)
            value = torch.cat((self.value, value), 2)
        self.key, self.value = key, value
        return key, value
