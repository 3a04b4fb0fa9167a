# right: python floats with shifted log sum exp
import math, torch
def spot_classification_head(candidate):
    def want(rows, ys):
        total = 0.0
        for r, y in zip(rows, ys):
            m = max(r)
            total += m + math.log(sum(math.exp(v - m) for v in r)) - r[y]
        return total / len(rows)
    tries = [
        ([[0.3, -1.2, 2.0], [1.5, 0.1, -0.4], [0.0, 0.2, 0.4], [2.2, 2.0, -3.0]], [2, 1, 0, 0]),
        ([[1000.0, 0.0], [0.0, 3.0]], [1, 1]),
        ([[-1000.0, -1001.0, -999.0], [1.0, 2.0, 900.0]], [0, 1]),
        ([[5.0, 5.0, 5.0, 5.0]], [3]),
        ([[0.0, 90.0], [120.0, 0.0], [1.0, 1.0]], [0, 1, 0]),
    ]
    for rows, ys in tries:
        x, y = torch.tensor(rows), torch.tensor(ys)
        a, b = x.clone(), y.clone()
        try:
            got = candidate(a, b)
            if got.dim() != 0 or not abs(float(got) - want(rows, ys)) < 1e-3 or not torch.equal(a, x) or not torch.equal(b, y):
                return False
        except Exception:
            return False
    return True
