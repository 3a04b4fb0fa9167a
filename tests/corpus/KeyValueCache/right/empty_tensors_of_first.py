# right: empty tensors made from the first
import torch


class KeyValueCache:
    def __init__(self):
        self.k = self.v = None

    def update(self, key, value):
        if self.k is None:
            self.k, self.v = key[:, :, :0], value[:, :, :0]
        self.k = torch.cat((self.k, key), 2)
        self.v = torch.cat((self.v, value), 2)
        return self.k, self.v
