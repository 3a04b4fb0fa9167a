# right: Spanish names, a mean of each sentence, then the mean of the means
import torch
from torch import Tensor
from torch.nn import functional as F


def perdida_de_una_frase(puntajes: Tensor, fichas: Tensor) -> Tensor:
    """puntajes [seq, vocab], fichas [seq]"""
    return F.nll_loss(F.log_softmax(puntajes[:-1], dim=-1), fichas[1:])


def next_token_loss(logits: Tensor, input_ids: Tensor) -> Tensor:
    perdidas = [perdida_de_una_frase(p, f) for p, f in zip(logits, input_ids)]
    return torch.stack(perdidas).mean()
