# wrong: exactly the share of all words of the batch is chosen
# named: exact_count_of_all
import torch
from torch import Tensor

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def mask_tokens(
    input_ids: Tensor, vocab: dict[str, int], generator: torch.Generator, rate: float = 0.15
) -> tuple[Tensor, Tensor]:
    special = torch.tensor([vocab[name] for name in SPECIAL])
    candidates = (~torch.isin(input_ids, special)).flatten().nonzero()[:, 0]
    number = round(rate * len(candidates))
    order = torch.randperm(len(candidates), generator=generator)
    chosen = torch.zeros(input_ids.numel(), dtype=torch.bool)
    chosen[candidates[order[:number]]] = True
    chosen = chosen.view(input_ids.shape)

    fate = torch.rand(input_ids.shape, generator=generator)
    other = torch.randint(len(vocab), input_ids.shape, generator=generator)
    masked = torch.where(chosen & (fate < 0.8), vocab["[MASK]"], input_ids)
    masked = torch.where(chosen & (fate >= 0.8) & (fate < 0.9), other, masked)
    return masked, input_ids.masked_fill(~chosen, -100)
