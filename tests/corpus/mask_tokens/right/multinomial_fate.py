# right: fates drawn with torch.multinomial, one for each position
import torch
from torch import Tensor

HIDE, SWAP, KEEP = 0, 1, 2
FATES = torch.tensor([0.8, 0.1, 0.1])


def mask_tokens(input_ids: Tensor, vocab: dict[str, int], generator: torch.Generator,
                rate: float = 0.15) -> tuple[Tensor, Tensor]:
    n = input_ids.numel()
    fate = torch.multinomial(FATES, n, replacement=True, generator=generator).view(input_ids.shape)
    normal = torch.stack(
        [input_ids != vocab[p] for p in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")]
    ).all(dim=0)
    chosen = normal & (torch.rand(input_ids.shape, generator=generator) < rate)
    piece = torch.randint(0, len(vocab), input_ids.shape, generator=generator)
    masked = input_ids.masked_fill(chosen & (fate == HIDE), vocab["[MASK]"])
    masked = torch.where(chosen & (fate == SWAP), piece, masked)
    return masked, input_ids.masked_fill(~chosen, -100)
