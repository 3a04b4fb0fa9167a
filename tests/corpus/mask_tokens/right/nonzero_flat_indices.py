# right: candidates by flat index, scatter into a flat clone
import torch
from torch import Tensor


def mask_tokens(input_ids: Tensor, vocab: dict[str, int], generator: torch.Generator, rate: float = 0.15):
    flat = input_ids.reshape(-1)
    table = torch.ones(len(vocab), dtype=torch.bool)          # id -> may be chosen
    table[[vocab[p] for p in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")]] = False
    candidates = table[flat].nonzero().squeeze(1)
    picked = candidates[torch.rand(len(candidates), generator=generator) < rate]
    fate = torch.rand(len(picked), generator=generator)
    to_mask, to_swap = picked[fate < 0.8], picked[(fate >= 0.8) & (fate < 0.9)]
    drawn = torch.randint(len(vocab), to_swap.shape, generator=generator)
    masked = flat.clone()
    masked = masked.index_fill(0, to_mask, vocab["[MASK]"]).scatter(0, to_swap, drawn)
    labels = torch.full_like(flat, -100).scatter(0, picked, flat[picked])
    return masked.view(input_ids.shape), labels.view(input_ids.shape)
