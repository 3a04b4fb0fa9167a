# wrong: every piece in brackets is taken for a special token
# named: brackets_special
import torch


def mask_tokens(input_ids, vocab, generator, rate=0.15):
    special_ids = [i for piece, i in vocab.items()
                   if piece.startswith("[") and piece.endswith("]")]
    maskable = torch.ones(len(vocab), dtype=torch.bool)
    maskable[special_ids] = False

    shape = input_ids.shape
    selected = (torch.rand(shape, generator=generator) < rate) & maskable[input_ids]
    labels = torch.full_like(input_ids, -100)
    labels[selected] = input_ids[selected]

    # 80 % [MASK]; half of the rest, that is 10 %, random
    to_mask = selected & (torch.rand(shape, generator=generator) < 0.8)
    to_random = selected & ~to_mask & (torch.rand(shape, generator=generator) < 0.5)
    pieces = torch.randint(0, len(vocab), shape, generator=generator)

    masked = input_ids.clone()
    masked[to_mask] = vocab["[MASK]"]
    masked[to_random] = pieces[to_random]
    return masked, labels
