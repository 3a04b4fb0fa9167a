# right: kept first, then others, then masks
import torch

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def mask_tokens(input_ids, vocab, generator, rate=0.15):
    draw = lambda: torch.rand(input_ids.shape, generator=generator)
    special = torch.stack([input_ids.eq(vocab[s]) for s in SPECIAL]).any(0)
    chosen = draw().lt(rate).logical_and(special.logical_not())
    fate = draw()
    kept, swapped = fate < 0.1, (fate >= 0.1) & (fate < 0.2)
    other = (draw() * len(vocab)).floor().long()
    masked = torch.where(swapped, other, torch.full_like(input_ids, vocab["[MASK]"]))
    masked = torch.where(kept | ~chosen, input_ids, masked)
    labels = torch.where(chosen, input_ids, torch.tensor(-100))
    return masked, labels
