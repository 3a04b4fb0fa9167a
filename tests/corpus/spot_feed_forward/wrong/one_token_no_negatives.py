# wrong: only one token, no negative features
# named: none_goes_wrong, spoiling_seen, wrong_answer_seen
import torch
def spot_feed_forward(candidate):
    x = torch.ones(1, 1, 2)
    w1, b1, w2, b2 = torch.eye(2), torch.zeros(2), torch.eye(2), torch.zeros(2)
    try:
        return bool((candidate(x, w1, b1, w2, b2) - 0.8413).abs().max() < 1e-3)
    except Exception:
        return False
