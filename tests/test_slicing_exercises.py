"""Exercises that use other exercises: the learner's own, those of other notebooks, references."""

from __future__ import annotations

import pytest

from tests.submitted import execute, several, submission, text


def test_uses_names_the_learners_own_exercises() -> None:
    cut = submission(
        "def softmax(x): return 1",
        "def masked_softmax(x): return softmax(x)",
        "def attention(x): return masked_softmax(x)",
    ).slice("attention")
    assert cut is not None
    assert cut.uses == ("masked_softmax", "softmax") and cut.absent == ()


@pytest.mark.parametrize(
    "code",
    [
        "def attention(x): return softmax(x) + 1",
        "from kit.earlier import softmax\ndef attention(x): return softmax(x) + 1",
        "from solutions.softmax import softmax as s\ndef attention(x): return s(x) + 1",
        "from kit.earlier import (\n    softmax, draw)\ndef attention(x): return softmax(x) + 1",
        "from kit.earlier import *\ndef attention(x): return softmax(x) + 1",
        "def attention(x):\n    return softmax(x) + 1\nfrom kit.earlier import softmax",
        "try:\n    import fast\nexcept ImportError: pass\ndef attention(x): return softmax(x) + 1",
        "try:\n    from kit.earlier import softmax\nexcept ImportError:\n"
        "    from kit.earlier import softmax\ndef attention(x): return softmax(x) + 1",
    ],
)
class TestAnExerciseThatIsNotInTheSameNotebook:
    def test_defined_nowhere(self, code: str) -> None:
        cut = submission(code).slice("attention")
        assert cut is not None
        assert cut.absent == ("softmax",) and cut.uses == ()
        assert "kit" not in text(cut) and "solutions" not in text(cut)

    def test_defined_in_another_notebook(self, code: str) -> None:
        work = several({"04.ipynb": ["def softmax(x): return x * 10"], "05.ipynb": [code]})
        cut = work.slice("attention")
        assert cut is not None and cut.uses == ("softmax",) and cut.absent == ()
        assert execute(cut)["attention"](2) == 21

    def test_given_by_the_caller(self, code: str) -> None:
        source = (
            "import math\ndef helper(x): return math.floor(x)\ndef softmax(x): return helper(x)"
        )
        cut = submission(code).slice("attention", replace={"softmax": source})
        assert cut is not None and cut.absent == ()
        assert execute(cut)["attention"](2.5) == 3
        assert cut.units[0].label == "reference"
        assert all(unit.label != "reference" for unit in cut.written)


def test_replace_leaves_out_the_learners_own_and_its_helpers() -> None:
    work = submission(
        "def helper(x): return 'theirs'",
        "def softmax(x): return helper(x)",
        "softmax = softmax",
        "softmax.k = 3",
        "def attention(x): return softmax(x)",
    )
    cut = work.slice("attention", replace={"softmax": "def softmax(x): return 'ours'"})
    assert cut is not None
    assert [unit.line for unit in cut.written] == [1] and cut.uses == ()
    assert execute(cut)["attention"](0) == "ours"


def test_a_reference_and_the_learner_share_no_helper() -> None:
    work = submission(
        "def helper(x): return 'theirs'\ndef attention(x): return softmax(x) + helper(x)"
    )
    source = "def helper(x): return 'ours'\ndef softmax(x): return helper(x)"
    cut = work.slice("attention", replace={"softmax": source})
    assert execute(cut)["attention"](0) == "ourstheirs"


def test_a_reference_brings_no_imports() -> None:
    work = submission("def attention(x): return math.floor(softmax(x))")
    cut = work.slice("attention", replace={"softmax": "import math\ndef softmax(x): return x"})
    with pytest.raises(NameError):
        execute(cut)["attention"](0)


def test_a_reference_outlives_a_statement_that_binds_its_name_too() -> None:
    work = submission(
        "softmax, K = (lambda x: 'theirs'), 5\ndef attention(x): return softmax(x), K"
    )
    cut = work.slice("attention", replace={"softmax": "def softmax(x): return 'ours'"})
    assert execute(cut)["attention"](0) == ("ours", 5)


def test_replacing_what_is_not_used_changes_nothing() -> None:
    work = submission("def softmax(x): return 1")
    assert work.slice("softmax", replace={"LayerNorm": "1 / 0"}) == work.slice("softmax")
    assert work.slice("softmax", replace={"softmax": "1 / 0"}) == work.slice("softmax")


def test_a_ready_made_import_is_no_use_of_an_exercise() -> None:
    cut = submission(
        "from operator import neg as LayerNorm\ndef Encoder(x): return LayerNorm(x)"
    ).slice("Encoder", replace={"LayerNorm": "def LayerNorm(x): return 'ours'"})
    assert cut is not None and cut.uses == ()
    assert execute(cut)["Encoder"](4) == -4


# Several notebooks


def test_each_notebook_is_a_kernel_of_its_own() -> None:
    work = several(
        {
            "a.ipynb": ["def helper(x): return 'a'\ndef softmax(x): return helper(x)"],
            "b.ipynb": [
                "def helper(x): return 'b'\ndef attention(x): return helper(x) + softmax(x)"
            ],
        }
    )
    assert execute(work.slice("attention"))["attention"](0) == "ba"
    assert execute(work.slice("softmax"))["softmax"](0) == "a"


def test_a_chain_of_notebooks_with_the_same_helper_names() -> None:
    work = several(
        {
            "a.ipynb": ["k = 'a'\ndef softmax(x): return k"],
            "b.ipynb": [
                "k = 'b'\nfrom kit.earlier import softmax as s",
                "def masked_softmax(x): return k + s(x)",
            ],
            "c.ipynb": ["k = 'c'\ndef attention(x): return k + masked_softmax(x)"],
        }
    )
    assert execute(work.slice("attention"))["attention"](0) == "cba"


def test_an_own_definition_comes_before_another_notebooks() -> None:
    work = several(
        {
            "a.ipynb": ["def softmax(x): return 'a'"],
            "b.ipynb": ["def softmax(x): return 'b'\ndef attention(x): return softmax(x)"],
            "c.ipynb": ["def softmax(x): return 'c'"],
        }
    )
    assert execute(work.slice("attention"))["attention"](0) == "b"
    assert execute(work.slice("softmax"))["softmax"](0) == "c"


ANSWERS_BY_NOTEBOOK = {
    "the last one": (["def softmax(x): return 1", "def softmax(x): return 2"], 2),
    "a stub shadows no answer elsewhere": (["def softmax(x): return 1", "def softmax(x): ..."], 1),
    "nor does an import": (["def softmax(x): return 1", "from operator import neg as softmax"], 1),
    "in either order": (["from operator import neg as softmax", "def softmax(x): return 2"], 2),
    "a script comes after": (["def softmax(x): return 1", "def softmax(x): return 2"], 2),
}


@pytest.mark.parametrize("name", ANSWERS_BY_NOTEBOOK)
def test_which_notebook_counts(name: str) -> None:
    (first, second), expected = ANSWERS_BY_NOTEBOOK[name]
    work = several({"a.ipynb": [first], "z.py": [second]})
    assert execute(work.slice("softmax"))["softmax"](3) == expected


def test_where_it_is_checked_counts_before_where_it_is_needed() -> None:
    own = ["def softmax(x): return 'own'", "check(softmax)"]
    quick = ["def softmax(x): return 'quick'\ndef attention(x): return softmax(x)"]
    work = several({"4.ipynb": own, "5.ipynb": quick})
    assert execute(work.slice("softmax"))["softmax"](0) == "own"
    assert execute(work.slice("attention"))["attention"](0) == "quick"
    again = several({"4.ipynb": own, "5.ipynb": [*quick, "grader.check(softmax)"]})
    assert execute(again.slice("softmax"))["softmax"](0) == "quick"


def test_an_import_or_a_stub_after_the_own_answer_is_there_for_something_else() -> None:
    work = submission(
        "def softmax(x): return 'own' if x else softmax(1)",
        "from operator import neg as softmax\ndef attention(x): return softmax(x)",
    )
    assert execute(work.slice("softmax"))["softmax"](0) == "own"
    assert execute(work.slice("attention"))["attention"](3) == -3
    copy = submission("def softmax(x): return 'own'", "def softmax(x): ...").slice("softmax")
    assert execute(copy)["softmax"](0) == "own"
    stub = submission("def softmax(x): ...", "from operator import neg as softmax").slice("softmax")
    assert stub is not None and not stub.is_stub and execute(stub)["softmax"](3) == -3


def test_a_base_class_from_another_notebook_is_there_in_time() -> None:
    work = several(
        {
            "z.ipynb": ["class LayerNorm:\n    k = K\nK = 0", "K = 5"],
            "a.ipynb": ["from kit.earlier import LayerNorm", "class Encoder(LayerNorm): pass"],
        }
    )
    assert execute(work.slice("Encoder"))["Encoder"].k == 0


def test_a_script_of_the_submission_is_a_module() -> None:
    work = several(
        {
            "a.ipynb": ["from tools import helper, K as k\ndef softmax(x): return helper(x) + k"],
            "tools.py": ["K = 5\nL = 10\ndef helper(x): return L * x"],
            "math.py": ["raise SystemExit"],
        }
    )
    assert execute(work.slice("softmax"))["softmax"](2) == 25


def test_the_wrong_answers_of_a_script_named_torch_stay_its_own() -> None:
    work = several(
        {"a.ipynb": ["import math\ndef softmax(x): return math.floor(x)"], "math.py": ["1 / 0"]}
    )
    assert execute(work.slice("softmax"))["softmax"](2.5) == 2
