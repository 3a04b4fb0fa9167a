# wrong: starts with empty tensors of 32 bits, so that half precision is lost
# named: half_widened
import torch


class KeyValueCache:
    def __init__(self):
        self.seen = None

    def update(self, key, value):
        if self.seen is None:
            b, h, _, d = key.shape
            self.seen = torch.zeros(b, h, 0, d), torch.zeros(b, h, 0, d)
        self.seen = tuple(torch.cat(pair, 2) for pair in zip(self.seen, (key, value)))
        return self.seen
