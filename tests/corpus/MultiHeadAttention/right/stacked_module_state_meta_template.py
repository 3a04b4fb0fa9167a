# right: stack_module_state, a template on the meta device in a tuple
import copy
import torch
from torch import nn
from torch.func import functional_call, vmap, stack_module_state


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
        params, _ = stack_module_state(made)
        self.names = list(params)
        for n, p in params.items():
            self.register_parameter(n.replace(".", "_"), nn.Parameter(p.detach()))
        self._template = (copy.deepcopy(made[0]).to("meta"),)
        self.o = nn.Linear(d, d)

    def forward(self, hidden_state, mask=None):
        b, t, _ = hidden_state.shape
        if mask is None:
            allowed = torch.ones(b, t, t, dtype=torch.bool, device=hidden_state.device)
        else:
            allowed = mask.bool().expand(b, t, t)
        params = {n: getattr(self, n.replace(".", "_")) for n in self.names}
        out = vmap(lambda p: functional_call(self._template[0], p, (hidden_state, allowed)))(params)
        return self.o(torch.cat(out.unbind(0), dim=-1))
