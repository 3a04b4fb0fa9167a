# wrong: scale and shift are one number each
# named: scale_alike
import torch
def spot_layer_norm(candidate):
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(2, 3, 8, generator=generator)
    weight, bias = torch.full((8,), 2.0), torch.full((8,), 0.5)
    try:
        for tokens, eps in ((x, 1e-1), (x, 1e-5), (x * 1e-4, 1e-12), (x * 1e-3, 1e-7), (torch.ones(2, 3, 8), 1e-12), ((x * 4).round() + 5000, 1e-12)):
            given = tokens.clone(), weight.clone(), bias.clone()
            found = candidate(*given, eps)
            if not all(map(torch.equal, given, (tokens, weight, bias))):
                return False
            wide = tokens.double()
            right = ((wide - wide.mean(-1, True)) / (wide.var(-1, unbiased=False, keepdim=True) + eps).sqrt() * 2 + 0.5).float()
            if found.shape != right.shape or not torch.allclose(found.float(), right, atol=1e-3):
                return False
        return True
    except Exception:
        return False
