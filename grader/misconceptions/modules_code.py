"""Mistakes of code, not of mathematics, that a module's answers or its parts give away; texts, no answers."""

from __future__ import annotations

from .modules_common import wrong_turn

RETURNS_MORE = wrong_turn(
    "returns_more",
    "What comes back is a list, tuple or dict, such as all hidden states or attention weights beside the "
    "output, where one tensor is asked for.",
    "What exactly does the docstring say is returned?",
)
UNSTEADY = wrong_turn(
    "dropout_in_eval",
    "In evaluation mode, two calls with the same input give two answers: a dropout is active although nobody "
    "trains (a functional dropout does not know the mode by itself).",
    "How does your dropout learn whether the module is training?",
)
MUTATES = wrong_turn(
    "changes_its_input",
    "The values are right, but the caller's tensor is changed in place: after the call, the input is no longer what "
    "it was.",
    "Which of your operations write into the tensor that they are given (+=, names ending in _)?",
)
GRADIENT = wrong_turn(
    "gradient_stopped",
    "The values are right, but gradients do not flow as they should: a part was detached, computed without grad, "
    "or rebuilt from plain numbers.",
    "Where does the path from the output back to the parameters break (.detach(), .data, .item(), no_grad)?",
)
NOT_REGISTERED = wrong_turn(
    "not_registered",
    "Some parameters or layers are held in a plain Python list, dict or tensor attribute: parameters() does not find "
    "them, so no optimizer would train them and they would not move to a GPU.",
    "Which containers does nn.Module look into?",
)
SHARED = wrong_turn(
    "layers_shared",
    "The same layer object stands in several places ([layer] * n): all of them share one set of weights.",
    "Are the objects in your list different ones? How many parameters should n layers have?",
)
COPIED = wrong_turn(
    "layers_start_equal",
    "All layers begin with exactly the same weights, as copies of one layer do.",
    "Where does each layer's random start come from?",
)
START = wrong_turn(
    "norm_starts_elsewhere",
    "A fresh LayerNorm does not start with every scale 1 and every shift 0 (zeros or random numbers stand there), so it "
    "changes, or even wipes out, what it normalises before anything is learned.",
    "What should a fresh LayerNorm do to a token that is normalised already?",
)
NO_DROPOUT = wrong_turn(
    "dropout_missing",
    "There is no dropout where it belongs: training gives exactly what evaluation gives (a dropout layer that is made "
    "but never called does nothing).",
    "In training mode, should two calls on the same input agree?",
)
DROPOUT_RATE = wrong_turn(
    "dropout_rate",
    "The dropout's rate is not the config's: another share of the numbers is zeroed (nn.Dropout() alone "
    "means one half).",
    "Where does the rate of your dropout come from?",
)
DROPOUT_PLACE = wrong_turn(
    "dropout_place",
    "The dropout stands in another place: in training, the output is not the evaluation's output with some "
    "numbers zeroed and the others scaled up.",
    "After which step should numbers be zeroed, and does anything mix them again afterwards?",
)
