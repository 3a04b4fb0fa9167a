# right: properties alone: zeros, a sure model, ends that play no part, batch against single sentences
import math

import torch


def _close(found, expected, scale=1.0):
    if not isinstance(found, torch.Tensor) or found.dim() != 0 or not torch.isfinite(found):
        return False
    return abs(float(found) - float(expected)) <= 1e-4 + 1e-5 * scale


def _judge(candidate):
    g = torch.Generator().manual_seed(7)

    def ask(logits, ids):
        kept_logits, kept_ids = logits.clone(), ids.clone()
        answer = candidate(logits, ids)
        untouched.append(torch.equal(kept_logits, logits) and torch.equal(kept_ids, ids))
        return answer

    untouched = []
    ids = torch.tensor([[0, 3, 1, 4, 2, 0], [2, 2, 0, 1, 3, 4], [4, 0, 1, 0, 3, 3]])
    logits = 3 * torch.randn(3, 6, 5, generator=g)
    base = ask(logits, ids)
    fine = [_close(ask(torch.zeros(3, 6, 5), ids), math.log(5))]
    # single sentences
    single = [ask(logits[i : i + 1].clone(), ids[i : i + 1].clone()) for i in range(3)]
    fine += [isinstance(s, torch.Tensor) and s.dim() == 0 for s in single]
    if not all(fine):
        return False
    fine.append(_close(base, sum(map(float, single)) / 3, 10))
    # pairs of neighbours: every guess by itself
    pairs = [ask(logits[b : b + 1, t : t + 2].clone(), ids[b : b + 1, t : t + 2].clone()) for b in range(3) for t in range(5)]
    fine.append(all(isinstance(p, torch.Tensor) and p.dim() == 0 for p in pairs) and
                _close(base, sum(float(p) for p in pairs) / 15, 10))
    # last logits and first tokens play no part
    other, first = logits.clone(), ids.clone()
    other[:, -1] = 50 * torch.randn(3, 5, generator=g)
    first[:, 0] = (first[:, 0] + 1) % 5
    fine += [_close(ask(other, ids), base, 10), _close(ask(logits, first), base, 10)]
    # a known value for a single guess
    one = torch.tensor([[[1.0, 2.0, 0.0], [9.0, 9.0, 9.0]]])
    for goal in range(3):
        expected = math.log(math.e + math.e**2 + 1) - float(one[0, 0, goal])
        fine.append(_close(ask(one.clone(), torch.tensor([[1, goal]])), expected, 2))
    # very sure, right and wrong
    sure = torch.zeros(3, 6, 5)
    sure[:, :-1].scatter_(-1, ids[:, 1:, None], 10000.0)
    fine.append(_close(ask(sure, ids), 0.0, 10000))
    fine.append(_close(ask(-sure, ids), 10000 + math.log(4), 10000))
    apart = logits.clone()
    apart[0] -= 5000
    apart[1] += 5000
    fine.append(_close(ask(apart, ids), base, 5000))
    # gradients
    leaf = logits.clone().requires_grad_(True)
    answer = candidate(leaf, ids)
    if not answer.requires_grad:
        return False
    answer.backward()
    fine.append(leaf.grad is not None and bool(leaf.grad[:, :-1].abs().sum() > 0))
    return all(fine) and all(untouched)


def spot_writing(candidate):
    try:
        return bool(_judge(candidate))
    except Exception:
        return False
