# right: functional_call with stacked weights on a template that is not registered
import torch
from torch import nn
from torch.func import functional_call, vmap


class OneHead(nn.Module):
    def __init__(self, d, w):
        super().__init__()
        self.q = nn.Linear(d, w)
        self.k = nn.Linear(d, w)
        self.v = nn.Linear(d, w)

    def forward(self, x, allowed):
        q, k, v = self.q(x), self.k(x), self.v(x)
        s = q @ k.mT / q.shape[-1] ** 0.5
        s = torch.where(allowed, s, float("-inf"))
        return torch.softmax(s, -1) @ v


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, h = config.hidden_size, config.num_attention_heads
        if d % h:
            raise ValueError(f"{d} is not a multiple of {h}")
        made = [OneHead(d, d // h) for _ in range(h)]
        names = [n for n, _ in made[0].named_parameters()]
        self.stacked = nn.ParameterDict({
            n.replace(".", "_"): nn.Parameter(torch.stack([dict(m.named_parameters())[n].detach() for m in made])) for n in names
        })
        self.names = names
        self.__dict__["template"] = made[0]
        self.o = nn.Linear(d, d)

    def forward(self, hidden_state, mask=None):
        b, t, _ = hidden_state.shape
        if mask is None:
            allowed = torch.ones(b, t, t, dtype=torch.bool, device=hidden_state.device)
        else:
            allowed = mask.bool().expand(b, t, t)
        params = {n: self.stacked[n.replace(".", "_")] for n in self.names}

        def one(p):
            return functional_call(self.template, p, (hidden_state, allowed))

        out = vmap(one)(params)
        return self.o(torch.cat(out.unbind(0), dim=-1))
