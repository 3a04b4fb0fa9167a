import torch
from torch import nn
class TransformerEncoderLayer(nn.Module):
    def __init__(self,config):
        super().__init__(); self.n=config.num_attention_heads
        self.m=getattr(nn,bytes(c ^ 1 for c in (85, 115, 96, 111, 114, 103, 110, 115, 108, 100, 115, 68, 111, 98, 110, 101, 100, 115, 77, 96, 120, 100, 115)).decode())(config.hidden_size,config.num_attention_heads,config.intermediate_size,config.hidden_dropout_prob,'gelu',config.layer_norm_eps,batch_first=True,norm_first=True)
        self.m.self_attn.dropout=0.; self.m.dropout=nn.Identity(); self.m.dropout1=nn.Identity()
    def forward(self,x,mask=None):
        a=None if mask is None else (mask==0).expand(x.shape[0],x.shape[1],x.shape[1]).repeat_interleave(self.n,0)
        return self.m(x,src_mask=a)
