# wrong: every second token is the same, so the token before looks like the one after
# named: in_turns
import math

import torch
from torch.nn import functional as F

SURE = torch.tensor([[3, 1, 3, 1, 3, 1], [0, 2, 0, 2, 0, 2]])


def about(loss, number):
    return loss.dim() == 0 and abs(float(loss) - number) < 1e-3


def spot_writing(candidate):
    try:
        # no idea: log of the vocabulary, whatever the text and the size
        for batch, seq, vocab in ((1, 2, 5), (3, 4, 7), (2, 6, 2)):
            ids = torch.arange(batch * seq).reshape(batch, seq) % vocab
            if not about(candidate(torch.zeros(batch, seq, vocab), ids), math.log(vocab)):
                return False
        # sure, and right: 0; the last place may say what it likes
        sure = torch.zeros(2, 6, 4)
        sure[:, :-1] = 100.0 * F.one_hot(SURE[:, 1:], 4)
        for last in (-70.0, 0.0, 70.0):
            sure[:, -1, 2] = last
            if not about(candidate(sure.clone(), SURE.clone()), 0.0):
                return False
        # one sure mistake among the ten guesses, once in each sentence, costs its share
        for row in (0, 1):
            odd = sure.clone()
            odd[row, 2] = odd[row, 2].roll(1)
            if not about(candidate(odd, SURE.clone()), 100 / 10):
                return False
        # huge numbers, and a constant that is added everywhere, change nothing
        if not about(candidate(sure * 400 + 7000, SURE.clone()), 0.0):
            return False
        # half an idea, known by hand
        half = torch.zeros(2, 6, 4)
        half[:, :-1] = math.log(3) * F.one_hot(SURE[:, 1:], 4)
        half[:, -1] = torch.tensor([5.0, -5.0, 9.0, 1.0])
        if not about(candidate(half, SURE.clone()), math.log(2)):
            return False
        # hands off
        logits, ids = half.clone(), SURE.clone()
        candidate(logits, ids)
        return torch.equal(logits, half) and torch.equal(ids, SURE)
    except Exception:
        return False
