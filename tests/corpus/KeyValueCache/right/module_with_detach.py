# right: an nn.Module with detach
import torch


class KeyValueCache(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.past = None

    def update(self, key, value):
        key, value = key.detach(), value.detach()
        if self.past:
            key, value = (torch.cat(pair, 2) for pair in zip(self.past, (key, value)))
        self.past = (key, value)
        return self.past
