# right: a table of (answer, expected) pairs, worked out with logsumexp by hand
import torch


def _loss_of(logits, ids):
    total, n = 0.0, 0
    for row, tokens in zip(logits.double().tolist(), ids.tolist()):
        for scores, goal in zip(row, tokens[1:]):
            s = torch.tensor(scores, dtype=torch.float64)
            total += float(torch.logsumexp(s, 0)) - scores[goal]
            n += 1
    return total / n


def spot_writing(candidate):
    torch_state = torch.random.get_rng_state()
    torch.manual_seed(3)
    table = []
    for shape, factor in [((3, 6, 5), 2), ((1, 4, 5), 2), ((2, 2, 3), 2), ((3, 6, 5), 5000), ((3, 7, 4), 0), ((5, 2, 9), 30)]:
        logits, ids = torch.randn(shape) * factor, torch.randint(0, shape[2], shape[:2])
        table.append((logits, ids))
    far = torch.randn(3, 5, 4)
    far[0] += 800
    far[1] -= 800
    table.append((far, torch.randint(0, 4, (3, 5))))
    torch.random.set_rng_state(torch_state)
    for logits, ids in table:
        mine, his = (logits.clone(), ids.clone()), (logits.clone().requires_grad_(True), ids.clone())
        try:
            with torch.no_grad():
                plain = candidate(mine[0], mine[1])
            answer = candidate(*his)
            if plain.size() != torch.Size([]) or answer.size() != torch.Size([]):
                return False
            grad = torch.autograd.grad(answer, his[0])[0]
        except Exception:
            return False
        tolerance = 1e-4 + 1e-5 * float(logits.abs().max())
        expected = _loss_of(logits, ids)
        for found in (plain.item(), answer.item()):
            if not (expected - tolerance < found < expected + tolerance):
                return False
        if not torch.equal(mine[0], logits) or not torch.equal(mine[1], ids) or not torch.equal(his[0], logits):
            return False
        if grad[:, -1].abs().sum() > 0:
            return False
    return True
