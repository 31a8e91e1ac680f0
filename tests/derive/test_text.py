"""Texts in YAML: values with their lines, and sentences for what YAML would take in another way."""

import unittest

from derive.words import text
from derive.base.fault import Fault


class Trees(unittest.TestCase):
    def test_scalars_are_what_they_look_like(self):
        tree = text.parsed("a: 1e-6\non: yes\ny: ~\nn: 010\nd: 2001-01-01\ne: [1, no]\n'null': null\n")
        self.assertEqual([v.value for key, v in tree.values.items() if key != "e"], ["1e-6", "yes", "~", "010",
        "2001-01-01", "null"])
        self.assertEqual(list(tree.values), ["a", "on", "y", "n", "d", "e", "null"])
        self.assertEqual([item.value for item in tree.values["e"].items], ["1", "no"])

    def test_lines(self):
        tree = text.parsed("# first\na: 1\nb:\n  c: [2,\n    3]\n  d: {e: 4,\n      f: 5}\n")
        inner = tree.values["b"].values
        found = (tree.keys["a"], tree.keys["b"], inner["c"].items[1], inner["d"].values["f"])
        self.assertEqual([node.line for node in found], [2, 3, 5, 7])

    def test_lines_within_a_value(self):
        """The line of the word 'here' in each way to write several lines."""
        for source in ("a: one\n  two\n  here\n", "a: 'one\n\n  here'\n",
                'a: "one\n\n  here"\n', "a: |\n  one\n  here\n", "a: >\n  one\n  here\n",
                "a: {b: one\n  two\n  here }\n"):
            with self.subTest(source):
                value = text.parsed(source).values["a"]
                value = value.values["b"] if isinstance(value, text.Mapping) else value
                self.assertEqual(value.line_at(value.source.index("here")), 3)
                self.assertEqual(value.value.split()[-1], "here")

    def test_escapes(self):
        value = text.parsed("a: 'x'' + 1'\nb: \"x\\n\\ty\"\n").values
        self.assertEqual((value["a"].value, value["a"].line_at(2)), ("x' + 1", 1))
        self.assertEqual(value["b"].value.split(), ["x", "y"])


class Refused(unittest.TestCase):
    def test_sentences(self):
        for source, line, part in (
                ("", 1, "empty"), ("# nothing\n", 1, "empty"), ("- a\n", 1, "mapping"), ("word\n", 1, "mapping"),
                ("a: 1\na: 2\n", 2, "second time"), ("a: 1\n\tb: 2\n", 2, "tab"), ("a: *b\n", 1, "alias"),
                ("a: &b 1\n", 1, "anchor"), ("a: !!python/none 1\n", 1, "tag"),
                ("a: 1\n---\nb: 2\n", 2, "second document"), ("a: {b: 1\nc: 2\n", 2, "'}'"),
                ("a: [1, 2\n", 2, "']'"), ("a: b: 2\n", 1, "': ' stands within"),
                ("a: 1\nb:2\nc: 3\n", 2, "without ': '"),
                ("a: 'x'^2'\n", 1, "closing quotation"), ("a: - b\n", 1, "minus"), ("a: %b\n", 1, "%"),
                ("a: \"b\nc: 1\n", 1, "quotation"), ("<<: {a: 1}\n", 1, "merge"),
                ("? [a]\n: 1\n", 1, "key is a word"), ("a: \0\n", 1, "0x0"), ("a: 1\n   b: 2\n", 2, "indented"),
                ("a: " + "[" * 5000, 1, "deep"), ("\n".join(" " * k + "a:" for k in range(90)), 21, "deep"),
                ("b\nb\nb\na: 1\n", 3, "without ': '"), ("--- !x\na: 1\n", 1, "tag"), ("x" * 1000001, 1, "at most")):
            with self.subTest(source[:30]):
                with self.assertRaises(Fault) as caught:
                    text.parsed(source)
                self.assertIn(part, caught.exception.sentence)
                self.assertEqual(caught.exception.line, line)

    def test_bytes(self):
        with self.assertRaises(Fault) as caught:
            text.decoded(b"a: 1\nb: \xff\n")
        self.assertEqual((caught.exception.line, "0xff" in caught.exception.sentence), (2, True))
        self.assertEqual(text.decoded("\ufeffa: \u00e9".encode()), "a: \u00e9")


class Nearest(unittest.TestCase):
    def test_names(self):
        known = {"L": "length of the rope", "mass": "", "phi": "angle", "m": "mass of the bob"}
        for word, name in (("l", "L"), ("Lenght", "L"), ("phy", "phi"), ("MASS", "mass"), ("anlge", "phi"),
                ("zzz", None)):
            with self.subTest(word):
                self.assertEqual(text.nearest(word, known), name)


if __name__ == "__main__":
    unittest.main()
