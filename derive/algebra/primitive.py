"""The function F(t, q) whose slopes dF/dq are given, where it is one of powers, sines and cosines."""

import sympy

from derive.algebra.rates import derivative
from derive.algebra.tidy import multiplied_out, tidy
from derive.algebra.vanishing import vanishes


def of(slopes, q):
    """F with dF/dq_k = slopes[k]; None where there is none, or none is found. What is found is tried."""
    F = sympy.S.Zero
    for slope, x in zip(slopes, q):
        part = _integral(tidy(slope - derivative(F, x)), x)
        if part is None:
            return None
        F += part
    exact = all(vanishes(tidy(slope - derivative(F, x))) for slope, x in zip(slopes, q))
    return F if exact else None


def _integral(expr, x):
    """An integral over x, term by term."""
    terms = multiplied_out(expr)
    if terms is None or terms == 0:
        return terms
    parts = [_of_product(*term.as_independent(x, as_Add=False), x) for term in sympy.Add.make_args(terms)]
    return None if None in parts else sympy.Add(*parts)


def _of_product(factor, moving, x):
    found = _of_function(moving, x)
    return None if found is None else factor * found


def _of_function(moving, x):
    """Of 1, of a power of x, of sin and cos of an angle that is linear in x."""
    base, exponent = moving.as_base_exp()
    if moving == 1:
        return x
    if base == x and exponent.is_Rational and exponent != -1:
        return x ** (exponent + 1) / (exponent + 1)
    if isinstance(moving, (sympy.sin, sympy.cos)):
        speed = derivative(moving.args[0], x)
        if speed.is_nonzero:
            turned = sympy.sin if isinstance(moving, sympy.cos) else lambda angle: -sympy.cos(angle)
            return turned(moving.args[0]) / speed
    return None
