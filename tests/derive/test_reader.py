"""From a text to a Model: energies of masses and gravity, constraints and reactions, contacts, events, a start."""

import unittest
from pathlib import Path

import sympy

from derive.words import reader
from derive.mechanics import first_reactions, inertia, redundant
from derive.switching import modes
from derive.base.fault import Fault

ROOT = Path(__file__).resolve().parents[2]


def bead(**changed):
    """A bead on a plane with gravity; keys are replaced, added, or left out where they are None."""
    sections = {"parameters": "{m: '2 kg, mass, positive', g: '9.81 m/s^2', L: '3 m, length, positive', e: 0.5 -}",
                "coordinates": "{x: m, y: m}", "points": "{bead: [x, y]}", "masses": "{bead: m}", "gravity": "[0, -g]",
                "interval": "[0, 2]"}
    sections.update(changed)
    lines = [f"{key}: {value}" for key, value in sections.items() if value is not None]
    return reader.read_text("model: bead\n" + "\n".join(lines) + "\n")


def symbols(model):
    """Names -> symbols of all that a model has."""
    known = {p.name: p.symbol for p in model.parameters}
    for c in model.coordinates:
        known.update({c.q.name: c.q, c.v.name: c.v})
    known.update({c.name: c.symbol for c in model.constraints + model.frictions})
    return known


class Examples(unittest.TestCase):
    def test_all_are_read(self):
        texts = sorted((ROOT / "examples").glob("*.yaml"))
        self.assertGreaterEqual(len(texts), 10)
        for path in texts:
            with self.subTest(path.name):
                model = reader.read(path)
                self.assertTrue(model.coordinates)
                self.assertLess(model.t0, model.t_end)

    def test_file_without_end(self):
        with self.assertRaises(Fault) as caught:
            reader.read("/dev/zero")
        self.assertEqual((caught.exception.line, caught.exception.sentence),
                         (1, "a model has at most 1000000 characters"))

    def test_string(self):
        model = reader.read(ROOT / "examples" / "string.yaml")
        s = symbols(model)
        rest = model.kinetic - s["m"] * (s["r'"] ** 2 + (s["r"] * s["phi'"]) ** 2) / 2
        self.assertEqual(sympy.expand(rest), 0)
        self.assertEqual(sympy.expand(model.potential + s["m"] * s["g"] * s["r"] * sympy.cos(s["phi"])), 0)
        taut = model.constraints[0]
        self.assertEqual((taut.g, taut.sign, taut.unit, taut.closed, taut.open, taut.begins_open),
                         (s["r"] - s["L"], 1, "N", "taut", "slack", False))
        self.assertEqual(model.start, {s["r"]: s["L"], s["phi'"]: s["v0"] / s["L"]})
        self.assertEqual((model.events[0].direction, model.events[0].stop, model.events[0].unit), (1, True, "m/s"))
        self.assertEqual(model.lines["constraints"], 19)


class Documentation(unittest.TestCase):
    def test_the_example_is_a_model(self):
        """That of docs/models.md is that of examples/string.yaml, with more remarks."""
        page = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
        text = "model: string" + page.split("```yaml\nmodel: string")[1].split("```")[0]
        shown, kept = reader.read_text(text), reader.read(ROOT / "examples" / "string.yaml")
        for part in ("name", "kinetic", "potential", "start", "t0", "t_end"):
            self.assertEqual(getattr(shown, part), getattr(kept, part))
        self.assertEqual([p.value for p in shown.parameters], [p.value for p in kept.parameters])
        self.assertEqual([e.value for e in shown.events], [e.value for e in kept.events])
        self.assertEqual([c.g for c in shown.constraints], [c.g for c in kept.constraints])

    def test_all_keys_are_told_of(self):
        text = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
        for key in reader.KEYS:
            self.assertIn(f"`{key}`", text)


class Energies(unittest.TestCase):
    def test_a_pivot_that_moves(self):
        """T of (s(t) + L sin x, -L cos x) has T2, T1 and T0."""
        model = bead(coordinates="{x: rad}", points="{bead: [L sin(2 pi t/(1.5 T)), 0], b: [1/2 L sin(x), -L cos(x)]}",
                     parameters="{m: '2 kg, mass, positive', g: '9.81 m/s^2', L: '3 m, length, positive', T: 4 s}",
                     masses="{b: m, c: {mass: 3 m, at: [L sin(2 pi t/T) + L sin(x), -L cos(x)]}}")
        s, t = symbols(model), sympy.Symbol("t", real=True)
        x, w, pivot = s["x"], s["x'"], s["L"] * sympy.sin(2 * sympy.pi * t / s["T"])
        b = (s["L"] * sympy.cos(x) / 2 * w) ** 2 + (s["L"] * sympy.sin(x) * w) ** 2
        c = (pivot.diff(t) + s["L"] * sympy.cos(x) * w) ** 2 + (s["L"] * sympy.sin(x) * w) ** 2
        rest = model.kinetic - s["m"] * (b + 3 * c) / 2
        self.assertEqual(sympy.simplify(rest), 0)
        self.assertEqual(sympy.expand(model.potential + 4 * s["m"] * s["g"] * s["L"] * sympy.cos(x)), 0)

    def test_gravity_in_time(self):
        model = bead(gravity="[g sin(t/(2 L)*m), -g]", units="unchecked")
        s, t = symbols(model), sympy.Symbol("t", real=True)
        wanted = s["m"] * s["g"] * (s["y"] - s["x"] * sympy.sin(t * s["m"] / (2 * s["L"])))
        self.assertEqual(sympy.expand(model.potential - wanted), 0)

    def test_a_body_in_the_plane(self):
        model = bead(coordinates="{x: m, y: m, a: rad}", masses="{bead: {mass: m, inertia: m L^2/12, angle: 2 a}}")
        s = symbols(model)
        wanted = s["m"] * (s["x'"] ** 2 + s["y'"] ** 2) / 2 + s["m"] * s["L"] ** 2 / 12 * (2 * s["a'"]) ** 2 / 2
        self.assertEqual(sympy.expand(model.kinetic - wanted), 0)

    def test_in_space(self):
        model = bead(coordinates="{x: m, y: m, z: m}", points="{bead: [x, y, z]}", gravity="[0, 0, -g]",
                     drawing="[{link: [[0, 0, 0], bead]}]")
        s = symbols(model)
        self.assertEqual(model.potential, s["m"] * s["g"] * s["z"])
        self.assertEqual(model.drawing[0].points, ((0, 0), (s["x"], s["z"])))

    def test_millimetres_and_tonnes(self):
        """Energies in mJ are energies, and forces then newtons; but not with joules among them."""
        model = bead(parameters="{m: 2e-6 t, k: 3 N/mm, g: 9810 mm/s^2}", coordinates="{x: mm, y: mm}", V="1/2 k x^2",
                     constraints="{S: y}")
        self.assertEqual(model.constraints[0].unit, "N")
        with self.assertRaisesRegex(Fault, "should be in mJ"):
            bead(parameters="{m: 2e-6 t, k: 3 N/m, g: 9810 mm/s^2}", coordinates="{x: mm, y: mm}", V="1/2 k x^2")


class Angles(unittest.TestCase):
    def test_degrees(self):
        """sin, cos, tan and starts turn degrees into radians, exactly; sums do not."""
        degrees = dict(parameters="{m: '2 kg, mass, positive', g: '9.81 m/s^2', L: 3 m, a: 20 deg, n: 3 rpm}",
                       coordinates="{x: rad}", points="{bead: [L sin(x + pi/4), -L cos(x) tan(2 a)]}")
        model = bead(start="{x: a, x': 2 n}", **degrees)
        s = symbols(model)
        self.assertEqual(model.start, {s["x"]: s["a"] * sympy.pi / 180, s["x'"]: s["n"] * sympy.pi / 15})
        self.assertIn(sympy.tan(s["a"] * sympy.pi / 90), model.potential.atoms(sympy.tan))
        for changed in ({"let": "{b: x + a}"}, {"let": "{b: exp(a)}"}, {"let": "{b: sin(L)}"}, {"start": "{x: L}"}):
            with self.subTest(str(changed)), self.assertRaises(Fault):
                bead(**changed, **degrees)

    def test_a_start_with_its_unit(self):
        """A number and a unit, as of a parameter; where a name of the model is called so that which fits is meant, and
        other units are told."""
        lengths = dict(parameters="{m: '2 kg, mass, positive', g: '9.81 m/s^2', L: 3 m}", coordinates="{x: rad}",
                       points="{bead: [L sin(x), -L cos(x)]}")
        model = bead(start="{x: -60 deg, x': 3e1 rpm}", **lengths)
        s = symbols(model)
        self.assertEqual(model.start, {s["x"]: -sympy.pi / 3, s["x'"]: sympy.pi})
        self.assertEqual(bead(start="{x: 0.25 rad}", **lengths).start, {s["x"]: sympy.Rational(1, 4)})
        for start, sentence in (("{x: 2 m}", "kg"), ("{x: 2 s}", "should be"), ("{x: 2 widgets}", "unknown 'widgets'"),
                                ("{x: 2 dge}", "unknown 'dge'"), ("{x: 2 deg/}", "deg"), ("{x: 1e999 deg}", "range")):
            with self.subTest(start), self.assertRaisesRegex(Fault, sentence):
                bead(start=start, **lengths)

    def test_a_start_whose_unit_is_a_name(self):
        """m is a mass, and 1.2 m no mass; where m is a length, or units are not looked at, it could be both."""
        place = dict(coordinates="{x: m}", points="{bead: [x, 0]}")
        model = bead(start="{x: 1.2 m, x': 3 m/s}", parameters="{m: '2 kg, mass, positive', g: '9.81 m/s^2'}", **place)
        s = symbols(model)
        self.assertEqual(model.start, {s["x"]: sympy.Rational(6, 5), s["x'"]: 3})
        for more in ({"parameters": "{M: 2 kg, m: 3 m, g: '9.81 m/s^2'}", "masses": "{bead: M}"},
                     {"units": "unchecked", "parameters": "{m: '2 kg', g: '9.81 m/s^2'}"}):
            with self.assertRaisesRegex(Fault, "'1.2 m', is a number with its unit, or a product with m: "
                                               r"write 1.2\*m"):
                bead(start="{x: 1.2 m}", **place, **more)
            product = bead(start="{x: 1.2*m}", **place, **more)
            s = symbols(product)
            self.assertEqual(product.start[s["x"]], sympy.Rational(6, 5) * s["m"])

    def test_a_coordinate_in_degrees(self):
        """Its energies are in joules, and its moments in joules per degree, as they should be."""
        model = bead(coordinates="{x: deg}", points="{bead: [L sin(x), -L cos(x)]}", constraints="{N: x = a}",
                     parameters="{m: '2 kg, mass, positive', g: '9.81 m/s^2', L: 3 m, a: 20 deg}")
        s = symbols(model)
        rate = s["x'"] * sympy.pi / 180
        self.assertEqual(sympy.expand(model.kinetic - s["m"] * (s["L"] * rate) ** 2 / 2), 0)
        self.assertEqual(model.constraints[0].unit, "J/deg")


class Repeated(unittest.TestCase):
    def test_a_chain(self):
        """N blocks on springs: V = k/2 sum (x_i - x_(i-1))^2."""
        chain = """model: chain
repeat: {i: 5}
parameters: {M: "2 kg, mass, positive", k: "5 N/m"}
coordinates: {x<i>: m}
let: {x0: 0.1 m sin(2 t), V0: 0, V<i>: V<i-1> + 1/2 k (x<i> - x<i - 1>)^2}
points: {b<i>: [x<i>, 1 m]}
masses: {b<i>: M}
V: V5
start: {x<i>': 3 m/s, x3: 0.2 m}
drawing: [body: b<i>, link: [[0, 0], b1]]
interval: [0, 1]
"""
        model = reader.read_text(chain)
        s = {str(x): x for x in model.q()}
        self.assertEqual(list(s), ["x1", "x2", "x3", "x4", "x5"])
        k, t = symbols(model)["k"], next(x for x in model.potential.free_symbols if x.name == "t")
        places = [sympy.sin(2 * t) / 10, *s.values()]
        self.assertEqual(sympy.expand(model.potential - k * sum((b - a)**2 for a, b in zip(places, places[1:])) / 2), 0)
        self.assertEqual((len(model.start), len(model.drawing)), (6, 6))
        for old, new, sentence in (("i: 5", "i: 0", "at least one"), ("i: 5", "i: many", "whole number"),
                ("V: V5", "V: V<i>", "nothing is repeated"), ("x3:", "x3':", "twice"), ("V5", "V6", "unknown 'V6'"),
                ("i: 5", "i: [2, 9999]", "at most"), ("<i - 1>", "<j - 1>", "nothing is repeated")):
            with self.subTest(new), self.assertRaisesRegex(Fault, sentence):
                reader.read_text(chain.replace(old, new))


class Redundant(unittest.TestCase):
    def test_a_coordinate_without_mass(self):
        model = bead(coordinates="{x: m, y: m, phi: rad}", constraints="{A: x = L sin(phi), B: y = -L cos(phi)}")
        with self.assertRaisesRegex(Fault, "phi has no mass.*--minimal takes x, y out"):
            inertia.examine(model)
        inertia.examine(redundant.reduced(model))


class Contacts(unittest.TestCase):
    def test_units_of_reactions(self):
        for equation, unit in (("x = L", "N"), ("x^2 = L^2", "N/m"), ("x/L = 1", "N.m"),
                ("atan2(y, x + L) = 0", "N.m")):
            with self.subTest(equation):
                self.assertEqual(bead(constraints=f"{{S: '{equation}'}}", start="{x: L}").constraints[0].unit, unit)
        self.assertEqual(bead(constraints="{S: x}", units="unchecked").constraints[0].unit, "-")

    def test_signs(self):
        wall = bead(constraints="{N: {equation: y = L, while: N <= 0, begins: closed, restitution: e}}",
        start="{y: L}")
        s, c = symbols(wall), wall.constraints[0]
        self.assertEqual((c.g, c.sign, c.restitution, c.closed, c.open),
        (s["y"] - s["L"], -1, s["e"], "with_N", "without_N"))

    def test_what_is_allowed_on_the_other_side(self):
        """Without its reaction N <= 0 a constraint y = L allows y >= L."""
        constraint = "{N: {equation: y = L, while: N <= 0, begins: open}}"
        bead(constraints=constraint, start="{y: 2 L}")
        with self.assertRaisesRegex(Fault, "violated at the start: it allows left >= right"):
            bead(constraints=constraint, start="{y: L/2}")

    def test_two_frictions_have_states_of_their_own(self):
        model = bead(friction="{F: {along: x, normal: m g, coefficient: e, begins: forwards}, "
                              "H: {along: y, normal: m g, rest: e, motion: e/2, begins: backwards}}")
        first, second = model.frictions
        self.assertEqual((first.sticking, second.sticking, first.unit), ("sticking_F", "sticking_H", "N"))
        self.assertEqual((second.rest, second.motion), (symbols(model)["e"], symbols(model)["e"] / 2))

    def test_a_normal_force_that_is_a_reaction(self):
        model = bead(constraints="{N: 0 = y}", friction="{F: {along: x, normal: N, coefficient: e, begins: forwards}}")
        self.assertEqual(model.frictions[0].normal, symbols(model)["N"])

    def test_rounded_starts_are_on_a_constraint(self):
        equation = "{S: {equation: (x^2 + y^2 - L^2)/(2 L) = 0, while: S >= 0}}"
        bead(constraints=equation, start="{x: L*0.70710678, y: -0.70710678 L}")
        with self.assertRaisesRegex(Fault, "does not hold there"):
            bead(constraints=equation, start="{x: L*0.7071, y: -0.7071 L}")
        with self.assertRaisesRegex(Fault, "violated"):
            bead(constraints=equation, start="{x: L*0.7072, y: -0.7072 L}")

    def test_what_cancels_in_a_constraint(self):
        """(a + b) x - a x - b x would be rounding in doubles; with nothing else there is no constraint."""
        model = bead(parameters="{m: '2 kg, mass, positive', g: '9.81 m/s^2', a: 3 m, b: 2 m}",
                     constraints="{N: (a + b) x - a x - b x + a y = 0}")
        self.assertEqual(model.constraints[0].g, symbols(model)["a"] * symbols(model)["y"])
        with self.assertRaisesRegex(Fault, "holds no coordinate"):
            bead(parameters="{m: '2 kg, mass, positive', g: '9.81 m/s^2', a: 3 m, b: 2 m}",
                 constraints="{N: (a + b) x - a x - b x = 0}")


class Reactions(unittest.TestCase):
    """A ball that hangs, or swings, on a string: S = m (v^2/L - g y/L) where it begins."""

    def tension(self, x, y, v, sign=">="):
        constraint = f"{{S: {{equation: (x^2 + y^2 - L^2)/(2 L), while: S {sign} 0}}}}"
        model = modes.prepared(bead(constraints=constraint, start=f"{{x: {x}, y: {y}, x': {v}}}"))
        first_reactions.examine(model, modes.of(model)[0])

    def test_the_sign_at_the_start(self):
        self.tension("0", "-L", "0")
        self.tension("L", "0", "0")
        self.tension("0", "L", "1.0001 sqrt(g L)")
        with self.assertRaisesRegex(Fault, "is -0.0039238 at the start"):
            self.tension("0", "L", "0.9999 sqrt(g L)")
        with self.assertRaisesRegex(Fault, "is 19.62 at the start, and acts while S <= 0"):
            self.tension("0", "-L", "0", "<=")


class Course(unittest.TestCase):
    def test_events(self):
        model = bead(events="{a: {when: y = L rising, then: {y': -e y', e: e/2}}, "
                            "b: {when: g t = x', measure: 1/2 m x'^2}}",
                     title="a bead")
        s, (a, b) = symbols(model), model.events
        self.assertEqual(a.then, ((s["y'"], -s["e"] * s["y'"]), (s["e"], s["e"] / 2)))
        self.assertEqual((a.direction, b.direction, b.unit, a.title), (1, 0, "J", "y = L"))
        self.assertEqual(bead(events="{a: {when: x = L falling}}").events[0].direction, -1)

    def test_forces_of_friction_in_events(self):
        rough = "{F: {along: x, normal: m g, coefficient: e, begins: forwards}}"
        model = bead(friction=rough, events="{a: {when: F = m g/2}}")
        self.assertIn(symbols(model)["F"], model.events[0].value.free_symbols)
        with self.assertRaisesRegex(Fault, "'F' is a force of friction"):
            bead(friction=rough, forces="{drag: {on: x, is: F}}")

    def test_numbers_are_those_of_the_text(self):
        model = bead(parameters="{m: 0.10 kg, g: 9.81 m/s^2, L: 1e-6 m, e: '010 -, x', k: 12345678901 -}")
        self.assertEqual([p.value for p in model.parameters], ["0.10", "9.81", "1e-6", "10", "12345678901."])

    def test_a_short_word_has_a_velocity(self):
        model = bead(let="{s: x y/L}", events="{a: {when: s' = 0}}")
        s = symbols(model)
        self.assertEqual(sympy.expand(model.events[0].value - (s["x'"] * s["y"] + s["x"] * s["y'"]) / s["L"]), 0)


if __name__ == "__main__":
    unittest.main()
