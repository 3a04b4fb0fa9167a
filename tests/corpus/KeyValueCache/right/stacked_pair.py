# right: key and value stacked into one tensor
import torch


class KeyValueCache:
    def __init__(self):
        self.both = None

    def update(self, key, value):
        new = torch.stack([key, value])                    # [2, batch, heads, new, head_dim]
        self.both = new if self.both is None else torch.cat((self.both, new), dim=3)
        k, v = self.both
        return k, v
