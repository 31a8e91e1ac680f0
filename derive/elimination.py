"""Linear systems of expressions, eliminated without pivots: of matrices that are definite, or close to such.

Results share their intermediate steps as subtrees, so that they stay small as long as nothing expands them.
"""

import sympy

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


def short(expr):
    """An expression of the same value, with fewer operations where those that are tried find one."""
    if expr.is_Atom or sympy.count_ops(expr) > SHORT:
        return expr
    tried = [expr, sympy.expand(expr), sympy.cancel(expr)]
    tried.append(sympy.factor(tried[-1]))
    return min(tried, key=sympy.count_ops)
