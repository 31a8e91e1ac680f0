"""Units: products and powers, prefixes, words that are not known, and what a product is called."""

import unittest
from fractions import Fraction

from derive.words import units
from derive.words.units import name, read


class Equal(unittest.TestCase):
    def test_the_same(self):
        for left, right in (
                ("N", "kg.m/s^2"), ("J", "N*m"), ("W", "J/s"), ("Pa", "N/m^2"), ("rad", "-"), ("1", "m/m"),
                ("Hz", "s^-1"), ("kg.m^2/s^2/m", "N"), ("N/(m/s)", "N.s/m"), ("t.mm/s^2", "N"), ("h/min", "min/s"),
                ("l", "dm^3"), ("MPa", "N/mm^2"), ("m^(1/2).m^(1/2)", "m"), ("\u00b5m", "um"), ("g", "kg/(t/kg)"),
                ("V.A", "W"), ("widget^2/widget", "widget"), ("ohm.A", "V"), ("F.V", "C"), ("H.A", "Wb"),
                ("T.m^2", "Wb")):
            with self.subTest(left):
                self.assertEqual(read(left), read(right))

    def test_different(self):
        for left, right in (("mm", "m"), ("deg", "rad"), ("g", "kg"), ("widget", "m"), ("min", "s"), ("mN", "m.N"),
                            ("Wh", "J"), ("%", "1"), ("t", "T"), ("kgg", "kg")):
            with self.subTest(left):
                self.assertNotEqual(read(left), read(right))

    def test_factors(self):
        """Against numbers of the standards: 1 deg = pi/180, 1 in = 25.4 mm, 1 lbf = 4.4482216152605 N."""
        for text, base, number in (("deg", "rad", 0.017453292519943295), ("in", "mm", 25.4),
                ("lbf", "N", 4.4482216152605), ("ft", "in", 12), ("rpm", "Hz", 0.10471975511965977),
                ("kp", "N", 9.80665), ("atm", "Pa", 101325), ("km/h", "m/s", 1 / 3.6), ("d", "s", 86400),
                ("bar", "kPa", 100), ("t", "kg", 1000), ("lb", "kg", 0.45359237), ("l", "m^3", 1e-3),
                ("um", "m", 1e-6)):
            with self.subTest(text):
                ratio = read(text) / read(base)
                self.assertEqual(ratio.dimension(), units.ONE)
                self.assertAlmostEqual(value(ratio) / number, 1, 14)


def value(ratio):
    product = 1.0
    for base, power in ratio.powers:
        product *= (3.141592653589793 if base == "pi" else float(base)) ** float(power)
    return product


class Names(unittest.TestCase):
    def test_of_products(self):
        for text in ("N", "J", "W", "Pa", "N/m", "kg.m/s", "kg.m^2/s", "m/s", "1/s", "m^2", "widget/s", "kg.m^2", "-",
                     "m^(1/2)", "s^3.A", "deg", "kN/m", "mm^2", "g.m^3", "1/s^3"):
            with self.subTest(text):
                self.assertEqual(name(read(text)), text)

    def test_are_read_again(self):
        for text in ("km/h", "deg/s", "lbf.ft", "h^2", "kN.mm^3", "g/cm^3", "bar.l", "rpm"):
            with self.subTest(text):
                self.assertNotIn(" ", name(read(text)))

    def test_torques(self):
        self.assertEqual(name(read("J"), torque=True), "N.m")
        self.assertEqual(name(read("mJ"), torque=True), "N.mm")
        self.assertEqual(name(read("N"), torque=True), "N")


class Refused(unittest.TestCase):
    def test_sentences(self):
        for text, part in (("N m", "join units by"), ("", "missing"), ("m//s", "no unit"), ("m^", "join units"),
                ("m)", "'\\)'"), ("(m", "'\\(' without"), ("m^100", "at most 99"), ("10m", "no unit"),
                ("m^(1/0)", "power"), ("m" * 101, "at most 100"), ("m^-", "join units"), ("*m", "no unit"),
                ("(" * 99, "no unit")):
            with self.subTest(text), self.assertRaisesRegex(ValueError, part):
                read(text)

    def test_powers_are_rational(self):
        self.assertEqual(read("m^2") ** Fraction(1, 3), read("m^(2/3)"))


if __name__ == "__main__":
    unittest.main()
