# wrong: numpy-like tanh approximation with 0.044715 x cubed
# named: gelu_tanh
import torch
class GELUActivation:
    C = (2 / 3.141592653589793) ** 0.5
    def __call__(self, x):
        return x * 0.5 * (1.0 + torch.tanh(self.C * x * (1 + 0.044715 * x * x)))
gelu = GELUActivation()
