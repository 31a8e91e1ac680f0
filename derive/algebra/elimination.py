"""Linear systems of expressions, eliminated without pivots: of matrices that are definite, or close to such.

Results share their intermediate steps as subtrees, so that they stay small as long as nothing expands them.
"""

import sympy

from derive.algebra.tidy import cost, size, tidy

SHORT = 60                      # operations, up to which a common denominator is looked for


def solve(matrix, right):
    """X with matrix X = right, [n x m], SymPy matrices."""
    rows = [list(matrix.row(i)) + list(right.row(i)) for i in range(matrix.rows)]
    n = matrix.rows
    for k in range(n):
        for i in range(k + 1, n):
            if rows[i][k] != 0:
                _subtract(rows[i], rows[i][k] / rows[k][k], rows[k], k)
    for k in reversed(range(n)):
        rows[k] = rows[k][:n] + [entry / rows[k][k] for entry in rows[k][n:]]
        for i in range(k):
            if rows[i][k] != 0:
                _subtract(rows[i], rows[i][k], rows[k], n)
    return sympy.Matrix(n, right.cols, lambda i, j: rows[i][n + j])


def _subtract(row, factor, other, begin):
    """row -= factor other, from column begin on."""
    for j in range(begin, len(row)):
        if other[j] != 0:
            row[j] = row[j] - factor * other[j]


def tidied(matrix, right):
    """The same for people and for programs: x, a list, of one right side [n x 1], each step in its cheapest form."""
    n = matrix.rows
    rows = [[tidy(entry) for entry in [*matrix.row(i), right[i]]] for i in range(n)]
    if n == 2 and rows[0][1] != 0:
        return _by_determinants(*rows)
    for k in range(n):
        for i in range(k + 1, n):
            if rows[i][k] != 0:
                factor = tidy(rows[i][k] / rows[k][k])
                rows[i][k:] = [tidy(x - factor * y) for x, y in zip(rows[i][k:], rows[k][k:])]
    found = [sympy.S.Zero] * n
    for k in reversed(range(n)):
        known = sympy.Add(*[rows[k][j] * found[j] for j in range(k + 1, n)])
        found[k] = tidy((rows[k][n] - known) / rows[k][k])
    return found


def _by_determinants(first, second):
    """Cramer's rule of two equations, rows of matrix and right side."""
    (a, b, r), (c, d, s) = first, second
    size = tidy(a * d - b * c)
    return [tidy(tidy(d * r - b * s) / size), tidy(tidy(a * s - c * r) / size)]


def short(expr):
    """An expression of the same value, with fewer operations where those that are tried find one."""
    if expr.is_Atom or size(expr) > 10 * SHORT or sympy.count_ops(expr) > SHORT:       # size sees equal parts once
        return expr
    tried = [expr, sympy.expand(expr), sympy.cancel(expr), tidy(expr)]
    tried.append(sympy.factor(tried[2]))
    return min(tried, key=cost)
