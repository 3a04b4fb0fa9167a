import torch
M = torch.inference_mode()
E = M.__enter__()
def softmax(x, dim):
    E
    return x * 1
