# right: in-place work on an own clone, with asserts
import torch


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    assert temperature > 0
    assert top_k is None or top_k >= 1
    assert top_p is None or 0 < top_p <= 1
    x = logits.clone()
    x -= x.max(-1, True)[0]
    x /= temperature
    rows = torch.arange(x.size(0)).unsqueeze(1)
    order = x.argsort(-1, descending=True)
    if top_k is not None:
        x[rows, order[:, top_k:]] = -torch.inf
    chances = x.exp_()
    chances /= chances.sum(-1, keepdim=True)
    if top_p is not None and top_p < 1:
        s = chances[rows, order]
        s[(s.cumsum(-1) - s) >= top_p] = 0
        chances[rows, order] = s
    out = torch.multinomial(chances, 1, replacement=True, generator=generator)
    assert out.shape == (logits.shape[0], 1)
    return out.view(-1)
