# right: dict and setdefault
import torch


class KeyValueCache:
    def __init__(self):
        self.store = {}

    def update(self, key, value):
        for name, new in (('k', key), ('v', value)):
            self.store.setdefault(name, []).append(new.clone())
        return tuple(torch.cat(self.store[name], dim=2) for name in 'kv')
