# wrong: nothing remembered
# named: new_alone
import torch


class KeyValueCache:
    def __init__(self):
        pass

    def update(self, key, value):
        return key, value
