# wrong: cross-attention called with its roles exchanged
# named: cross_swapped
import torch, math
from torch import nn
import torch.nn.functional as F
class MHA(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h=h
        self.q,self.k,self.v,self.o=(nn.Linear(d,d) for _ in range(4))
    def forward(self, a, b, mask=None):
        B,T,D=a.shape
        sp=lambda x: x.view(B,-1,self.h,D//self.h).transpose(1,2)
        q,k,v=sp(self.q(a)),sp(self.k(b)),sp(self.v(b))
        s=q@k.mT/math.sqrt(D//self.h)
        if mask is not None: s=s.masked_fill(mask.bool().unsqueeze(-3)==0,-1e9)
        return self.o((s.softmax(-1)@v).transpose(1,2).reshape(B,T,D))
class TransformerDecoderLayer(nn.Module):
    def __init__(self, c):
        super().__init__()
        d,h=c.hidden_size,c.num_attention_heads
        self.sa,self.ca=MHA(d,h),MHA(d,h)
        self.n1,self.n2,self.n3=(nn.LayerNorm(d,c.layer_norm_eps) for _ in range(3))
        self.f1,self.f2=nn.Linear(d,c.intermediate_size),nn.Linear(c.intermediate_size,d)
        self.drop=nn.Dropout(c.hidden_dropout_prob)
    def forward(self,x,memory,memory_mask=None):
        n=x.shape[1]
        y=self.n1(x)
        x=x+self.drop(self.sa(y,y,torch.ones(n,n,device=x.device).tril()))
        x=x+self.drop(self.ca(memory,self.n2(x),memory_mask))
        return x+self.drop(self.f2(F.gelu(self.f1(self.n3(x)))))
