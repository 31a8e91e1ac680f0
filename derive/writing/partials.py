"""Analytic derivatives of the maps of a smooth model whose M is constant and diagonal."""

import sympy

from derive.base.model import TIME
from derive.algebra import rates, tidy
from derive.algebra.vanishing import vanishes
from derive.writing import layout
from derive.writing.functions import Block, assignments, places

MOST_CONSTRAINTS, MOST_OPERATIONS, SHORT = 12, 3000, 30
KINKS = (sympy.Abs, sympy.sign, sympy.Max, sympy.Min)
ARGUMENTS = ("const double *p, double t, const double *q, const double *v, const double *a, "
             "const double *lambda, dae_partials *d")


def mass_varies(equations):
    """M depends on t or q, or has entries off its diagonal."""
    return not equations.M.is_diagonal() or bool(equations.M.free_symbols & {TIME, *equations.q})


def _has_kinks(rows):
    """Is a function with a kink in these? Each part is looked at once."""
    left, seen = list(rows), set()
    while left:
        e = left.pop()
        if isinstance(e, KINKS):
            return True
        if e not in seen:
            seen.add(e)
            left.extend(e.args)
    return False


def _by(row, symbol):
    """Short ones in their cheapest form; long ones share more as they stand."""
    e = rates.derivative(row, symbol)
    return tidy.tidy(e) if tidy.cost(e) <= SHORT else sympy.S.Zero if vanishes(e) else e


def _blocks(e):
    """(name, rows, symbols or None for t) by level."""
    return [
        [("f_q", e.f, e.q), ("f_v", e.f, e.v), ("f_t", e.f, None), ("r_q", e.reaction, e.q), ("r_t", e.reaction, None),
         ("g_t", e.g, None)],
        [("rate_q", e.rate, e.q), ("rate_t", e.rate, None)],
        [("acc_q", e.acceleration, e.q), ("acc_v", e.acceleration, e.v), ("acc_t", e.acceleration, None)],
    ]


def _entries(e):
    """(target, expression) of all that is not identically zero, by level; all of f."""
    found = [[(f"d->f[{i}]", row) for i, row in enumerate(e.f)], [], []]
    n = len(e.q)
    found[0] += [(f"d->G[{i * n + j}]", e.G[i, j]) for i in range(len(e.multipliers)) for j in range(n)]
    for level, blocks in enumerate(_blocks(e)):
        for name, rows, symbols in blocks:
            for i, row in enumerate(rows):
                for j, symbol in enumerate(symbols or [TIME]):
                    found[level].append((f"d->{name}[{i * len(symbols or [TIME]) + j}]", _by(row, symbol)))
    return [[(t, x) for t, x in level if x != 0 or t.startswith("d->f[")] for level in found]


def write(model, names, equations, name="partials"):
    """The function, or "" where it would not be used, or has kinks."""
    maps = [*equations.f, *equations.reaction, *equations.acceleration]
    if (mass_varies(equations) or len(equations.multipliers) > MOST_CONSTRAINTS
            or _has_kinks(maps)):
        return ""
    levels = _entries(equations)
    rows = [x for level in levels for _, x in level]
    block = Block(model, names, places(equations), rows, passes=False, groups=[len(level) for level in levels])
    if sum(sympy.count_ops(r) for r in block.rows) > MOST_OPERATIONS:
        return ""
    head = f"static void {name}({ARGUMENTS})"
    return layout.statement(head, 0, head.index("(") + 1) + "\n{\n" + "\n".join(_body(levels, block)) + "\n}\n"


def _body(levels, block):
    lines, row, known = [], 0, set()
    for level, entries in enumerate(levels):
        rows = block.rows[row:row + len(entries)]
        row += len(entries)
        if not entries:
            continue
        if level:
            lines.append(f"    if (d->level < {level})\n        return;")
        wanted = block.named.needed_by(rows) - known
        lines += block.declarations(wanted)
        lines += assignments([target for target, _ in entries], [block.text_of(r) for r in rows], "0")
        known |= wanted
    return lines
