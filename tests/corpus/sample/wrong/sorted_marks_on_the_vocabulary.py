# wrong: marks of the sorted row are laid on the vocabulary as they are
# named: both_not_put_back
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
    
    return torch.multinomial(logits.masked_fill(~keep, -torch.inf).softmax(1), 1, generator=generator)[:, 0]
