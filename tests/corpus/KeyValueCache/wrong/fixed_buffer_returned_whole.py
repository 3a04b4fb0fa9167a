# wrong: a fixed buffer of 16, returned whole
import torch


class KeyValueCache:
    def __init__(self):
        self.k = self.v = None
        self.n = 0

    def update(self, key, value):
        if self.k is None:
            b, h, _, d = key.shape
            self.k, self.v = torch.zeros(b, h, 16, d), torch.zeros(b, h, 16, d)
        end = self.n + key.shape[2]
        self.k[:, :, self.n : end], self.v[:, :, self.n : end] = key, value
        self.n = end
        return self.k, self.v
