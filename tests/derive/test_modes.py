"""Modes of models that switch: their states, what leads from one to another, and the forces of friction in them."""

import dataclasses
import pathlib
import random
import unittest

import sympy
from sympy import Rational, cos, sin

import mechanisms
from derive.algebra import elimination, independence, rates, vanishing
from derive.switching import impulse, modes
from derive.base.fault import Fault
from derive.base.model import TIME, Event, Friction, Impact
from derive.words import reader


def unilateral(name, g, sign=1, closed=None, opened=None, **more):
    made = dataclasses.replace(mechanisms.constraint(name, g, sign), text=f"0 = {g}", closed=closed or f"with_{name}",
                               open=opened or f"without_{name}")
    return dataclasses.replace(made, **more)


def friction(name, along, normal, coefficients, begins="sticking", held=None):
    return Friction(name, sympy.Symbol(name, real=True), along, normal, *coefficients, held, begins, "sticking",
                    "forwards", "backwards", "N", 7)


def event(name, value, direction=-1, then=(), stop=False, during=()):
    return Event(name, name, value, direction, stop, tuple(then), None, "", "", tuple(during), 9)


def particle(constraints=(), **more):
    """A mass in the plane, y upwards; parameters e, mu_s, mu_k, and any number for other purposes."""
    p, (m, g) = mechanisms.parameters("m g")
    nonnegative, numbers = mechanisms.parameters("e mu_s mu_k")
    free, others = mechanisms.parameters("a b", "any")
    x, y = mechanisms.coordinate("x"), mechanisms.coordinate("y")
    made = mechanisms.model("particle", p + nonnegative + free, [x, y], m * (x.v ** 2 + y.v ** 2) / 2, m * g * y.q,
                            constraints(x, y) if constraints else (), **more)
    return made, x, y, numbers + others


def b_wall(x, y):
    """Steeper than the wall y = x and on its side: it throws off what slides along that."""
    return 3 * x.q - y.q - 1


def by_name(made):
    return {mode.name: mode for mode in made}


def event_of(mode, name):
    [found] = [e for e in mode.events if e.name == name]
    return found


def point_of(*expressions):
    """{symbol: number} of all that these are made of."""
    drawn = random.Random(3)
    symbols = sorted(set().union(*(sympy.sympify(e).free_symbols for e in expressions)), key=lambda s: s.name)
    return {symbol: sympy.Rational(drawn.randrange(300, 1700), 1009) for symbol in symbols}


def reactions(equations, point):
    """lambda of the acceleration level, numbers."""
    M, G, f = (matrix.subs(point) for matrix in (equations.M, equations.G, equations.f))
    c = equations.acceleration.subs({a: 0 for a in equations.a}).subs(point)
    return sympy.N((G * M.inv() * G.T).inv() * (G * M.inv() * f + c), 30)


class OneState(unittest.TestCase):
    def test_a_smooth_model_has_one_mode_without_a_name(self):
        made = modes.of(mechanisms.pendulum())
        self.assertEqual([mode.name for mode in made], [""])
        self.assertEqual(made[0].events, [])

    def test_an_impact_turns_the_velocity_along_it(self):
        model, x, y, numbers = particle()
        e = numbers[0]
        model.impacts.append(Impact("slope", -x.q - 2 * y.q, e, "x = -2 y", 1))
        model.start.update({x.q: 1})
        [mode] = modes.of(model)
        hit = event_of(mode, "slope")
        after = dict(hit.then)
        g_rate = -x.v - 2 * y.v
        self.assertTrue(vanishing.vanishes(g_rate.xreplace(after) + e * g_rate))
        self.assertTrue(vanishing.vanishes((2 * x.v - y.v).xreplace(after) - (2 * x.v - y.v)))
        self.assertEqual((hit.direction, hit.mode), (1, None))


class Unilateral(unittest.TestCase):
    def test_a_string_lets_go_and_comes_taut(self):
        p, (m, L, g) = mechanisms.parameters("m L g")
        x, y = mechanisms.coordinate("x"), mechanisms.coordinate("y")
        S = unilateral("S", (x.q ** 2 + y.q ** 2 - L ** 2) / (2 * L), closed="taut", opened="slack")
        model = mechanisms.model("string", p, [x, y], m * (x.v ** 2 + y.v ** 2) / 2, m * g * y.q, [S])
        made = by_name(modes.of(model))
        self.assertEqual(list(made), ["taut", "slack"])
        let_go = event_of(made["taut"], "slack")
        self.assertEqual((let_go.value, let_go.direction, let_go.mode), (S.symbol, -1, "slack"))
        near = {L: Rational(11, 10), x.q: Rational(66, 100), y.q: Rational(-88, 100) + Rational(1, 10 ** 9)}
        after = {symbol: expr.subs(near) for symbol, expr in let_go.then}
        self.assertLess(abs(S.g.subs({**near, **after})), abs(S.g.subs(near)) / 10 ** 6)
        comes = event_of(made["slack"], "taut")
        self.assertEqual((comes.value, comes.direction, comes.mode, comes.limit, comes.then),
                         (S.g, 1, "taut", None, ()))

    def test_bounces_accumulate_in_the_mode_where_it_acts(self):
        model, x, y, (e, *_) = particle(lambda x, y: [unilateral("N", x.q ** 2 - y.q, restitution=Rational(1, 2),
                                                                 begins_open=True)])
        model.start.update({y.q: 1})
        made = by_name(modes.of(model))
        self.assertEqual(list(made), ["without_N", "with_N"])
        hit = event_of(made["without_N"], "hits_N")
        self.assertEqual((hit.mode, hit.limit, hit.direction), (None, "with_N", 1))
        rate = 2 * x.q * x.v - y.v
        self.assertTrue(vanishing.vanishes(rate.xreplace(dict(hit.then)) + rate / 2))

    def test_the_other_sign_turns_all_directions(self):
        model, x, y, _ = particle(lambda x, y: [unilateral("N", y.q, sign=-1)])
        made = by_name(modes.of(model))
        self.assertEqual(event_of(made["with_N"], "without_N").direction, 1)
        self.assertEqual(event_of(made["without_N"], "with_N").direction, -1)

    def test_a_corner_has_four_states(self):
        model, x, y, _ = particle(lambda x, y: [unilateral("N", -y.q, begins_open=True),
                                                unilateral("W", -x.q, begins_open=True)])
        model.start.update({x.q: 1, y.q: 1})
        made = by_name(modes.of(model))
        self.assertEqual(sorted(made), ["with_N_with_W", "with_N_without_W", "without_N_with_W", "without_N_without_W"])
        self.assertEqual([c.name for c in made["with_N_with_W"].constraints], ["N", "W"])

    def test_what_would_contradict_is_no_mode(self):
        """A floor and a ceiling of one coordinate: the ceiling cannot be reached from the floor."""
        model, x, y, numbers = particle(lambda x, y: [unilateral("N", -y.q, closed="low", opened="up"),
                                                      unilateral("K", y.q - 1, closed="high", opened="down",
                                                                 begins_open=True)])
        made = by_name(modes.of(model))
        self.assertEqual(sorted(made), ["low_down", "up_down", "up_high"])
        self.assertEqual([e.name for e in made["low_down"].events], ["up"])

    def test_a_wall_that_moves_against_what_is_held_ends_the_run(self):
        model, x, y, numbers = particle(lambda x, y: [unilateral("N", -y.q), unilateral("K", y.q - 1 + TIME,
                                                                                     begins_open=True)])
        made = by_name(modes.of(model))
        self.assertTrue(event_of(made["with_N_without_K"], "hits_K").stop)

    def test_a_string_does_not_push_in_an_impact(self):
        """Atwood's machine: where the heavy mass lands, the other flies on."""
        p, (m1, m2, g, length) = mechanisms.parameters("m1 m2 g length")
        x1, x2 = mechanisms.coordinate("x1"), mechanisms.coordinate("x2")
        S = unilateral("S", x1.q + x2.q - length, closed="taut", opened="slack")
        N = unilateral("N", x1.q - length / 2, closed="landed", opened="moving", begins_open=True)
        model = mechanisms.model("atwood", p, [x1, x2], (m1 * x1.v ** 2 + m2 * x2.v ** 2) / 2,
                                 -g * (m1 * x1.q + m2 * x2.q), [S, N], start={x2.q: length})
        made = by_name(modes.of(model))
        self.assertEqual(event_of(made["taut_moving"], "landed").mode, "slack_landed")
        jerk = event_of(made["slack_landed"], "taut")
        self.assertEqual((jerk.mode, jerk.limit), ("taut_moving", "taut_landed"))

    def test_what_pushes_in_an_impact_goes_on_acting(self):
        """A block between two walls that lean towards each other: the impulse on one presses it against the other."""
        model, x, y, (e, mu_s, mu_k, a, b) = particle(
            lambda x, y: [unilateral("A", x.q - y.q, closed="on", opened="off"),
                          unilateral("B", -2 * x.q - y.q, begins_open=True),
                          unilateral("C", b_wall(x, y), begins_open=True)])
        made = by_name(modes.of(model))
        first = made["on_without_B_without_C"]
        self.assertEqual(event_of(first, "with_B").mode, "on_with_B_without_C")
        self.assertEqual(event_of(first, "with_C").mode, "off_without_B_with_C")

    def test_an_impact_leaves_constraints_satisfied(self):
        """A double pendulum whose lower bob hits a wall: the rods keep their lengths."""
        p, (m, L) = mechanisms.parameters("m L")
        points = [mechanisms.coordinate(name) for name in ("x1", "y1", "x2", "y2")]
        x1, y1, x2, y2 = points
        rods = [mechanisms.constraint("A", x1.q ** 2 + y1.q ** 2 - L ** 2),
                mechanisms.constraint("B", (x2.q - x1.q) ** 2 + (y2.q - y1.q) ** 2 - L ** 2)]
        T = m * sum(c.v ** 2 for c in points) / 2
        model = mechanisms.model("double", p, points, T, 0, rods, start={y1.q: -L, y2.q: -2 * L},
                                 impacts=[Impact("wall", x2.q - L, Rational(1, 3), "x2 = L", 1)])
        [mode] = modes.of(model)
        after = dict(event_of(mode, "wall").then)
        q, v = model.q(), model.v()
        wall = rates.total(x2.q - L, q, v)
        self.assertTrue(vanishing.vanishes(wall.xreplace(after) + wall / 3))
        for rod in rods:
            rate = rates.total(rod.g, q, v)
            self.assertTrue(vanishing.vanishes(rate.xreplace(after) - rate))


class Rubbing(unittest.TestCase):
    def incline(self, **more):
        return particle(lambda x, y: [unilateral("N", -y.q, closed="contact", opened="flight")], **more)

    def test_three_states_of_a_block_on_a_belt(self):
        p, (m, k, N, mu_s, mu_k, vb) = mechanisms.parameters("m k N mu_s mu_k vb")
        x = mechanisms.coordinate("x")
        model = mechanisms.model("block", p, [x], m * x.v ** 2 / 2, k * x.q ** 2 / 2,
                                 frictions=[friction("F", x.q - vb * TIME, N, (mu_s, mu_k))])
        made = by_name(modes.of(model))
        self.assertEqual(list(made), ["sticking", "backwards", "forwards"])
        held = modes.prepared(model).parameters[-1]
        self.assertEqual(held.name, "held_F")
        self.assertEqual(event_of(made["backwards"], "sticking").then, ((held.symbol, x.q - vb * TIME),))
        self.assertEqual(event_of(made["sticking"], "backwards").value, sympy.Symbol("F", real=True) - mu_s * N)
        self.assertTrue(vanishing.vanishes(made["backwards"].equations.f[0] - mu_k * N + k * x.q))
        self.assertTrue(vanishing.vanishes(made["forwards"].equations.f[0] + mu_k * N + k * x.q))

    def test_the_reaction_of_a_sliding_mode_is_the_normal_force(self):
        """On a curve, where friction changes the reaction by the curvature; and with a mass matrix that is not
        diagonal."""
        model, x, y, (e, mu_s, mu_k, a, b) = particle(
            lambda x, y: [unilateral("N", x.q ** 2 / 5 - y.q, closed="contact", opened="flight")])
        model.kinetic += Rational(1, 5) * x.v * y.v
        N = model.constraints[0].symbol
        model.frictions.append(friction("F", 2 * x.q + x.q ** 3, N, (mu_s, mu_k), begins="forwards"))
        model.start.update({x.v: 1})
        made = by_name(modes.of(model))
        for name, sign in (("contact_forwards", 1), ("contact_backwards", -1)):
            equations = made[name].equations
            plain = by_name(modes.of(dataclasses.replace(model, frictions=[])))["contact"].equations
            point = point_of(*equations.f, *equations.M, *equations.G, *equations.acceleration.subs(
                {symbol: 0 for symbol in equations.a}), mu_k)
            [reaction] = reactions(equations, point)
            slope = sympy.Matrix(rates.gradient(2 * x.q + x.q ** 3, model.q()))
            force = (equations.f - plain.f).subs(point)
            wanted = -sign * mu_k * reaction * slope
            for k in range(2):
                self.assertLess(abs(sympy.N(force[k] - wanted[k].subs(point), 30)), Rational(1, 10 ** 25))

    def test_two_frictions_of_two_reactions(self):
        """A block in a groove whose two walls rub, one of them along a slanted direction: both forces at once."""
        model, x, y, (e, mu_s, mu_k, a, b) = particle(
            lambda x, y: [unilateral("N", x.q / 3 - y.q, closed="low", opened="up")])
        z, u = mechanisms.coordinate("z"), mechanisms.coordinate("u")
        m = model.parameters[0].symbol
        model.coordinates += [z, u]
        model.kinetic += m * z.v ** 2 / 2 + m * z.v * x.v / 4 + m * u.v ** 2 + m * u.v * y.v / 3
        model.constraints.append(unilateral("W", z.q - x.q * y.q, closed="near", opened="far"))
        N, W = (c.symbol for c in model.constraints)
        model.frictions += [friction("F", x.q, N, (mu_s, mu_k), begins="forwards"),
                            friction("H", y.q + 2 * z.q + u.q, W, (mu_s, mu_k / 2), begins="backwards")]
        made = modes.of(model)
        slides, names = made[0], [mode.name for mode in made]
        self.assertEqual(len(set(names)), len(names))
        equations = slides.equations
        plain = modes.of(dataclasses.replace(model, frictions=[]))[0].equations
        still = {symbol: 0 for symbol in equations.a}
        point = point_of(*equations.f, *equations.M, *equations.G, *equations.acceleration.subs(still), mu_k)
        n, w = reactions(equations, point)
        along = [sympy.Matrix(rates.gradient(f.along, model.q())) for f in model.frictions]
        wanted = (-mu_k * n * along[0] + mu_k / 2 * w * along[1]).subs(point)
        got = (equations.f - plain.f).subs(point)
        for k in range(4):
            self.assertLess(abs(sympy.N(got[k] - wanted[k], 30)), Rational(1, 10 ** 25))
        self.assertTrue(slides.events[0].name.startswith("jams_") and slides.events[0].stop)

    def test_events_of_a_mode_have_names_of_their_own(self):
        """Two impacts of the ladder on the wall lead to one mode, and accumulate in two."""
        text = pathlib.Path(__file__).resolve().parents[1] / "models" / "rubbing_ladder.yaml"
        for mode in modes.of(reader.read(str(text))):
            names = [e.name for e in mode.events]
            self.assertEqual(sorted(set(names)), sorted(names), mode.name)

    def test_without_contact_there_is_no_friction(self):
        model, x, y, (e, mu_s, mu_k, a, b) = self.incline()
        model.frictions.append(friction("F", x.q, model.constraints[0].symbol, (mu_s, mu_k)))
        made = by_name(modes.of(model))
        self.assertEqual(sorted(made), ["contact_backwards", "contact_forwards", "contact_sticking", "flight"])
        self.assertEqual(made["flight"].equations.f[0], 0)
        landings = [e for e in made["flight"].events if e.mode]
        self.assertEqual([(e.mode, e.only) for e in landings],
                         [("contact_forwards", ((x.v, 1),)), ("contact_backwards", ((x.v, -1),))])

    def test_an_impact_decides_which_way_a_block_slides(self):
        model, x, y, (e, mu_s, mu_k, a, b) = self.incline(impacts=[])
        model.frictions.append(friction("F", x.q, model.constraints[0].symbol, (mu_s, mu_k), begins="forwards"))
        model.impacts.append(Impact("wall", x.q - 3, e, "x = 3", 1))
        model.start.update({x.v: 1})
        hits = [h for h in by_name(modes.of(model))["contact_forwards"].events if h.name.startswith("wall")]
        self.assertEqual([(h.mode, h.only) for h in hits], [("contact_backwards", ())])
        model.frictions[0] = dataclasses.replace(model.frictions[0], along=x.q - b * TIME)
        hits = [h for h in by_name(modes.of(model))["contact_forwards"].events if h.name.startswith("wall")]
        self.assertEqual([h.mode for h in hits], [None, "contact_backwards"])
        self.assertEqual([(sympy.expand(expr), sign) for h in hits for expr, sign in h.only],
                         [(-e * x.v - b, 1), (-e * x.v - b, -1)])

    def test_a_wall_that_holds_leaves_nothing_for_friction(self):
        model, x, y, (e, mu_s, mu_k, a, b) = particle(
            lambda x, y: [unilateral("N", -y.q, closed="floor", opened="flight"),
                          unilateral("W", x.q - 3, closed="wall", opened="free", begins_open=True)])
        model.frictions.append(friction("F", x.q, model.constraints[0].symbol, (mu_s, mu_k), begins="forwards"))
        model.start.update({x.v: 1})
        made = by_name(modes.of(model))
        self.assertEqual(event_of(made["floor_free_forwards"], "wall").mode, "floor_wall")
        leaves = event_of(made["floor_wall"], "free")
        self.assertEqual(leaves.mode, "floor_free_sticking")
        self.assertEqual([symbol.name for symbol, _ in leaves.then], ["y", "x", "y'", "x'", "held_F"])

    def test_a_belt_that_carries_into_a_wall_slides_on_under_the_block(self):
        p, (m, N, mu_s, mu_k, vb) = mechanisms.parameters("m N mu_s mu_k vb")
        x = mechanisms.coordinate("x")
        model = mechanisms.model("belt", p, [x], m * x.v ** 2 / 2, 0,
                                 [unilateral("W", x.q - 1, closed="wall", opened="free", begins_open=True)],
                                 frictions=[friction("F", x.q - vb * TIME, N, (mu_s, mu_k))], start={x.v: vb})
        made = by_name(modes.of(model))
        hits = [e for e in made["free_sticking"].events if e.value == x.q - 1]
        self.assertEqual([(e.mode, e.only) for e in hits], [("wall_backwards", ())])
        self.assertEqual(event_of(made["wall_backwards"], "forwards").mode, "wall_forwards")

    def test_frictions_that_hold_the_same_are_refused(self):
        model, x, y, (e, mu_s, mu_k, a, b) = self.incline()
        model.frictions += [friction("F", x.q, b, (mu_s, mu_k)), friction("H", 2 * x.q, b, (mu_s, mu_k))]
        with self.assertRaises(Fault) as caught:
            modes.of(model)
        self.assertEqual(caught.exception.line, 7)
        self.assertIn("frictions F, H", caught.exception.sentence)

    def test_a_reaction_of_either_sign_that_friction_changes_is_refused(self):
        model, x, y, (e, mu_s, mu_k, a, b) = particle(lambda x, y: [mechanisms.constraint("N", x.q ** 2 - y.q)])
        model.frictions.append(friction("F", x.q, model.constraints[0].symbol, (mu_s, mu_k), begins="forwards"))
        model.start.update({x.v: 1})
        with self.assertRaises(Fault) as caught:
            modes.of(model)
        self.assertIn("N >= 0", caught.exception.sentence)

    def test_a_reaction_of_either_sign_that_friction_leaves_alone_counts_by_its_size(self):
        model, x, y, (e, mu_s, mu_k, a, b) = particle(lambda x, y: [mechanisms.constraint("N", -y.q)])
        model.frictions.append(friction("F", x.q, model.constraints[0].symbol, (mu_s, mu_k), begins="forwards"))
        model.start.update({x.v: 1})
        m, g = (p.symbol for p in model.parameters[:2])
        self.assertTrue(vanishing.vanishes(modes.of(model)[0].equations.f[0] + mu_k * sympy.Abs(m * g)))


class OfTheText(unittest.TestCase):
    def test_an_event_is_heard_where_its_reaction_is(self):
        model, x, y, (e, *_) = particle(lambda x, y: [unilateral("N", -y.q)])
        N = model.constraints[0].symbol
        model.events += [event("strong", N - 5), event("left", x.q), event("high", y.q - 1, during=["without_N"])]
        made = by_name(modes.of(model))
        self.assertEqual([e.name for e in made["with_N"].events], ["without_N", "strong", "left"])
        self.assertEqual([e.name for e in made["without_N"].events], ["with_N", "left", "high"])

    def test_friction_in_an_event_is_the_force_of_sliding(self):
        model, x, y, (e, mu_s, mu_k, a, b) = particle()
        model.frictions.append(friction("F", x.q, b, (mu_s, mu_k), begins="backwards"))
        model.start.update({x.v: -1})
        F = model.frictions[0].symbol
        model.events.append(event("strong", F - 5))
        self.assertEqual(event_of(by_name(modes.of(model))["backwards"], "strong").value, mu_k * b - 5)

    def test_a_jump_of_the_text_frees_what_it_moves(self):
        """A kick upwards on the floor, and one along it while friction holds."""
        model, x, y, (e, mu_s, mu_k, a, b) = particle(
            lambda x, y: [unilateral("N", -y.q, closed="floor", opened="flight")])
        model.frictions.append(friction("F", x.q, model.constraints[0].symbol, (mu_s, mu_k)))
        more = model.parameters[2].symbol
        model.events.append(event("along", TIME - 1, 1, then=[(x.v, x.v + more)]))
        model.events.append(event("up", TIME - 2, 1, then=[(y.v, more)]))
        made = by_name(modes.of(model))
        self.assertEqual([(e.name, e.mode, e.passage) for e in made["floor_sticking"].events[-2:]],
                         [("along", "floor_forwards", "along"), ("up", "flight", "up")])
        self.assertEqual([(e.name, e.mode, e.passage) for e in made["floor_forwards"].events[-2:]],
                         [("along", None, "along"), ("up", "flight", "up")])
        model.events.append(event("either", TIME - 1, 1, then=[(x.v, x.v + a)]))
        made = by_name(modes.of(model))
        for name in ("floor_sticking", "floor_forwards"):
            either = event_of(made[name], "either")
            self.assertEqual((either.mode, either.then, either.stop), (None, (), True))
            self.assertIn("what F holds", either.title)
        self.assertTrue(event_of(made["floor_backwards"], "along").stop)
        self.assertFalse(event_of(made["flight"], "either").stop)


    def test_a_jump_of_a_length_breaks_a_link(self):
        """A string that is longer from one moment to the next is slack; one that is as long is not."""
        for longer, mode in ((1, "without_S"), (0, None)):
            model, x, y, (e, mu_s, mu_k, a, b) = particle(lambda x, y: [])
            length, more = model.parameters[0].symbol, model.parameters[1].symbol
            model.constraints.append(unilateral("S", sympy.sqrt(x.q ** 2 + y.q ** 2) - length))
            model.start.update({x.q: length})
            model.events.append(event("breaks", TIME - 1, 1, then=[(length, length + longer * more)]))
            self.assertEqual(event_of(by_name(modes.of(model))["with_S"], "breaks").mode, mode)

    def test_an_impact_moves_what_friction_holds(self):
        """Friction gives no impulse: a mass at rest that another strikes goes on with its share of the momentum."""
        model, x, y, (e, mu_s, mu_k, a, b) = particle()
        model.frictions.append(friction("F", y.q, sympy.Integer(1), (mu_s, mu_k)))
        model.impacts.append(Impact("hit", x.q - y.q, e, "x = y", 5))
        [hit] = [e for e in by_name(modes.of(model))["sticking"].events
                 if e.mode == "forwards" and e.value == x.q - y.q]
        after = dict(hit.then)
        gain = after[x.v] + after[y.v] - x.v - y.v
        self.assertIn(y.v, after)
        self.assertTrue(vanishing.vanishes(gain))


class TheStart(unittest.TestCase):
    def test_a_start_beyond_a_wall_is_told(self):
        model, x, y, (e, mu_s, mu_k, a, b) = particle(
            lambda x, y: [unilateral("N", -y.q, begins_open=True, restitution=Rational(1, 2))])
        model.start.update({y.q: b})
        beyond = modes.of(model)[0].events[0]
        self.assertEqual((beyond.name, beyond.mode, beyond.stop), ("beyond", "without_N", True))
        self.assertEqual((beyond.value, beyond.direction), (-b, 1))

    def test_rounding_is_not_beyond_a_wall(self):
        model, x, y, (e, mu_s, mu_k, a, b) = particle(lambda x, y: [unilateral("N", a - y.q, begins_open=True)
                                                                    for a in [sympy.Symbol("a", real=True)]])
        model.start.update({y.q: b})
        beyond = modes.of(model)[0].events[0].value
        self.assertLess(beyond.subs({a: 3, b: 3 - Rational(1, 10 ** 12)}), 0)
        self.assertGreater(beyond.subs({a: 3, b: 3 - Rational(1, 10 ** 6)}), 0)

    def test_ranges_of_parameters_can_rule_it_out(self):
        model, x, y, numbers = particle(lambda x, y: [unilateral("N", -y.q, begins_open=True)])
        model.start.update({y.q: numbers[0]})
        self.assertFalse([e for e in modes.of(model)[0].events if e.name.startswith("beyond")])

    def test_a_start_that_slides_the_other_way_is_told(self):
        model, x, y, (e, mu_s, mu_k, a, b) = particle()
        model.frictions.append(friction("F", x.q, mu_s, (mu_s, mu_k), begins="forwards"))
        model.start.update({x.v: b})
        first = modes.of(model)[0]
        turned = event_of(first, "begins_backwards")
        self.assertEqual((turned.value, turned.direction, turned.mode), (b, -1, "backwards"))


class Elimination(unittest.TestCase):
    def test_solve(self):
        a, b, c = sympy.symbols("a b c", positive=True)
        matrix = sympy.Matrix([[a + 2, b, 0], [b, c + 3, 1], [0, 1, 4]])
        right = sympy.Matrix([[1, a], [b, 0], [0, c]])
        off = matrix * elimination.solve(matrix, right) - right
        self.assertTrue(all(vanishing.vanishes(sympy.together(entry)) for entry in off))

    def test_short_keeps_the_value(self):
        x, y = sympy.symbols("x y", real=True)
        expr = x - x * (x + y) / (x ** 2 + x * y)
        self.assertEqual(elimination.short(expr), x - 1)

    def test_dependence_of_rates(self):
        x, u, w = sympy.symbols("x u w", real=True)
        self.assertFalse(independence.independent([u + w, 2 * u + 2 * w + 1], [u, w]))
        self.assertTrue(independence.independent([u + w, u + x * w], [u, w]))
        self.assertTrue(independence.determined(cos(x) * (u + w) + x, [u + w], [u, w]))
        self.assertTrue(independence.at_rest(cos(x) * (u + w), [2 * u + 2 * w], [u, w]))
        self.assertFalse(independence.at_rest(u + w + TIME, [u + w], [u, w]))


class Sameness(unittest.TestCase):
    def test_the_same_text_gives_the_same_modes(self):
        def made():
            model, x, y, (e, mu_s, mu_k, a, b) = particle(lambda x, y: [unilateral("N", cos(x.q) - y.q)])
            model.frictions.append(friction("F", x.q, model.constraints[0].symbol, (mu_s, mu_k)))
            return [(m.name, m.title, m.equations.f, m.events) for m in modes.of(model)]
        self.assertEqual(repr(made()), repr(made()))


if __name__ == "__main__":
    unittest.main()
