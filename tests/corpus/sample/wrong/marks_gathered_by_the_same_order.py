# wrong: the way back from the sorted row is gathered with the order itself
# named: both_by_rank_of_rank
import torch
def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    logits = logits / temperature
    s, order = torch.sort(logits, dim=1, descending=True)
    keep = torch.ones_like(s, dtype=torch.bool)
    if top_k is not None:
        keep &= torch.arange(logits.shape[1]) < top_k
    if top_p is not None:
        left = s.masked_fill(~keep, -torch.inf).softmax(1)
        keep &= left.cumsum(1) - left < top_p
    keep = torch.take_along_dim(keep, order, 1)
    return torch.multinomial(logits.masked_fill(~keep, -torch.inf).softmax(1), 1, generator=generator)[:, 0]
