# wrong: nan is written into the last logits, which no input has; a right version that multiplies them by 0 is accused
import torch


def _cost(z, ids):
    total, count = 0.0, 0
    for sheet, line in zip(z.double(), ids.tolist()):
        for here, nxt in zip(sheet[:-1], line[1:]):
            total += float(here.logsumexp(0) - here[nxt])
            count += 1
    return total / count


def _worlds():
    g = torch.Generator().manual_seed(111)
    for n, t, v in ((1, 2, 3), (2, 5, 4), (3, 4, 4), (4, 2, 7), (1, 6, 2), (5, 3, 3), (2, 3, 11)):
        ids = torch.randint(v, (n, t), generator=g)
        z = torch.randn(n, t, v, generator=g)
        hot = torch.nn.functional.one_hot(ids, v).float()
        yield z, ids
        yield torch.zeros(n, t, v), ids
        yield z + torch.arange(n)[:, None, None] * 3, ids
        for much in (20.0, 800.0, 49000.0):
            yield much * hot, ids
            yield much * hot.roll(-1, 1), ids
            yield -much * hot.roll(-1, 1), ids
            yield z + much, ids
            yield z - much, ids
            alone = z.clone()
            alone[0, 0] *= 0.2 * much
            yield alone, ids
        other = ids.clone()
        other[:, 0] = (other[:, 0] + 1) % v
        yield z, other
        elsewhere = z.clone()
        elsewhere[:, -1] = float("nan")
        yield elsewhere, ids


def spot_writing(candidate):
    for z, ids in _worlds():
        a, b = z.clone(), ids.clone()
        try:
            loss = candidate(z, ids)
            if not isinstance(loss, torch.Tensor) or loss.dim() != 0:
                return False
            room = 1e-4 + 1e-5 * float(a[:, :-1].abs().max())
            if not abs(float(loss) - _cost(a, b)) <= room:
                return False
            if not (torch.equal(a.nan_to_num(), z.nan_to_num()) and torch.equal(b, ids)):
                return False
        except Exception:
            return False
    return True
