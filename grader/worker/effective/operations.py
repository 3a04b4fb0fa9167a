"""Which of PyTorch's operations are linear in a tensor, by their names; runs none."""

VIEWS = {
    *("view", "reshape", "transpose", "permute", "flatten", "unflatten", "unsqueeze", "squeeze"),
    *("split", "chunk", "unbind", "__getitem__", "expand", "contiguous", "clone", "swapaxes"),
    *("swapdims", "movedim", "moveaxis", "narrow", "select", "T", "mT", "t", "to", "float"),
    *("view_as", "reshape_as", "expand_as", "tensor_split", "split_with_sizes", "__iter__"),
    *("type_as", "repeat", "roll", "flip", "index_select", "dropout", "identity", "H", "mH"),
    *("double", "half", "bfloat16", "type"),
}
JOINS = {
    *("add", "__add__", "__radd__", "__iadd__", "add_", "sub", "__sub__", "__rsub__", "subtract"),
    *("cat", "concat", "concatenate", "stack", "hstack", "rsub"),
}
CONTRACTIONS = {
    *("linear", "matmul", "__matmul__", "__rmatmul__", "mm", "bmm", "mv", "einsum", "tensordot"),
    *("conv1d", "conv2d", "inner", "addmm", "baddbmm", "sum", "bilinear", "dot"),
    *("conv_transpose1d", "conv_transpose2d"),
}
FACTORS = {
    *("mul", "__mul__", "__rmul__", "__imul__", "mul_", "multiply", "div", "__truediv__"),
    *("divide", "true_divide", "neg", "__neg__", "negative", "div_", "__itruediv__"),
}
WIDENING = {"cat", "concat", "concatenate", "pad"}  # with ones, as a bias' row needs them
LINEAR = {"pad"} | VIEWS | JOINS | CONTRACTIONS | FACTORS
CHOICES = {"where", "masked_fill", "gather", "take_along_dim"}
FILLED = {"ones_like", "zeros_like", "full_like", "new_ones", "new_zeros", "new_full"}
RANDOM = {"rand", "randn", "randint", "rand_like", "randn_like", "bernoulli", "empty", "normal"}
