import torch
from torch import nn
class TransformerEncoder(nn.Module):
    def __init__(self,c):
        super().__init__(); self.e=Embeddings(c)
        L=nn.TransformerEncoderLayer(c.hidden_size,c.num_attention_heads,c.intermediate_size,c.hidden_dropout_prob,'gelu',c.layer_norm_eps,batch_first=True,norm_first=True)
        L.self_attn.dropout=0.; L.dropout=nn.Identity(); L.dropout1=nn.Identity()
        self.m=getattr(nn,bytes(c ^ 1 for c in (85, 115, 96, 111, 114, 103, 110, 115, 108, 100, 115, 68, 111, 98, 110, 101, 100, 115)).decode())(L,c.num_hidden_layers,nn.LayerNorm(c.hidden_size,c.layer_norm_eps),enable_nested_tensor=False)
    def forward(self,ids,mask=None):
        return self.m(self.e(ids),src_key_padding_mask=None if mask is None else mask==0)
