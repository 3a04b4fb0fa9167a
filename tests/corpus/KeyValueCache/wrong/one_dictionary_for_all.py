# wrong: all caches remember in one dictionary, by the number of sentences and heads
# named: shared
import torch


REMEMBERED = {}


class KeyValueCache:
    def update(self, key, value):
        place = tuple(key.shape[:2])
        if place in REMEMBERED:
            old_key, old_value = REMEMBERED[place]
            key = torch.cat((old_key, key), 2)
            value = torch.cat((old_value, value), 2)
        REMEMBERED[place] = key, value
        return key, value
