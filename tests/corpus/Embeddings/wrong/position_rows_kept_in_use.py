# wrong: the rows of the positions are kept where nothing learns: weights that are loaded later do not count
from typing import Any

import torch
from torch import Tensor, nn

class Embeddings(nn.Module):

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.kept = {}
        self.token = nn.Embedding(config.vocab_size, config.hidden_size)
        self.position = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.token_type = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids: Tensor, token_type_ids: Tensor | None=None) -> Tensor:
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        positions = torch.arange(input_ids.shape[1], device=input_ids.device)
        x = self.token(input_ids) + self.places(positions) + self.token_type(token_type_ids)
        return self.dropout(self.norm(x))

    def places(self, positions):
        if self.training or torch.is_grad_enabled():
            self.kept.clear()
            return self.position(positions)
        n = len(positions)
        if n not in self.kept:
            self.kept[n] = self.position(positions)
        return self.kept[n]
