"""Medians, means and ranks."""

import pytest

from lib.figures import geometric_mean, ranks, spearman, spread


def test_spread_is_the_median_and_the_ends():
    assert spread([3, 1, 2]) == (2, 1, 3, 3)
    assert spread([1, 2]).median == 1.5


def test_geometric_mean_of_ratios_and_their_inverses_is_one():
    assert geometric_mean([2, 0.5, 4, 0.25]) == pytest.approx(1)
    assert geometric_mean([1, 10, 100]) == pytest.approx(10)


def test_equal_values_share_the_mean_of_their_ranks():
    assert ranks([10, 30, 20]) == [3, 1, 2]
    assert ranks([5, 9, 5, 1]) == [2.5, 1, 2.5, 4]


@pytest.mark.parametrize("first, second, rank", [
    ([1, 2, 3], [10, 20, 90], 1),
    ([1, 2, 3], [3, 2, 1], -1),
    ([1, 2, 3, 4, 5], [2, 1, 4, 3, 5], 0.8),
    ([1, 1, 2], [1, 2, 3], 0.866),
    ([1, 1], [1, 2], None),
    ([], [], None),
])
def test_spearman(first, second, rank):
    assert spearman(first, second) == (rank if rank is None else pytest.approx(rank, abs=0.001))
