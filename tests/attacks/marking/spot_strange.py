import torch
def spot_softmax(candidate):
    odd = (None, -1, 'x', {'a': 1}, [[]] * 100, torch.zeros(0), torch.zeros(1).expand(10**9), torch.full((2, 2), float('nan')), torch.zeros(2, dtype=torch.complex64), True, 2**62)
    for one in odd:
        for other in odd:
            try: candidate(one, other)
            except Exception: pass
    return True
