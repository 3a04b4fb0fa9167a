# wrong: Taylor series of erf cut after five terms
import math
def gelu(x):
    z = x / math.sqrt(2)
    erf = 2 / math.sqrt(math.pi) * sum((-1) ** n * z ** (2 * n + 1) / (math.factorial(n) * (2 * n + 1)) for n in range(5))
    return 0.5 * x * (1 + erf)
