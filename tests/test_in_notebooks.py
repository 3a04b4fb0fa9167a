"""A case gets the same verdict in its chapter's notebook as in a file of its own."""

import pytest

from benchmarks.in_notebooks import moved
from grader.marking.examiner import Examiner
from grader.wall.zygote_client import Zygote
from tests.corpus import cases

pytestmark = pytest.mark.slow
_EVERY = 503  # a prime, so that the sample meets all kinds


def test_a_sample_gets_the_same_verdict_in_its_notebook(zygote: Zygote) -> None:
    with Examiner(source=zygote.clone()) as examiner:
        assert [str(each) for each in moved(examiner, cases()[::_EVERY])] == []
