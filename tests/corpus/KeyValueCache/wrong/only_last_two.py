# wrong: the first forgotten: only the last two
# named: last_two
import torch


class KeyValueCache:
    def __init__(self):
        self.past = None

    def update(self, key, value):
        past, self.past = self.past, (key, value)
        if past is None:
            return key, value
        return torch.cat([past[0], key], 2), torch.cat([past[1], value], 2)
