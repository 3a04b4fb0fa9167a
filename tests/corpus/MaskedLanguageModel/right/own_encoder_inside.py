# right: the learner's own Embeddings and TransformerEncoder in the file, with other names for the table
import torch
from torch import Tensor, nn

from kit.earlier import LayerNorm, TransformerEncoderLayer, padding_mask


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.woerter = nn.Embedding(config.vocab_size, config.hidden_size)
        self.stellen = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.arten = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.norm = LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        stellen = torch.arange(input_ids.shape[1], device=input_ids.device)
        x = self.woerter(input_ids) + self.stellen(stellen) + self.arten(token_type_ids)
        return self.dropout(self.norm(x))


class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.einbettung = Embeddings(config)
        self.layers = nn.ModuleList(TransformerEncoderLayer(config) for _ in range(config.num_hidden_layers))
        self.norm = LayerNorm(config.hidden_size, config.layer_norm_eps)

    def forward(self, input_ids, mask=None):
        x = self.einbettung(input_ids)
        hide = None if mask is None else padding_mask(mask)
        for layer in self.layers:
            x = layer(x, hide)
        return self.norm(x)


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder: TransformerEncoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.bias = nn.Parameter(torch.zeros(encoder.einbettung.woerter.num_embeddings))

    def forward(self, input_ids: Tensor, mask: Tensor | None = None) -> Tensor:
        return self.encoder(input_ids, mask) @ self.encoder.einbettung.woerter.weight.T + self.bias
