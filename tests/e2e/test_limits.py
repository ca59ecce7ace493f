"""The limits of tests that count samples, checked by drawing."""

import random

import pytest

from support.checks import at_least, at_most

pytestmark = pytest.mark.any_jvm


@pytest.mark.parametrize("count, share", [(300, 0.03), (2000, 0.01), (300, 0.67)])
def test_draws_pass_the_limits_and_other_shares_do_not(count, share):
    drawn = random.Random(1)
    least, most = at_least(count, share), at_most(count, share)
    for _ in range(2000):
        found = sum(drawn.random() < share for _ in range(count))
        assert least <= found <= most
    assert most < count * share + 6.5 * (count * share * (1 - share)) ** 0.5 + 6
    assert least > count * share - 6.5 * (count * share * (1 - share)) ** 0.5 - 6
