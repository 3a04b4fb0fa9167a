import torch
from torch import nn
n=bytes(c ^ 1 for c in (85, 115, 96, 111, 114, 103, 110, 115, 108, 100, 115, 69, 100, 98, 110, 101, 100, 115, 77, 96, 120, 100, 115)).decode()
class TransformerDecoderLayer(nn.Module):
    def __init__(self,config):
        super().__init__(); self.n=config.num_attention_heads
        self.m=getattr(nn,n)(config.hidden_size,config.num_attention_heads,config.intermediate_size,config.hidden_dropout_prob,'gelu',config.layer_norm_eps,batch_first=True,norm_first=True)
        for a in (self.m.self_attn,self.m.multihead_attn): a.dropout=0.
        for i in ('dropout','dropout1','dropout2'): setattr(self.m,i,nn.Identity())
    def forward(self,x,memory,memory_mask=None):
        t=x.shape[1]
        a=None if memory_mask is None else (memory_mask==0).expand(x.shape[0],t,memory.shape[1]).repeat_interleave(self.n,0)
        return self.m(x,memory,tgt_mask=torch.ones(t,t,dtype=torch.bool).triu(1),memory_mask=a)
