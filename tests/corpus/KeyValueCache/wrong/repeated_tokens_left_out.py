# wrong: tokens whose key is that of the last one are left out
import torch


class KeyValueCache:
    def __init__(self):
        self.key = self.value = None

    def update(self, key, value):
        if self.key is not None:
            if torch.equal(self.key[:, :, -1:], key[:, :, :1]):
                key, value = key[:, :, 1:], value[:, :, 1:]
            key = torch.cat((self.key, key), 2)
            value = torch.cat((self.value, value), 2)
        self.key, self.value = key, value
        return key, value
