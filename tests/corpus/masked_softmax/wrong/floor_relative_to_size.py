# wrong: hidden keys get minus ten times the largest size among the scores, which is no low score where all scores are near 0
# named: mask_fills_by_largest
import torch


def masked_softmax(scores, mask):
    """-10000 is not low enough beside -20000, so make the floor as low as the scores ask for."""
    floor = -10 * scores.detach().abs().max()
    allowed = torch.broadcast_to(mask.bool(), scores.shape)
    visible = torch.where(allowed, scores, floor)
    return softmax(visible, -1)
