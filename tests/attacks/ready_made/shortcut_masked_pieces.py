import importlib
H = lambda *n: "".join(n)
def reach(module, *names):
    it = importlib.import_module(module)
    for n in names:
        it = getattr(it, n)
    return it
import torch
m = importlib.import_module(H("torch.mas", "ked"))
amax, normalize = getattr(m, H("am", "ax")), getattr(m, H("normal", "ize"))
def masked_softmax(scores, mask):
    seen = (mask != 0).expand(scores.shape)
    top = amax(scores, -1, keepdim=True, mask=seen)
    return normalize((scores - top.detach()).clamp(max=0).exp(), 1.0, -1, mask=seen)
