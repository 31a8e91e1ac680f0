"""Derivatives of functions that are written in Python: by the complex step, or by differences.

A function that is evaluated in complex arithmetic answers its dual numbers, to rounding (Squire, Trapp (1998), SIAM
Rev. 40, 110-112), where it is analytic. One that is not (abs, comparisons, float) may answer something else without a
word: so both ways are compared at the start and along a run.
"""
from __future__ import annotations

import collections
import itertools
import warnings
from typing import Callable, Deque, Dict, List, Optional, Sequence, Tuple

import numpy as np

from . import _abi
from .errors import DaelabError

Array = np.ndarray
Function = Callable[..., object]

_EPS = float(np.finfo(float).eps)
_STEP = _EPS ** 0.2                     # of differences of order 4, in sizes of the argument
_SHORTER, _SHORTEST = 64.0, 10          # steps in which nothing can be seen are shortened, so many times
_AGREE = 1e-6                           # complex step and differences, in sizes of the derivative
_NOISE = 1e3                            # what rounding may make of a value, in eps
_ONE_IN = 24                            # of the dual numbers of a run is compared
_GOLDEN = 0.5 * (5 ** 0.5 - 1)          # multiples of it leave no period of columns out
_REFUSED = (TypeError, ValueError, AttributeError, ArithmeticError)


def moved(p: object, by: float) -> object:
    """Parameters as real numbers, moved along their derivatives where they have some."""
    return p._moved(by) if getattr(p, "_way", 0.0) else p           # type: ignore[attr-defined]


class NotAnalytic(Exception):
    """A function answers complex arguments with what is not its derivative."""

    def __init__(self, function: "Differentiable", sentence: str) -> None:
        super().__init__(sentence)
        self.function = function


def largest(x: object) -> float:
    values = np.abs(np.atleast_1d(np.asarray(x, dtype=complex)))
    return float(values.max()) if values.size else 0.0


def numbers(what: str, value: object, n: int, dual: bool = False) -> Array:
    """What a function has answered, as an array [n] of doubles, or of dual numbers, of its own, as functions may have
    one buffer for all that they answer; DAE_BAD_MODEL where it is none."""
    if type(value) is np.ndarray and value.shape == (n,) and value.dtype.char in ("dD" if dual else "d"):
        return value.copy()
    if value is None:
        raise DaelabError(f"{what} answers None: has it no return?", "DAE_BAD_MODEL")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")              # rows of different lengths
            array = np.asarray(value)
            array = array.astype(complex if dual else float) if array.dtype.char == "O" else array
    except (*_REFUSED, Warning):
        raise DaelabError(f"{what} does not answer {n} numbers", "DAE_BAD_MODEL") from None
    if array.dtype.kind not in "iufc":
        raise DaelabError(f"{what} answers {array.dtype.name}, and not numbers", "DAE_BAD_MODEL")
    array = array.reshape(1) if array.shape == () and n == 1 else array
    if array.shape != (n,):
        raise DaelabError(f"{what} answers an array of shape {array.shape}, not ({n},)", "DAE_BAD_MODEL")
    return array.copy() if dual else real(what, array)


def real(what: str, array: Array) -> Array:
    """A copy of an array without imaginary parts, which are 0."""
    if array.dtype.kind == "c" and np.any(array.imag != 0):
        raise DaelabError(f"{what} answers complex numbers, {array[array.imag != 0].flat[0]:.6g}", "DAE_BAD_MODEL")
    return array.real.copy()


class Watch:
    """Which dual numbers of a run are compared, and the last ones of each function, in as many directions as there are:
    these are compared at its end."""

    def __init__(self) -> None:
        self.count = 0
        self.last: Dict[str, Deque[Tuple[Differentiable, Sequence[object], object, Array]]] = {}

    def keep(self, function: "Differentiable", arguments: Sequence[object], p: object, found: Array) -> None:
        if function.what not in self.last:
            self.last[function.what] = collections.deque(maxlen=sum(np.size(a) for a in arguments))     # type: ignore
        self.last[function.what].append((function, arguments, p, found))

    def is_due(self) -> bool:
        self.count += 1
        return (self.count - 1) * _GOLDEN % 1 < 1 / _ONE_IN

    def finish(self) -> None:
        for function, arguments, p, found in itertools.chain(*self.last.values()):
            function.compare(arguments, p, found)


class Differentiable:
    """A function f(t, x, ..., p) of real numbers with its derivatives along a direction.

    n: how many numbers it answers; None: any, which its caller looks at. sizes: those of t and the other arguments,
    for steps of differences where an argument is smaller."""

    def __init__(self, what: str, function: Function, n: Optional[int], sizes: Sequence[float]) -> None:
        self.what, self.function, self.n, self.sizes = what, function, n, list(sizes)
        self.analytic = False

    def value(self, arguments: Sequence[object], p: object) -> Array:
        found = self.function(*arguments, p)
        if self.n is None:
            return real(self.what, np.asarray(found))
        return numbers(self.what, found, self.n)

    def _differences(self, at: Sequence[object], by: Sequence[object], p: object, h: float) -> Tuple[Array, ...]:
        """The derivative of order 4, how far it may be off, and what rounding may make of it. Off by what the orders 2
        and 4 differ; beside a kink, where they need not, by what second differences are from growing as h^2."""
        f = [self.value([a + k * h * b for a, b in zip(at, by)],                        # type: ignore[operator]
                        moved(p, k * h)).astype(float) for k in (-2, -1, 0, 1, 2)]
        low, high = (f[3] - f[1]) / (2 * h), (8 * (f[3] - f[1]) - (f[4] - f[0])) / (12 * h)
        kink = np.abs(f[4] + f[0] - 4 * (f[3] + f[1]) + 6 * f[2]) / (2 * h)
        return high, np.abs(high - low) + kink, _NOISE * _EPS * np.max(np.abs(f), axis=0) / h

    def along(self, at: Sequence[object], by: Sequence[object], p: object) -> Tuple[Array, Array]:
        """The derivative in a direction by differences, and how far it may be off; along parameters and arguments one
        by one, as both may cancel."""
        none = [0 * b for b in by]                          # type: ignore[operator]
        if not getattr(p, "_way", 0.0) or not any(largest(b) for b in by):
            return self._along(at, by, p)
        (first, off), (other, more) = self._along(at, by, moved(p, 0)), self._along(at, none, p)
        return first + other, off + more + 0.1 * _AGREE * (np.abs(first) + np.abs(other))

    def _along(self, at: Sequence[object], by: Sequence[object], p: object) -> Tuple[Array, Array]:
        """Steps are shortened as long as they are too long: where the two orders contradict each other, or a value is
        not finite, or none at all."""
        way = max([getattr(p, "_way", 0.0), *(largest(b) / max(largest(a), s) for a, b, s in zip(at, by, self.sizes))])
        if way == 0:
            zero = np.zeros_like(self.value(at, moved(p, 0)), dtype=float)
            return zero, zero
        best: Optional[Tuple[Array, Array]] = None
        failed: Optional[Exception] = None
        for k in range(_SHORTEST + 1):
            h = _STEP / way / _SHORTER ** k
            try:
                with np.errstate(all="ignore"):
                    found, apart, noise = self._differences(at, by, p, h)
            except DaelabError:
                raise
            except Exception as error:      # pylint: disable=broad-except  # what it raises outside of its domain
                failed = error
                continue
            off = apart + noise
            if best is None or np.nansum(off) < np.nansum(best[1]) or not np.all(np.isfinite(best[0])):
                best = (found, off)
            if np.all(apart <= 1e-3 * np.abs(found) + noise):
                break
        if best is None:
            raise failed or DaelabError(f"{self.what} has no differences")
        return best

    def dual(self, arguments: Sequence[object], p: object, watch: Optional[Watch] = None) -> Array:
        """The function of dual numbers; NotAnalytic where they are found to be wrong."""
        if not self.analytic:
            at, by = _parts(arguments)
            return self.value(at, moved(p, 0)) + 1j * _abi.DUAL_SCALE * self.along(at, by, p)[0]
        try:
            found = self.function(*arguments, p)
        except _REFUSED as error:
            raise NotAnalytic(self, f"{type(error).__name__}: {error}") from error
        found = np.array(found) if self.n is None else numbers(self.what, found, self.n, True)
        if watch is not None:
            watch.keep(self, arguments, p, found)
            if watch.is_due():
                self.compare(arguments, p, found)
        return found

    def compare(self, arguments: Sequence[object], p: object, dual: Array) -> None:
        """NotAnalytic where a dual number is not what differences say, as far as these can tell."""
        at, by = _parts(arguments)
        try:
            expected, off = self.along(at, by, p)
        except Exception:       # pylint: disable=broad-except  # there are no differences
            return
        found = np.imag(dual) / _abi.DUAL_SCALE
        if found.shape != expected.shape:
            raise NotAnalytic(self, f"of shape {found.shape}, and {expected.shape} for real numbers")
        known = np.isfinite(expected) & np.isfinite(found) & np.isfinite(off)
        bound = _AGREE * (np.abs(found) + np.abs(expected)) + 10 * off
        wrong = known & (np.abs(found - expected) > bound)
        if wrong.any():
            i = tuple(int(k) for k in np.argwhere(wrong)[0]) if wrong.ndim else ()
            row = i[0] + 1 if i else 1
            raise NotAnalytic(self, f"its row {row} has the derivative {found[i] + 0.0:.6g} by the complex step, "
                                    f"{expected[i]:.6g} by differences")

    def try_complex(self, at: Sequence[object], p: object) -> str:
        """Is it evaluated in complex arithmetic with the derivatives that it has? Says how they are made."""
        random = np.random.default_rng(1)
        sizes = [_own_sizes(a, s) for a, s in zip(at, self.sizes)]
        wide = [np.max(s, initial=0.0) for s in sizes]
        self.value(at, p)
        self.analytic = True
        for shift in (None, sizes, sizes, wide):
            place = list(at) if shift is None else [a + 0.01 * s * random.uniform(-1, 1, np.shape(a))
                                                    for a, s in zip(at, shift)]
            by = [s * random.uniform(-1, 1, np.shape(a)) for a, s in zip(at, sizes)]
            self.analytic = self.analytic and self._agrees(place, by, p, shift is None)
        return "complex step" if self.analytic else "differences"

    def _agrees(self, at: Sequence[object], by: Sequence[object], p: object, is_start: bool) -> bool:
        """Is the dual number right, as far as differences know? Beside the start only where there are values."""
        with np.errstate(all="ignore"), warnings.catch_warnings():
            try:
                if not (is_start or np.all(np.isfinite(self.value(at, p)))):
                    return True
            except Exception:       # pylint: disable=broad-except  # what a function raises outside of its domain
                return True
            warnings.simplefilter("error")                      # an imaginary part that is cut off
            try:
                arguments = [a + 1j * _abi.DUAL_SCALE * b for a, b in zip(at, by)]      # type: ignore[operator]
                found = self.dual(arguments, p)
                self.compare(arguments, p, np.asarray(found, dtype=complex))
            except (NotAnalytic, Warning):
                return False
        return bool(np.any(np.isfinite(found)))


def _parts(arguments: Sequence[object]) -> Tuple[List[object], List[object]]:
    return [np.real(a) for a in arguments], [np.imag(a) / _abi.DUAL_SCALE for a in arguments]


def _own_sizes(a: object, size: float) -> Array:
    """The size of each number of an argument; of those that are 0 that of the largest."""
    values = np.abs(np.asarray(a, dtype=float))
    return np.where(values > 0, values, max(largest(a), size))
