"""Medians, means and ranks."""

import math
import statistics
from collections import namedtuple

Spread = namedtuple("Spread", "median low high count")


def spread(values):
    """The median of values, with the smallest and the largest."""
    return Spread(statistics.median(values), min(values), max(values), len(values))


def geometric_mean(values):
    """Of positive values."""
    return math.exp(sum(map(math.log, values)) / len(values))


def ranks(values):
    """The rank of each value, the largest has 1; equal values share the mean of their ranks."""
    ordered = sorted(values, reverse=True)
    return [ordered.index(value) + (ordered.count(value) + 1) / 2 for value in values]


def spearman(first, second):
    """Rank correlation of two lists of values, or None where one of them has no order."""
    first, second = ranks(first), ranks(second)
    mean = (len(first) + 1) / 2
    covariance = sum((a - mean) * (b - mean) for a, b in zip(first, second))
    variances = [sum((rank - mean) ** 2 for rank in side) for side in (first, second)]
    if not all(variances):
        return None
    return covariance / math.sqrt(variances[0] * variances[1])
