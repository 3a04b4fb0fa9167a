# right: positions by a plain arange as an index, which PyTorch moves to the table itself
import torch
from torch import nn
class Embeddings(nn.Module):
    def __init__(self, c):
        super().__init__()
        d=c.hidden_size
        self.t,self.p,self.k=nn.Embedding(c.vocab_size,d),nn.Embedding(c.max_position_embeddings,d),nn.Embedding(c.type_vocab_size,d)
        self.n=nn.LayerNorm(d,c.layer_norm_eps); self.d=nn.Dropout(c.hidden_dropout_prob)
    def forward(self, ids, token_type_ids=None):
        if token_type_ids is None: token_type_ids=torch.zeros_like(ids)
        return self.d(self.n(self.t(ids)+self.p.weight[torch.arange(ids.shape[1])]+self.k(token_type_ids)))
