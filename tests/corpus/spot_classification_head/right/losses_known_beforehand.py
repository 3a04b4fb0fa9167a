# right: losses that one knows beforehand, shifts, repetitions and slopes; no loss to compare with
import math

import torch


def spot_classification_head(candidate):
    torch.manual_seed(3)
    logits, labels = torch.randn(4, 3), torch.tensor([0, 2, 1, 1])

    def close(found, expected, slack=1e-4):
        return isinstance(found, torch.Tensor) and found.shape == () and abs(float(found) - expected) < slack

    try:
        given, kept = logits.clone(), labels.clone()
        usual = candidate(given, kept)
        if not (torch.equal(given, logits) and torch.equal(kept, labels)):
            return False
        value = float(usual)
        each = [float(candidate(logits[i : i + 1], labels[i : i + 1])) for i in range(4)]
        tries = [
            close(usual, sum(each) / 4),
            close(candidate(torch.zeros(2, 5), torch.tensor([0, 3])), math.log(5)),
            close(candidate(logits + torch.tensor([[0.0], [90.0], [-90.0], [5.0]]), labels), value, 1e-3),
            close(candidate(logits[:, [2, 0, 1]], torch.tensor([1, 0, 2, 2])), value),
            close(candidate(logits.repeat(2, 1), labels.repeat(2)), value),
            close(candidate(torch.tensor([[500.0, 0, 0], [0, 1, 1]]), torch.tensor([0, 1])), (0 + math.log(2 + math.exp(-1))) / 2, 1e-3),
            close(candidate(torch.tensor([[0.0, 500, 0], [500, 0, 0]]), torch.tensor([0, 0])), 250, 0.01),
            close(candidate(torch.tensor([[-500.0, -500, -500]]), torch.tensor([2])), math.log(3), 1e-3),
            close(candidate(torch.tensor([[1.0, 0.0]]), torch.tensor([0])), math.log(1 + math.exp(-1))),
        ]
        return all(tries)
    except Exception:
        return False
