# wrong: only looks at the shape
# named: wrong_answer_seen
import torch

def spot_attention_scores(candidate):
    try:
        return candidate(torch.randn(2, 3, 5), torch.randn(2, 4, 5)).shape == (2, 3, 4)
    except Exception:
        return False
