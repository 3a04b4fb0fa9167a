"""Names of Python and its libraries that lead to numbers, texts and layers, and to nothing else.

None of them evaluates a text, hands out a module, a frame or a piece of code, or reads a file.
"""

_BUILTINS = """
    ArithmeticError AssertionError AttributeError BaseException Ellipsis Exception IndexError
    KeyError LookupError NameError NotImplemented NotImplementedError OverflowError RuntimeError
    StopIteration TypeError ValueError ZeroDivisionError __name__ abs all any ascii bin bool
    bytearray bytes callable chr classmethod complex delattr dict divmod enumerate filter float
    frozenset hasattr hash hex id input int isinstance issubclass iter len list map max memoryview
    min next object oct ord pow print property range repr reversed round set setattr slice sorted
    staticmethod str sum super tuple type zip
"""
_NUMBERS = """
    abs add all allclose amax amin any arange argmax argmin argsort array array_equal asarray
    broadcast_to ceil clip concatenate copy cos cosh count_nonzero cross cumprod cumsum diag
    diagonal diff divide dot double e einsum empty empty_like equal exp exp2 expand_dims expm1 eye
    finfo flip float16 float32 float64 floor full full_like gather greater hstack iinfo inf inner
    int16 int32 int64 int8 isclose isfinite isin isinf isnan kron less linspace log log10 log1p log2
    logical_and logical_not logical_or matmul max maximum mean median meshgrid min minimum mod
    moveaxis multiply nan nan_to_num ndindex negative newaxis nonzero not_equal ones ones_like outer
    pad pi power prod ravel repeat reshape roll rot90 round searchsorted select sign sin sinh sort
    split sqrt square squeeze stack std subtract sum swapaxes take tan tanh tensordot tile trace
    transpose tri tril triu true_divide uint8 unique var vstack where zeros zeros_like default_rng
    norm inv pinv solve qr svd cholesky lstsq bool_ ndarray
"""
_TENSORS = """
    BoolTensor DoubleTensor FloatTensor Generator LongTensor Size Tensor IntTensor acos addbmm
    addcdiv addcmul addmm as_tensor asin atan atan2 atleast_1d atleast_2d baddbmm bernoulli bfloat16
    bincount block_diag bmm bool broadcast_tensors bucketize cartesian_prod cat cdist cholesky_solve
    chunk clamp clamp_max clamp_min clone column_stack complex64 concat cummax cummin det detach
    device diag_embed diagflat div dtype enable_grad eq erf erfc erfinv fill_ flatten fliplr flipud
    float float_power floor_divide fmax fmin frac from_numpy ge get_default_dtype gt half heaviside
    histc index_add index_copy index_fill index_put index_select int inverse is_complex
    is_floating_point is_grad_enabled is_tensor kthvalue le lerp log_softmax logaddexp logaddexp2
    logcumsumexp logdet logical_xor logit logsumexp long lt manual_seed masked_fill masked_scatter
    masked_select mm movedim mul multinomial mv narrow ne neg no_grad normal numel permute polar
    rand rand_like randint randint_like randn randn_like randperm reciprocal relu remainder
    repeat_interleave result_type rsqrt scatter scatter_add scatter_reduce set_grad_enabled sgn
    short sigmoid softmax strided sub swapdims t take_along_dim tensor tensor_split topk
    tril_indices triu_indices trunc unbind unflatten unsqueeze var_mean std_mean vdot
    view_as_complex view_as_real vmap vsplit xlogy is_available inference_mode ndtr erfcx expit
    multi_dot vector_norm matrix_norm matrix_power slogdet inv_ex eigh eig det lu solve_triangular
"""
_LAYERS = """
    AdaptiveAvgPool1d AvgPool1d BCELoss BCEWithLogitsLoss BatchNorm1d Bilinear Buffer Conv1d Conv2d
    CosineSimilarity CrossEntropyLoss Dropout Dropout1d ELU Embedding EmbeddingBag Flatten GELU GLU
    GRU GroupNorm Identity KLDivLoss LSTM LayerNorm LeakyReLU Linear LogSoftmax MSELoss MaxPool1d
    Mish Module ModuleDict ModuleList MultiheadAttention NLLLoss PReLU Parameter ParameterDict
    ParameterList RMSNorm RNN ReLU SELU Sequential SiLU Sigmoid Softmax Softmax2d Softmin Softplus
    Tanh Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder
    TransformerEncoderLayer Unflatten adaptive_avg_pool1d avg_pool1d batch_norm binary_cross_entropy
    binary_cross_entropy_with_logits conv1d cosine_similarity cross_entropy dropout elu embedding
    embedding_bag gelu glu group_norm gumbel_softmax kl_div layer_norm leaky_relu linear max_pool1d
    mish mse_loss multi_head_attention_forward nll_loss normalize one_hot pairwise_distance relu_
    rms_norm scaled_dot_product_attention selu silu softmin softplus threshold unfold constant_ eye_
    kaiming_normal_ kaiming_uniform_ normal_ ones_ orthogonal_ trunc_normal_ uniform_ xavier_normal_
    xavier_uniform_ zeros_ clip_grad_norm_ clip_grad_value_ pad_sequence parameters_to_vector
    vector_to_parameters Adam AdamW SGD Optimizer Function backward grad Categorical Normal
    get_rng_state set_rng_state
"""
_ABC = """
    Callable Collection Generator Hashable Iterable Iterator Mapping MutableMapping MutableSequence
    Reversible Sequence Set Sized
"""
# Of each library: the modules in it, and the names in any of these.
_ROOMS = {
    "collections": "abc",
    "numpy": "linalg random",
    "torch": """
        autograd cuda distributions func functional init linalg nn optim random rnn special utils
    """,
}
_NAMES = {
    "__future__": "annotations",
    "abc": "ABC abstractmethod",
    "collections": f"Counter OrderedDict defaultdict deque {_ABC}",
    "copy": "copy deepcopy",
    "einops": "einsum pack rearrange reduce repeat unpack",
    "functools": "cache cached_property cmp_to_key lru_cache partial reduce wraps",
    "itertools": """
        accumulate batched chain combinations combinations_with_replacement compress count cycle
        dropwhile filterfalse groupby islice pairwise permutations product repeat starmap takewhile
        tee zip_longest
    """,
    "math": """
        acos asin atan atan2 ceil comb copysign cos cosh degrees dist e erf erfc exp expm1 fabs
        factorial floor fmod fsum gcd hypot inf isclose isfinite isinf isnan isqrt lcm log log10
        log1p log2 nan perm pi pow prod radians sin sinh sqrt tan tanh tau trunc
    """,
    "numpy": _NUMBERS,
    "operator": "add itemgetter matmul mul neg sub truediv",
    "random": "Random choice choices gauss randint random randrange sample seed shuffle uniform",
    "re": "IGNORECASE UNICODE compile escape findall finditer fullmatch match search split sub",
    "string": "ascii_letters ascii_lowercase ascii_uppercase digits punctuation whitespace",
    "torch": _NUMBERS + _TENSORS + _LAYERS,
    "typing": f"""
        Any ClassVar Dict Final FrozenSet Generic List Literal Optional Self Tuple Type TypeAlias
        TypeVar Union cast {_ABC}
    """,
    "unicodedata": "bidirectional category combining name normalize",
}
BUILTINS = frozenset(_BUILTINS.split())
ROOMS = {library: frozenset(rooms.split()) for library, rooms in _ROOMS.items()}
NAMES = {library: frozenset(names.split()) for library, names in _NAMES.items()}
