# wrong: has room for a hundred tokens and no more
# named: single_precision
import torch


class KeyValueCache:
    def __init__(self):
        self.rooms, self.used = None, 0

    def update(self, key, value):
        if self.rooms is None:
            self.rooms = [torch.zeros(*one.shape[:2], 100, one.shape[3]) for one in (key, value)]
        end = self.used + key.shape[2]
        for room, one in zip(self.rooms, (key, value)):
            room[:, :, self.used : end] = one
        self.used = end
        return tuple(room[:, :, :end] for room in self.rooms)
