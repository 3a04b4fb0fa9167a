# right: loops in plain Python
import math

import torch


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    answers = []
    for row, u in zip(logits.tolist(), torch.rand(len(logits), generator=generator).tolist()):
        best = max(row)
        weights = sorted(((math.exp((x - best) / temperature), i) for i, x in enumerate(row)), reverse=True)
        weights = weights[:top_k] if top_k else weights
        total = sum(w for w, _ in weights)
        if top_p is not None:
            kept, reached = [], 0.0
            for w, i in weights:
                kept.append((w, i))
                reached += w / total
                if reached >= top_p:
                    break
            weights, total = kept, sum(w for w, _ in kept)
        left = u * total
        for w, i in weights:
            left -= w
            if left < 0:
                break
        answers.append(i)
    return torch.tensor(answers)
