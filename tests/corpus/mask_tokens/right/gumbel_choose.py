# right: candidates of all fates stacked, and picked with gather by a Gumbel draw
import torch
from torch import Tensor


def _categorical(chances: list[float], shape, generator) -> Tensor:
    u = torch.rand(*shape, len(chances), generator=generator, dtype=torch.float64).clamp_min(1e-300)
    return (torch.tensor(chances, dtype=torch.float64).log() - (-u.log()).log()).argmax(-1)


def mask_tokens(input_ids: Tensor, vocab: dict[str, int], generator: torch.Generator,
                rate: float = 0.15) -> tuple[Tensor, Tensor]:
    fate = _categorical([0.8, 0.1, 0.1], input_ids.shape, generator)
    options = torch.stack([
        torch.full_like(input_ids, vocab["[MASK]"]),
        torch.randint(len(vocab), input_ids.shape, generator=generator),
        input_ids,
    ], dim=-1)                                                     # [batch, seq, 3]
    fated = options.gather(-1, fate.unsqueeze(-1)).squeeze(-1)
    blocked = sum((input_ids == vocab[p]) for p in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")) > 0
    chosen = (torch.rand(input_ids.shape, generator=generator) < rate) & ~blocked
    return torch.where(chosen, fated, input_ids), torch.where(chosen, input_ids, -100)
