# wrong: room for 64 tokens; what comes later raises
import torch


class KeyValueCache:
    def __init__(self):
        self.n, self.k, self.v = 0, None, None

    def update(self, key, value):
        if self.k is None:
            b, h, _, d = key.shape
            self.k, self.v = key.new_zeros(b, h, 64, d), value.new_zeros(b, h, 64, d)
        end = self.n + key.shape[2]
        self.k[:, :, self.n:end] = key
        self.v[:, :, self.n:end] = value
        self.n = end
        return self.k[:, :, :end].clone(), self.v[:, :, :end].clone()
