# wrong: sigmoid approximation 1.702
# named: sigmoid
def gelu(x):
    return x / (1 + (-1.702 * x).exp())
