"""gradients.py SOURCE DAELAB - are the numbers of docs/gradients.md right?

Some are made again by scripts/gradients, which also has to see a wrong digit; others are computed with 50 digits, from
closed forms and from the variational equations.
"""
import re
import subprocess
import sys
import tempfile

import mpmath

REMADE = ["kepler", "linear_dae", "bouncing_ball", "pendulum"]


def values(page):
    """{(problem, unknown, parameter): text}"""
    found, problem, by = {}, None, []
    for line in page.splitlines():
        cells = [c.strip() for c in line.strip("|").split("|")]
        if line.startswith("## "):
            problem = line[3:]
        elif line.startswith("| u |"):
            by = [c[len("du/d"):] for c in cells[1:]]
        elif line.startswith("| ") and problem:
            found.update({(problem, cells[0], p): x for p, x in zip(by, cells[1:])})
    return found


# ---- by hand; parameters are doubles


def kepler():
    """From the pericentre r, with the speed v there, by Kepler's equation E - e sin E = n t. r and v are doubles, which
    move with k and e as a (1 - e) and sqrt(k/a (1 + e)/(1 - e)) do."""
    k, a, e, t = mpmath.mpf(1), mpmath.mpf(1), mpmath.mpf(0.6), mpmath.mpf(10)
    def state(k, r, v):
        a = 1 / (2 / r - v**2 / k)
        e, n = 1 - r / a, mpmath.sqrt(k / a**3)
        E = mpmath.findroot(lambda E: E - e * mpmath.sin(E) - n * t, n * t + e / 2)
        minor, rate = mpmath.sqrt(1 - e**2), n / (1 - e * mpmath.cos(E))
        return (a * (mpmath.cos(E) - e), a * minor * mpmath.sin(E), -a * mpmath.sin(E) * rate,
                a * minor * mpmath.cos(E) * rate)
    speed = lambda k, e: mpmath.sqrt(k / a * (1 + e) / (1 - e))
    found = {}
    for i, u in enumerate(("x", "y", "vx", "vy")):
        by_k, by_r, by_v = (mpmath.diff(lambda k, r, v, i=i: state(k, r, v)[i], (k, mpmath.mpf(0.4), mpmath.mpf(2)), o)
                            for o in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
        found[(u, "k")] = by_k + by_v * mpmath.diff(speed, (k, e), (1, 0))
        found[(u, "e")] = by_v * mpmath.diff(speed, (k, e), (0, 1)) - a * by_r
    return found


def bouncing_ball():
    """Dropped from h; after the first bounce, at t = 1.2, before the third."""
    e, t = mpmath.mpf(0.5), mpmath.mpf(1.2)
    def state(g, e):
        fall = mpmath.sqrt(2 / g)
        w, s = e * g * fall, t - fall
        while s > 2 * w / g:
            s, w = s - 2 * w / g, e * w
        return w * s - g * s**2 / 2, w - g * s
    g = mpmath.mpf(9.81)
    return {(u, p): mpmath.diff(f, (g, e), o) for i, u in enumerate(("y", "w"))
            for p, o in (("g", (1, 0)), ("e", (0, 1))) for f in [lambda g, e, i=i: state(g, e)[i]]}


def integrated(F, z, t, steps, stages):
    """z(t) from z(0) by Gauss's collocation, of order 2 stages, its equations solved by fixed-point iteration."""
    nodes = [(1 + x) / 2 for x in mpmath.polyroots(mpmath.taylor(lambda x: mpmath.legendre(stages, x), 0, stages)[::-1],
                                                   maxsteps=200, extraprec=200)]
    powers = mpmath.matrix(stages)
    for j in range(stages):
        for i in range(stages):
            powers[j, i] = nodes[i]**j
    to = mpmath.inverse(powers)                         # a_ij = sum_k c_i^(k+1)/(k+1) to_jk
    a = [[sum(to[j, k] * c**(k + 1) / (k + 1) for k in range(stages)) for j in range(stages)] for c in [*nodes, 1]]
    h = mpmath.mpf(t) / steps
    for n in range(steps):
        slopes = [F(n * h, z)] * stages
        for _ in range(40):
            slopes = [F((n + c) * h, [x + h * sum(w * s[i] for w, s in zip(row, slopes)) for i, x in enumerate(z)])
                      for c, row in zip(nodes, a)]
        z = [x + h * sum(w * s[i] for w, s in zip(a[-1], slopes)) for i, x in enumerate(z)]
    return z


def pendulum():
    """theta'' = -(g0 + g1 sin(2 pi f t))/L sin theta from (3, -4), with its variational equations by g0 and f."""
    g0, g1, f, L = mpmath.mpf(9.81), mpmath.mpf(0.05), mpmath.mpf(1), mpmath.mpf(5)
    def F(t, z):
        phase = 2 * mpmath.pi * f * t
        gravity = g0 + g1 * mpmath.sin(phase)
        moved = {0: 1, 1: g1 * 2 * mpmath.pi * t * mpmath.cos(phase)}
        out = [z[1], -gravity / L * mpmath.sin(z[0])]
        for c in range(2):
            s, ds = z[2 + 2 * c:4 + 2 * c]
            out += [ds, -gravity / L * mpmath.cos(z[0]) * s - moved[c] / L * mpmath.sin(z[0])]
        return out
    z = integrated(F, [mpmath.atan2(3, 4), 0, 0, 0, 0, 0], 2, 20, 12)
    found = {}
    for c, p in enumerate(("g0", "frequency")):
        s, ds = z[2 + 2 * c], z[3 + 2 * c]
        sin, cos = mpmath.sin(z[0]), mpmath.cos(z[0])
        found.update({("x", p): L * cos * s, ("y", p): L * sin * s, ("vx", p): L * (cos * ds - sin * z[1] * s),
                      ("vy", p): L * (sin * ds + cos * z[1] * s)})
    return found


def compare(page, problem, computed):
    bad = 0
    for (u, p), x in computed.items():
        text = page[(problem, u, p)]
        digits, power = re.fullmatch(r"-?\d\.?(\d*)e([+-]\d+)", text).groups()
        unit = mpmath.mpf(10)**(int(power) - len(digits))
        if abs(mpmath.mpf(text) - x) > unit:
            bad += 1
            print(f"{problem}: d{u}/d{p} is {mpmath.nstr(x, 25)}, on the page {text}")
    return bad


def remade(source, program, path, problems):
    run = subprocess.run([sys.executable, f"{source}/scripts/gradients", "--program", program, "--check", path,
                          *problems], capture_output=True, text=True)
    print(run.stdout, run.stderr, end="")
    return run.returncode


def one_digit_off(page):
    """A page whose first number of kepler is wrong in its last but one digit."""
    at = page.index("| x | ", page.index("## kepler")) + len("| x | ")
    last = page.index("e", at) - 2
    return page[:last] + str((int(page[last]) + 5) % 10) + page[last + 1:]


def main():
    source, program = sys.argv[1:]
    path = f"{source}/docs/gradients.md"
    mpmath.mp.dps = 50
    with open(path, encoding="utf-8") as file:
        page = file.read()
    bad = sum(compare(values(page), problem, f()) for problem, f in
              (("kepler", kepler), ("bouncing_ball", bouncing_ball), ("pendulum", pendulum)))
    bad += remade(source, program, path, REMADE) != 0
    with tempfile.NamedTemporaryFile("w", suffix=".md") as wrong:
        wrong.write(one_digit_off(page))
        wrong.flush()
        bad += remade(source, program, wrong.name, ["kepler"]) != 1
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
