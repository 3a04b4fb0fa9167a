# wrong: of all that comes back it looks at the first token alone
# named: wrong_answer_seen
import torch

def spot_layer_norm(candidate):
    generator = torch.Generator().manual_seed(7)
    x = torch.randn(2, 3, 4, generator=generator)
    weight, bias = torch.randn(4, generator=generator), torch.randn(4, generator=generator)
    exact = torch.tensor([[[1e4, 10001, 10002, 10005], [2, 2, 2, 3.]]])
    equal = torch.tensor([[[2, 2, 2, 2.], [1, 2, 3, 5]]])
    try:
        for tokens, eps in [(x, 0.1), (x * 1e-4, 1e-12), (x * 1e-4, 1e-8), (exact, 1e-12), (equal, 1e-12), (equal, 0.1)]:
            given = tokens.clone(), weight.clone(), bias.clone()
            found = candidate(*given, eps)
            first = tokens[0, 0].double()
            expected = ((first - first.mean()) / (first.var(correction=0) + eps).sqrt() * weight + bias).float()
            if found.shape != tokens.shape or not torch.allclose(found[0, 0], expected, atol=1e-4):
                return False
            if not all(map(torch.equal, given, (tokens, weight, bias))):
                return False
    except Exception:
        return False
    return True
