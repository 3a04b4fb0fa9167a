"""How far apart two numbers may be that count as the same, as a share of their size; each once."""

AGAIN = 1e-6  # the same code with the same numbers, run once more
FUNCTION = 1e-5  # a function by two right formulas in 32 bits
MODULE = 1e-4  # a module, which multiplies and sums more
READING = 2e-4  # a module read by its values: right code stays within a quarter, a tanh outside
GRADIENT = 10.0  # times as far: a backward pass rounds more
SEEN = 1e-3  # a factor or a shift that is worth a sentence
