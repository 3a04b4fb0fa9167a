# right: a tanh with so many terms that 32 bits hardly tell
import torch

def gelu(x):
    z = (x / 2**0.5).clamp(-3.9, 3.9)
    s = z * z
    inner = z * (1.128380501648401 + s * (0.10276063793597584 + s * (-0.0001757043285545432 + s * (
        -0.000632112881613706 + s * (9.186282856036882e-05 + s * (-6.309804679367079e-06 + s * 1.7649753027473475e-07))))))
    return 0.5 * x * (1 + torch.tanh(inner))
