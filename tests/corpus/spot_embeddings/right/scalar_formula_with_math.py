# right: scalar formula with math
import math
def spot_embeddings(candidate):
    try:
        for n, d in ((33, 10), (9, 2), (6, 24)):
            pe = candidate(n, d)
            if list(pe.shape) != [n, d]:
                return False
            rows = pe.tolist()
            for p in range(n):
                for i in range(d):
                    angle = p / 10000 ** ((i - i % 2) / d)
                    want = math.cos(angle) if i % 2 else math.sin(angle)
                    if not abs(rows[p][i] - want) < 1e-4:
                        return False
        return True
    except Exception:
        return False
