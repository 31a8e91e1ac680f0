"""Truncated Taylor series c0 + c1 s + ... + cn s^n as numbers: derivatives along a curve, to rounding.

Arrays of them are numpy arrays of objects, of which numpy's functions call the methods of the same name.
Recurrences: Griewank, Walther (2008), Evaluating Derivatives, 2nd ed., table 13.2.
"""
from __future__ import annotations

import cmath
import math
from typing import Callable, List, Sequence, Tuple, Union

import numpy as np

Coefficient = Union[float, complex]


def _real_or_complex(function: str) -> Callable[[Coefficient], Coefficient]:
    """The function of math for real numbers, numpy's where that has none (infinite, NaN); cmath's for complex ones."""
    name = {"arctan": "atan"}.get(function, function)
    of_real, of_complex, beyond = getattr(math, name), getattr(cmath, name), getattr(np, function)

    def evaluate(x: Coefficient) -> Coefficient:
        if isinstance(x, complex):
            return of_complex(x)
        try:
            return of_real(x)
        except (ValueError, OverflowError):
            with np.errstate(all="ignore"):
                return float(beyond(x))
    return evaluate


_exp, _log, _sin, _cos, _sinh, _cosh, _sqrt, _arctan = (
    _real_or_complex(name) for name in ("exp", "log", "sin", "cos", "sinh", "cosh", "sqrt", "arctan"))


class Series:
    """A truncated Taylor series; all in one expression have the same degree, numbers are constants."""

    __slots__ = ("c",)

    def __init__(self, c: Sequence[Coefficient]) -> None:
        self.c: List[Coefficient] = list(c)

    def _other(self, x: object) -> "Series":
        if isinstance(x, Series):
            return x
        number = complex(x) if isinstance(x, (complex, np.complexfloating)) else float(x)   # type: ignore[arg-type]
        return Series([number] + [0.0] * (len(self.c) - 1))

    def __add__(self, x: object) -> "Series":
        return Series([a + b for a, b in zip(self.c, self._other(x).c)])

    def __neg__(self) -> "Series":
        return Series([-a for a in self.c])

    def __pos__(self) -> "Series":
        return self

    def __sub__(self, x: object) -> "Series":
        return Series([a - b for a, b in zip(self.c, self._other(x).c)])

    def __rsub__(self, x: object) -> "Series":
        return self._other(x) - self

    def __mul__(self, x: object) -> "Series":
        a, b = self.c, self._other(x).c
        return Series([sum(a[i] * b[k - i] for i in range(k + 1)) for k in range(len(a))])

    def __truediv__(self, x: object) -> "Series":
        a, b = self.c, self._other(x).c
        c: List[Coefficient] = []
        for k in range(len(a)):
            c.append((a[k] - sum(c[i] * b[k - i] for i in range(k))) / b[0])
        return Series(c)

    def __rtruediv__(self, x: object) -> "Series":
        return self._other(x) / self

    __radd__, __rmul__ = __add__, __mul__

    def __pow__(self, power: object) -> "Series":
        if isinstance(power, Series):
            return (power * self.log()).exp()
        if float(power) == int(float(power)) and 0 <= float(power) <= 64:           # type: ignore[arg-type]
            result = self._other(1.0)
            for _ in range(int(power)):                                             # type: ignore[call-overload]
                result = result * self
            return result
        return self._power(float(power))                                            # type: ignore[arg-type]

    def __rpow__(self, base: object) -> "Series":
        return (self * self._other(base).log()).exp()

    def _power(self, r: float) -> "Series":
        a = self.c
        c: List[Coefficient] = [a[0] ** r]
        for k in range(1, len(a)):
            c.append(sum((r * i - (k - i)) * a[i] * c[k - i] for i in range(1, k + 1)) / (k * a[0]))
        return Series(c)

    def _integrate(self, first: Coefficient, slope: "Series") -> "Series":
        """The series that begins with first and has the derivative slope times that of this one."""
        a, b = self.c, slope.c
        return Series([first] + [sum(i * a[i] * b[k - i] for i in range(1, k + 1)) / k for k in range(1, len(a))])

    def _pair(self, s: Coefficient, c: Coefficient, sign: int) -> Tuple["Series", "Series"]:
        """(s, c) with s' = c a', c' = sign s a': sine and cosine, or the hyperbolic ones."""
        a, sines, cosines = self.c, [s], [c]
        for k in range(1, len(a)):
            sines.append(sum(i * a[i] * cosines[k - i] for i in range(1, k + 1)) / k)
            cosines.append(sign * sum(i * a[i] * sines[k - i] for i in range(1, k + 1)) / k)
        return Series(sines), Series(cosines)

    def exp(self) -> "Series":
        a, c = self.c, [_exp(self.c[0])]
        for k in range(1, len(a)):
            c.append(sum(i * a[i] * c[k - i] for i in range(1, k + 1)) / k)
        return Series(c)

    def log(self) -> "Series":
        return self._integrate(_log(self.c[0]), 1.0 / self)

    def sqrt(self) -> "Series":
        c: List[Coefficient] = [_sqrt(self.c[0])]
        for k in range(1, len(self.c)):
            c.append((self.c[k] - sum(c[i] * c[k - i] for i in range(1, k))) / (2 * c[0]))
        return Series(c)

    def sin(self) -> "Series":
        return self._pair(_sin(self.c[0]), _cos(self.c[0]), -1)[0]

    def cos(self) -> "Series":
        return self._pair(_sin(self.c[0]), _cos(self.c[0]), -1)[1]

    def sinh(self) -> "Series":
        return self._pair(_sinh(self.c[0]), _cosh(self.c[0]), 1)[0]

    def cosh(self) -> "Series":
        return self._pair(_sinh(self.c[0]), _cosh(self.c[0]), 1)[1]

    def tan(self) -> "Series":
        return self.sin() / self.cos()

    def tanh(self) -> "Series":
        return self.sinh() / self.cosh()

    def arctan(self) -> "Series":
        return self._integrate(_arctan(self.c[0]), 1.0 / (1.0 + self * self))

    def _value(self) -> float:
        return self.c[0].real

    def __lt__(self, x: object) -> bool:
        return self._value() < self._other(x)._value()

    def __le__(self, x: object) -> bool:
        return self._value() <= self._other(x)._value()

    def __gt__(self, x: object) -> bool:
        return self._value() > self._other(x)._value()

    def __ge__(self, x: object) -> bool:
        return self._value() >= self._other(x)._value()

    def __repr__(self) -> str:
        return f"Series({self.c})"


def curve(*coefficients: np.ndarray) -> np.ndarray:
    """An array of series from the arrays of their coefficients."""
    points = np.empty(len(coefficients[0]), dtype=object)
    for i, c in enumerate(zip(*(array.tolist() for array in coefficients))):
        points[i] = Series(c)
    return points


def coefficient(values: object, k: int) -> np.ndarray:
    """Coefficient k of each of an array of series; of plain numbers among them 0, or the number."""
    return np.array([v.c[k] if isinstance(v, Series) else (v if k == 0 else 0.0)
                     for v in np.atleast_1d(np.asarray(values, dtype=object)).tolist()])
