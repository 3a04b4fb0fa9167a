# wrong: every token that it tries is the same
# named: tokens_alike
import torch


def spot_multi_head_attention(candidate):
    token = torch.linspace(-2, 5, 24)
    for heads in (3, 4, 6):
        try:
            got = candidate(token.repeat(3, 5, 1), heads)
        except Exception:
            return False
        wanted = token.view(1, heads, 1, -1).expand(3, -1, 5, -1)
        if got.shape != wanted.shape or (got != wanted).any():
            return False
    return True
