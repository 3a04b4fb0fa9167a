# right: class with __call__, instance bound to the name, baddbmm
import torch

class Scores:
    def __init__(self, power=-0.5):
        self.power = power

    def __call__(self, query, key):
        b, q, d = query.shape
        zero = query.new_zeros(b, q, key.shape[1])
        return torch.baddbmm(zero, query, key.transpose(1, 2), beta=0, alpha=d ** self.power)

attention_scores = Scores()
