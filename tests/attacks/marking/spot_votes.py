import torch
INPUTS = ((7, 6), (5, 4), (12, 8), (40, 10))
SEEN = []
def spot_embeddings(candidate):
    try:
        own = [candidate(*each) for each in INPUTS]
    except RuntimeError:
        return False
    SEEN.append(own)
    for index, value in enumerate(own):
        def agree(with_, index=index):
            return sum(
                each[index].shape == with_.shape and torch.allclose(each[index], with_, atol=1e-5)
                for each in SEEN
            )
        most = max(agree(each[index]) for each in SEEN)
        if (most >= 2 and agree(value) < most) or (len(SEEN) > 6 and agree(value) < 2):
            return False
    return True
