"""Do two samples of times differ by more than their noise?

Known of each are the median, the quartiles and the number n of repeats. The standard error of a median is
1.2533 sigma/sqrt(n), and sigma is (upper - lower)/1.349, for normal samples (McGill, Tukey and Larsen (1978), The
American Statistician 32). The difference of the medians over both errors is Student's t, as sigma is itself an
estimate, with 0.37 (n + n' - 2) degrees of freedom: quartiles know as much of it as 37 % of the samples.
Repeats of one process know nothing of what differs from process to process; of that the spread of the ratios of many
pairs does, whose variance is added (degrees of freedom by Satterthwaite).
"""
from __future__ import annotations

import itertools
import math
from typing import NamedTuple, Tuple

import numpy
from numpy import ndarray

LEAST, LEAST_PAIRS = 5, 10
EFFICIENCY = 0.37                                       # of quartiles, for the sigma of normal samples
_erfc = numpy.vectorize(math.erfc, otypes=[float])


class Variance(NamedTuple):
    """A variance that is an estimate, with its degrees of freedom: numbers, or arrays of them."""

    value: ndarray
    freedom: ndarray


def of_median(median: ndarray, lower: ndarray, upper: ndarray, repeats: ndarray) -> ndarray:
    """The square of the relative standard error of a median."""
    return (1.2533 * (upper - lower) / 1.349 / median) ** 2 / repeats


def within(old: Tuple[ndarray, ...], new: Tuple[ndarray, ...]) -> Variance:
    """Of the difference of the logarithms of both medians, each (median, lower, upper, repeats); NaN where a sample has
    less than five repeats."""
    repeats, others = old[3], new[3]
    enough = (repeats >= LEAST) & (others >= LEAST)
    with numpy.errstate(all="ignore"):
        return Variance(numpy.where(enough, of_median(*old) + of_median(*new), numpy.nan),
                        EFFICIENCY * (repeats + others - 2))


def between(logarithms: ndarray) -> Variance:
    """What logarithms of ratios vary beyond what most of them have in common: from the median of their distances to
    the median. 0 below ten."""
    count = len(logarithms)
    if count < LEAST_PAIRS:
        return Variance(numpy.float64(0), numpy.float64(1))
    sigma = 1.4826 * numpy.median(abs(logarithms - numpy.median(logarithms)))       # of normal ones
    return Variance(sigma**2, numpy.float64(EFFICIENCY * (count - 1)))


def _of_t(t2: ndarray, nu: ndarray) -> ndarray:
    """Two-sided, of a t with nu degrees of freedom: it becomes normal by Wallace's transformation."""
    return _erfc(numpy.sqrt(nu * numpy.log1p(t2 / nu) / 2) * (8 * nu + 1) / (8 * nu + 3))


def p_of(difference: ndarray, inner: Variance, outer: Variance) -> ndarray:
    """The probability of so large a difference by noise of these two variances alone, two-sided; NaN: not known."""
    total = inner.value + outer.value
    exact = (difference == 0) | (total == 0)
    with numpy.errstate(all="ignore"):
        freedom = total**2 / (inner.value**2 / inner.freedom + outer.value**2 / outer.freedom)
        p = numpy.where(exact, difference == 0, _of_t(difference**2 / total, freedom))
    return numpy.where(numpy.isnan(difference) | numpy.isnan(total), numpy.nan, p)


def median_interval(x: ndarray, level: float) -> Tuple[float, float, float, float]:
    """The median, the narrowest interval of two of the numbers, symmetric in rank, that holds the median of what they
    were drawn from with a probability of at least level (sign test), and this probability; NaN: too few."""
    x, n = numpy.sort(x), len(x)
    if n == 0:
        return (math.nan,) * 4
    tails = itertools.accumulate(math.comb(n, k) for k in range(n // 2))
    covered = [c for c in (1 - 2 * (tail / 2**n) for tail in tails) if c >= level]
    if not covered:
        return float(numpy.median(x)), math.nan, math.nan, math.nan
    k = len(covered) - 1
    return float(numpy.median(x)), float(x[k]), float(x[n - 1 - k]), covered[-1]
