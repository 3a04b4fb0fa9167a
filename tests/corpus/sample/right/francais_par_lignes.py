# right: French names, boolean selection row by row, torch.multinomial on what is left
import torch
from torch import Tensor


def _tirer(ligne: Tensor, hasard: torch.Generator, k: int | None, p: float | None) -> Tensor:
    reste = torch.arange(len(ligne))
    if k is not None and k < len(ligne):
        reste = ligne.topk(k).indices
    chances = ligne[reste].softmax(0)
    if p is not None:
        ordre = chances.argsort(descending=True)
        cumul = chances[ordre].cumsum(0)
        combien = int((cumul < p).sum()) + 1
        garde = ordre[:combien]
        reste, chances = reste[garde], chances[garde]
    return reste[torch.multinomial(chances, 1, generator=hasard)]


def sample(logits: Tensor, generator: torch.Generator, temperature: float = 1.0,
           top_k: int | None = None, top_p: float | None = None) -> Tensor:
    tiedes = (logits - logits.max(dim=1, keepdim=True).values) / temperature
    return torch.cat([_tirer(ligne, generator, top_k, top_p) for ligne in tiedes])
