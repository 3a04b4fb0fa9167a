# right: the memory lives in a closure made in __init__
import torch


class KeyValueCache:
    def __init__(self):
        past_keys, past_values = [], []

        def update(key, value):
            past_keys[:] = [torch.cat(past_keys + [key], dim=2)]
            past_values[:] = [torch.cat(past_values + [value], dim=2)]
            return past_keys[0], past_values[0]

        self._update = update

    def update(self, key, value):
        return self._update(key, value)
