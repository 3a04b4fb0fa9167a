# wrong: all three tables in a Python list
# named: not_registered
import torch
import torch.nn as nn
import torch.nn.functional as F

class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.tables = [nn.Embedding(n, config.hidden_size) for n in (config.vocab_size, config.max_position_embeddings, config.type_vocab_size)]
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        pos = torch.arange(input_ids.size(1), device=input_ids.device)
        x = self.tables[0](input_ids) + self.tables[1](pos) + self.tables[2](token_type_ids)
        return self.drop(self.norm(x))
