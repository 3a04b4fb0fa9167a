# right: vectorized, isin and nested torch.where
import torch
from torch import Tensor


def mask_tokens(
    input_ids: Tensor, vocab: dict[str, int], generator: torch.Generator, rate: float = 0.15
) -> tuple[Tensor, Tensor]:
    special = torch.tensor([vocab[s] for s in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")])
    chosen = torch.rand(input_ids.shape, generator=generator) < rate
    chosen &= ~torch.isin(input_ids, special)
    fate = torch.rand(input_ids.shape, generator=generator)
    other = torch.randint(len(vocab), input_ids.shape, generator=generator)
    changed = torch.where(fate < 0.8, vocab["[MASK]"], torch.where(fate < 0.9, other, input_ids))
    masked = torch.where(chosen, changed, input_ids)
    labels = torch.where(chosen, input_ids, -100)
    return masked, labels
