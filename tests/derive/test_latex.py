"""Equations in LaTeX: as a person writes them, whole, and the same each time."""

import dataclasses
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import sympy
from sympy import Abs, Max, Rational, atan2, cos, exp, pi, sign, sin, sqrt

import mechanisms
from derive.mechanics import lagrange
from derive.writing import latex
from derive.base.equations import Mode
from derive.writing.latex_expression import Writer, escaped, name_of
from derive.base.model import TIME, Friction, Impact
from mechanisms import constraint, coordinate, model, parameters

RUN = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "run.py")


def one_mode(made):
    return [Mode("", "", lagrange.equations(made, made.constraints), made.constraints)]


def written(make):
    made = make()
    return latex.write(made, one_mode(made))


def switching():
    """A sledge on a table that may be left, with friction: words with signs that LaTeX has a meaning for."""
    p, (m, g, mu_s, mu_k) = parameters("m g mu_s mu_k")
    x, y = coordinate("x_1"), coordinate("y")
    N = sympy.Symbol("N_table", real=True)
    rubs = Friction("F", sympy.Symbol("F", real=True), x.q, N, mu_s, mu_k, None, "forwards", "sticks", "forwards",
                    "backwards", "N", 12)
    made = model("sledge_1", p, [x, y], m * (x.v ** 2 + y.v ** 2) / 2, m * g * y.q, [constraint("N_table", -y.q, 1)],
                 title="50 % of #1 & {all} of it, $ ~ ^ \\", frictions=[rubs])
    made.impacts.append(Impact("wall", x.q - y.q, Rational(1, 2), "", 1))
    held = dataclasses.replace(made.constraints[0], g=x.q)
    table, corner = made.constraints, [*made.constraints, held]
    return made, [Mode("slides_on", "on the table & sliding", lagrange.equations(made, table), table),
                  Mode("flies", "", lagrange.equations(made, []), []),
                  Mode("rests", "at rest", lagrange.equations(made, corner), corner)]


def plain(text):
    """Without what is only space."""
    return re.sub(r"\s+|\\quad|\\,", "", text)


class Formulas(unittest.TestCase):
    """A whole model."""

    def has(self, make, *lines):
        text = plain(written(make))
        for line in lines:
            self.assertIn(plain(line), text)

    def test_the_tension_of_a_string(self):
        self.has(mechanisms.string, r"S &= m L \dot{\varphi}^{2} + m g \cos\varphi",
                 r"T &= \frac{1}{2} m \dot{r}^{2} + \frac{1}{2} m r^{2} \dot{\varphi}^{2}",
                 r"V &= -m g r \cos\varphi", r"0 &= r - L && \text{reaction} \ S \ge 0",
                 r"m \ddot{r} &= m r \dot{\varphi}^{2} + m g \cos\varphi - S",
                 r"m r^{2} \ddot{\varphi} &= -2 m r \dot{r} \dot{\varphi} - m g r \sin\varphi",
                 r"\ddot{\varphi} &= -\frac{g}{L} \sin\varphi")

    def test_the_ladder(self):
        self.has(mechanisms.ladder, r"\ddot{\theta} &= \frac{3 g}{2 l} \sin\theta", r"m \ddot{x} &= \mathit{Nwall}",
                 r"\mathit{Nwall} &= \frac{3}{4} m g \sin\theta \cos\theta "
                 r"- \frac{1}{2} m l \dot{\theta}^{2} \sin\theta")

    def test_the_pendulum(self):
        self.has(mechanisms.pendulum, r"m \ddot{x} &= -\frac{x T}{L}",
                 r"T &= \frac{m L \left(\dot{x}^{2} + \dot{y}^{2} - y \left(g_{1} \sin\left(2 \pi w t\right) + g_{0}"
                 r"\right)\right)}{x^{2} + y^{2}}")

    def test_a_reaction_that_is_called_as_an_energy(self):
        self.has(mechanisms.pendulum, r"\mathcal{T} &= \frac{1}{2} m \dot{x}^{2}", r"V &= m g_{0} y")

    def test_a_mode_that_friction_holds(self):
        """Its multiplier has a formula, too; nothing is left to move in minimal coordinates."""
        p, (m, k) = parameters("m k")
        x = coordinate("x")
        F, held = sympy.Symbol("F", real=True), sympy.Symbol("held", real=True)
        mu = Rational(1, 2)
        rubs = Friction("F", F, x.q, m, mu, mu, None, "sticking", "sticks", "ahead", "back", "N", 1)
        made = model("block", p, [x], m * x.v ** 2 / 2, k * x.q ** 2 / 2, frictions=[rubs])
        holds = dataclasses.replace(constraint("F", held - x.q), symbol=F)
        text = latex.write(made, [Mode("sticks", "", lagrange.equations(made, [holds]), [rubs])])
        self.assertIn("F &= k x", text)
        self.assertIn(r"m \ddot{x} &= -k x + F", text)

    def test_an_acceleration_of_zero_is_said(self):
        p, (m, g) = parameters("m g")
        x, y = coordinate("x"), coordinate("y")
        self.has(lambda: model("floor", p, [x, y], m * (x.v ** 2 + y.v ** 2) / 2, m * g * y.q, [constraint("N", -y.q)]),
                 r"\ddot{x} &= 0", "N &= m g")

    def test_reactions_that_are_long_are_left_as_equations(self):
        self.has(mechanisms.slider_crank, "The reactions are those that keep",
                 r"0 &= l_{1} \ddot{\varphi} \cos\varphi + l_{2} \ddot{\psi} \cos\psi")

    def test_many_reactions_are_not_solved_for(self):
        """Of a chain of eight: that would take a minute, and be read by nobody."""
        p, (m, L) = parameters("m L")
        at = [coordinate(f"{name}{i}") for i in range(8) for name in "xy"]
        links = [sum((b.q - a.q) ** 2 for a, b in zip(at[2 * i:], at[2 * i + 2:2 * i + 4])) - L ** 2 for i in range(7)]
        self.has(lambda: model("chain", p, at, m * sum(c.v ** 2 for c in at) / 2, 0,
                               [constraint(f"T{i}", g / (2 * L)) for i, g in enumerate(links)]),
                 "The reactions are those that keep")

    def test_each_mode_has_its_headline(self):
        text = latex.write(*switching())
        for line in (r"\textbf{slides\_on} (on the table \& sliding).", r"\textbf{flies}.",
                     r"\textbf{rests} (at rest).", r"sledge\_1: 50 \% of \#1 \& \{all\} of it, "
                     r"\$ \textasciitilde{} \textasciicircum{} \textbackslash{}."):
            self.assertIn(line, text)
        self.assertIn(plain(r"0 &\ge x_{1} - y"), plain(text))
        self.assertIn(plain(r"\left|F\right| &\le \mu_{s} N_{\mathit{table}}"), plain(text))

    def test_the_same_text_each_time(self):
        said = [subprocess.run([sys.executable, RUN, __file__, "print"], check=True, capture_output=True,
                               env={**os.environ, "PYTHONHASHSEED": seed}).stdout for seed in ("1", "2")]
        self.assertGreater(len(said[0]), 1000)
        self.assertEqual(*said)


class Wholeness(unittest.TestCase):
    """Of each mechanism: brackets in pairs, and a document."""

    @staticmethod
    @functools.lru_cache(maxsize=None)
    def texts():
        return [written(make) for make in mechanisms.ALL] + [latex.write(*switching())]

    def test_brackets_come_in_pairs(self):
        for text in self.texts():
            bare = re.sub(r"\\[{}]", "", text)
            depth = 0
            for c in bare:
                depth += (c == "{") - (c == "}")
                self.assertGreaterEqual(depth, 0, text)
            self.assertEqual(depth, 0, text)
            self.assertEqual(len(re.findall(r"\\left[(|]", text)), len(re.findall(r"\\right[)|]", text)), text)
            self.assertEqual(text.count(r"\begin{align*}"), text.count(r"\end{align*}"))
            self.assertTrue(all(ord(c) < 128 for c in text))

    def test_a_line_has_one_mark_to_align_at(self):
        for text in self.texts():
            for block in re.findall(r"\\begin\{align\*\}\n(.*?)\n\\end", text, re.S):
                for line in block.split(" \\\\\n"):
                    self.assertEqual(re.sub(r"&&.*", "", line).count("&"), 1, line)

    def test_a_document_compiles(self):
        if shutil.which("pdflatex") is None:
            self.skipTest("there is no pdflatex")
        document = "\\documentclass{article}\\usepackage{amsmath}\\begin{document}\n%s\n\\end{document}\n"
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "all.tex"), "w", encoding="ascii") as file:
                file.write(document % "\n".join(self.texts()))
            ran = subprocess.run(["pdflatex", "-draftmode", "-interaction=nonstopmode", "-halt-on-error", "all.tex"],
                                 cwd=folder, capture_output=True, check=False)
            self.assertEqual(ran.returncode, 0, ran.stdout.decode(errors="replace")[-2000:])


class Expressions(unittest.TestCase):
    def setUp(self):
        p, self.p = parameters("m L g mu_k")
        self.x, self.phi = coordinate("x"), coordinate("phi", "rad")
        self.writer = Writer(model("any", p, [self.x, self.phi], 0, 0))

    def check(self, expr, text):
        self.assertEqual(self.writer.write(expr), text)

    def test_names(self):
        for word, text in (("m", "m"), ("m1", "m_{1}"), ("mu_s", r"\mu_{s}"), ("theta0", r"\theta_{0}"),
                           ("x1'", r"\dot{x}_{1}"), ("phi''", r"\ddot{\varphi}"), ("nail", r"\mathit{nail}"),
                           ("k_1_2", "k_{1,2}"), ("v_max", r"v_{\mathit{max}}"), ("x_phi", r"x_{\varphi}"), ("E", "E"),
                           ("Omega2", r"\Omega_{2}"), ("held_", r"\mathit{held}")):
            self.assertEqual(name_of(word), text)

    def test_names_that_would_look_alike_are_written_out(self):
        p, (one, other) = parameters("m1 m_1")
        writer = Writer(model("any", p, [self.x], 0, 0))
        self.assertEqual({writer.write(one), writer.write(other)}, {"m_{1}", r"\mathit{m\_1}"})

    def test_products_and_sums(self):
        m, L, g, mu = self.p
        x, v, phi = self.x.q, self.x.v, self.phi.q
        self.check(g * cos(phi) * m * x * v ** 2 * 3, r"3 m g x \dot{x}^{2} \cos\varphi")
        self.check(-3 * g / (2 * L) * sin(phi), r"-\frac{3 g}{2 L} \sin\varphi")
        self.check(m / 2 * (v ** 2 + x), r"\frac{1}{2} m \left(\dot{x}^{2} + x\right)")
        self.check(g / L * (m + mu), r"\frac{g}{L} \left(m + \mu_{k}\right)")
        self.check(-mu * (x + L), r"-\mu_{k} \left(x + L\right)")
        self.check(x / (L - x), r"\frac{x}{L - x}")
        self.check((L - x) / (m + g) ** 2, r"\frac{L - x}{\left(m + g\right)^{2}}")
        self.check(Rational(-2, 3), r"-\frac{2}{3}")
        self.check(1 / L, r"\frac{1}{L}")
        self.check((x + 1) / 2 - m, r"\frac{1}{2} + \frac{1}{2} x - m")

    def test_powers_and_functions(self):
        m, L, g, mu = self.p
        x, v, phi = self.x.q, self.x.v, self.phi.q
        self.check(sin(phi) ** 2, r"\sin^{2}\varphi")
        self.check(sin(2 * phi), r"\sin\left(2 \varphi\right)")
        self.check(cos(x), r"\cos x")
        self.check(sqrt(x ** 2 + L ** 2), r"\sqrt{x^{2} + L^{2}}")
        self.check(1 / sqrt(x), r"\frac{1}{\sqrt{x}}")
        self.check((x + L) ** Rational(3, 2), r"\left(x + L\right)^{3/2}")
        self.check(sqrt(x) ** 3, r"x^{3/2}")
        self.check((x + L) ** mu, r"\left(x + L\right)^{\mu_{k}}")
        self.check(Abs(v), r"\left|\dot{x}\right|")
        self.check(exp(-x / L), r"e^{-\frac{x}{L}}")
        self.check(exp(-x) ** 2, r"e^{-2 x}")
        self.check(atan2(x, v), r"\operatorname{atan2}\left(x, \dot{x}\right)")
        self.check(Max(x, L), r"\max\left(x, L\right)")
        self.check(sign(v) * mu, r"\mu_{k} \operatorname{sgn}\dot{x}")
        self.check(sin(2 * pi * TIME), r"\sin\left(2 \pi t\right)")

    def test_names_of_letters_keep_a_distance(self):
        p, (nail, m) = parameters("nail m")
        x = coordinate("x")
        writer = Writer(model("any", p, [x], 0, 0))
        self.assertEqual(writer.write(3 * nail * m * sin(x.q)), r"3 \, \mathit{nail} \, m \sin x")
        self.assertEqual(writer.write(nail * x.q / m), r"\frac{\mathit{nail}}{m} x")

    def test_words(self):
        self.assertEqual(escaped("a_b 5% {x} \\ ~ ^"),
                         r"a\_b 5\% \{x\} \textbackslash{} \textasciitilde{} \textasciicircum{}")


def print_some():
    for make in (mechanisms.slider_crank, mechanisms.ladder, mechanisms.moving_pivot):
        print(written(make))


if __name__ == "__main__":
    if sys.argv[1:] == ["print"]:
        print_some()
    else:
        unittest.main()
