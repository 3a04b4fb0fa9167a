# wrong: sigmoid approximation 1.702
# named: gelu_sigmoid
def gelu(x):
    return x / (1 + (-1.702 * x).exp())
