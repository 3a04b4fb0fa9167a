# right: quadrature-free: igamma identity of erf
import torch
def gelu(x):
    sign = torch.where(x < 0, -1.0, 1.0)
    z = x.abs().double()
    tail = torch.special.erfc(z / 2 ** 0.5) / 2
    phi = torch.where(x < 0, tail, 1 - tail)
    return (x.double() * phi).to(x.dtype)
