"""Mistakes of code, not of mathematics, in modules; texts without answers."""

from __future__ import annotations

from .wrong_turn import wrong_turn

TRUTH = r"Boolean value of Tensor with more than one value"
CODE = (
    wrong_turn(
        "super_init_missing",
        "The constructor gives the object layers before nn.Module itself has been set up, so "
        "PyTorch refuses to register them.",
        "Whose constructor has to run before a module can hold other modules?",
        error=r"before Module\.__init__\(\) call",
    ),
    wrong_turn(
        "forward_missing",
        "The class has no forward method of its own that PyTorch could call: it is misspelt, "
        "or it is indented so that it sits inside another method.",
        "At which level of indentation does forward stand, and what does Python make of a function "
        "that is defined inside __init__?",
        error=r'Module \[(?!ModuleList\]|ModuleDict\])\w+\] is missing the required "forward"',
    ),
    wrong_turn(
        "list_of_layers_called",
        "A list of layers (an nn.ModuleList, or an nn.ModuleDict) is called as if it were one "
        "layer: it only holds layers, and does not know in which order to run them.",
        "Who decides what the second layer gets: the list, or your forward?",
        error=r'Module \[Module(List|Dict)\] is missing the required "forward"',
    ),
    wrong_turn(
        "config_field",
        "The code asks the config for a field that does not exist there.",
        "Under which name does BERT's config keep this number?",
        error=r"config has no field",
    ),
    wrong_turn(
        "mask_as_truth",
        "The whole mask is used as one yes-or-no (an `if` on a tensor). A tensor with many "
        "entries has no single truth value, so Python raises an error as soon as a mask is "
        "given.",
        "What do you want to ask there: whether a mask was given, or what is in it?",
        error=TRUTH,
    ),
    wrong_turn(
        "view_after_transpose",
        "A view is asked of a tensor whose numbers no longer lie in that order in memory, as "
        "after a transpose; PyTorch refuses.",
        "What does transposing change: the numbers in memory, or only how they are walked through?",
        error=r"view size is not compatible",
    ),
    wrong_turn(
        "layer_as_function",
        "A layer's class is called with the input itself, so what comes out is a layer object"
        " (nn.GELU and the like), not a tensor, and the next step cannot use it.",
        "What does calling the class give, and what does calling an object of that class give?",
        error=r"must be Tensor, not (GELU|ReLU|Tanh|Dropout|Softmax|Linear|LayerNorm|Sigmoid|SiLU)",
    ),
    wrong_turn(
        "returns_nothing",
        "None stands where a tensor is needed: a function or a forward without return, or an "
        "argument that may be None.",
        "Which of your functions lets its result go, and which of your arguments may be None?",
        error=r"must be Tensor, not NoneType|'NoneType' object|unsupported operand type.*NoneType",
    ),
    wrong_turn(
        "too_many_arguments",
        "The class does not take the arguments that it is called with.",
        "Which arguments does the signature in the stub promise, in which order?",
        error=r"takes .* positional arguments? but|unexpected keyword|missing \d+ required",
    ),
    wrong_turn(
        "undefined_name",
        "The code uses a name that is defined nowhere before it runs.",
        "Is it a typing error, a missing import, or a self. that was forgotten?",
        error=r"NameError",
    ),
    wrong_turn(
        "number_for_tensor",
        "A plain Python number, list or tuple stands where a tensor is needed: it has no such "
        "attribute or method.",
        "Which step gave this value, and what did you mean it to give?",
        error=r"AttributeError: '(int|float|bool|list|tuple)' object has no attribute",
    ),
    wrong_turn(
        "undefined_attribute",
        "The code asks an object for an attribute that it does not have.",
        "Is the name spelt as it is where the attribute is set, and was it set before?",
        error=r"AttributeError",
    ),
)

# What the same exceptions mean in the learner's own lines, and in calls without a mask.
CALLED = wrong_turn(
    "too_many_arguments",
    "A layer or a function that the code calls does not take the arguments that it is given there.",
    "What does the one that is called take, in which order, and what do you hand over?",
)
TENSOR_AS_TRUTH = wrong_turn(
    "tensor_as_truth",
    "A whole tensor is used as one yes-or-no (an `if` on a tensor). A tensor with many entries "
    "has no single truth value, so Python raises an error.",
    "Do you want to ask that of each entry, or of all of them together?",
)
RETURNS_MORE = wrong_turn(
    "returns_more",
    "What comes back is a list, tuple or dict, such as all hidden states or attention "
    "weights beside the output, where one tensor is asked for.",
    "What exactly does the docstring say is returned?",
)
UNSTEADY = wrong_turn(
    "dropout_in_eval",
    "In evaluation mode, two calls with the same input give two answers: a dropout is "
    "active although nobody trains (a functional dropout does not know the mode by "
    "itself).",
    "How does your dropout learn whether the module is training?",
)
MADE_ANEW = wrong_turn(
    "made_in_forward",
    "Layers or parameters are made anew in every call: each call works with fresh random numbers, "
    "and nothing is there that training could change.",
    "What should a module make once, and what in every call?",
)
MUTATES = wrong_turn(
    "changes_its_input",
    "A tensor of the caller's, the input or the mask, is changed in place: after the call it is no "
    "longer what it was.",
    "Which of your operations write into the tensor that they are given (+=, names ending in _)?",
)
GRADIENT = wrong_turn(
    "gradient_stopped",
    "The values are right, but gradients do not flow as they should: a part was detached,"
    " computed without grad, or rebuilt from plain numbers.",
    "Where does the path from the output back to the parameters break (.detach(), .data, "
    ".item(), no_grad)?",
)
NOT_REGISTERED = wrong_turn(
    "not_registered",
    "Some parameters or layers are held in a plain Python list, dict or tensor attribute:"
    " parameters() does not find them, so no optimizer would train them and they would "
    "not move to a GPU.",
    "Which objects does nn.Module register when they become attributes, and which containers "
    "does it look into?",
)
START = wrong_turn(
    "norm_starts_elsewhere",
    "A fresh LayerNorm does not start with every scale 1 and every shift 0 (zeros or "
    "random numbers stand there), so it changes, or even wipes out, what it normalises "
    "before anything is learned.",
    "What should a fresh LayerNorm do to a token that is normalised already?",
)
WRONG_DEVICE = wrong_turn(
    "wrong_device",
    "What the module makes itself in a call (ids of positions or token types, perhaps a layer) is "
    "always made on the CPU: with the model on a GPU, tensors of two devices would meet.",
    "On which device does the input live, and how could the ids that you make follow it?",
)
NO_DROPOUT = wrong_turn(
    "dropout_missing",
    "There is no dropout where one belongs: what should meet it comes out in training as in "
    "evaluation (a dropout layer that is made but never called does nothing).",
    "In training mode, should two calls on the same input agree?",
)
DROPOUT_RATE = wrong_turn(
    "dropout_rate",
    "The dropout's rate is not the config's: another share of the numbers is zeroed "
    "(nn.Dropout() alone means one half).",
    "Where does the rate of your dropout come from?",
)
DROPOUT_UNSCALED = wrong_turn(
    "dropout_unscaled",
    "A share of the numbers is zeroed, but those that are kept stay as they are: in training, "
    "what comes out is smaller on average than in evaluation.",
    "When a share p of the numbers becomes 0, what becomes of their mean?",
)
DROPOUT_WHOLE = wrong_turn(
    "dropout_whole_tokens",
    "Whole tokens are dropped: all features of a token are zeroed together, or none is.",
    "Should the fate of one feature decide about its neighbours?",
)
DROPOUT_PLACE = wrong_turn(
    "dropout_place",
    "The dropout stands in another place: in training, the output is not the evaluation's"
    " output with some numbers zeroed and the others scaled up.",
    "After which step should numbers be zeroed, and does anything mix them again afterwards?",
)
