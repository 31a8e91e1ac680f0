"""Every text of tests/faulty has one mistake, and is answered by the sentence and the line of its first line.

Whatever is done to a good text, what comes out is a Model or a Fault.
"""

import random
import re
import unittest
from pathlib import Path

from derive.words import reader
from derive.mechanics import first_reactions, inertia
from derive.switching import modes
from derive.base.fault import Fault
from derive.base.model import Model

ROOT = Path(__file__).resolve().parents[2]
WANTED = re.compile(r"# line (\d+): (.+)")
MUTATIONS = 500
PIECES = ("^", "^99", "1e300", "**", "1/0", "(((", "abs(", "max(", "sqrt(", "log(", "''", "t", "pi", "exp(1000)",
"\t", ": ", "- ", "#", "{", "]", "'", '"', "&a", "*", "!", "\0", "\u00e9", ">=", "=", ",", "0", "\n", "\n\n  ", "x",
"m")


def answer(read, *of):
    """What read makes of it, with a mass matrix that is looked at."""
    try:
        model = read(*of)
        inertia.examine(model)
        return model
    except Fault as fault:
        return fault


def with_reactions(path):
    """The model of a file, whose reactions at the start are looked at."""
    model = reader.read(path)
    inertia.examine(model)
    model = modes.prepared(model)
    first_reactions.examine(model, modes.of(model)[0])
    return model


class Faulty(unittest.TestCase):
    def test_each_is_told_with_its_line(self):
        texts = sorted((ROOT / "tests" / "faulty").glob("*.yaml"))
        self.assertGreaterEqual(len(texts), 80)
        for path in texts:
            with self.subTest(path.name):
                line, sentence = WANTED.match(path.read_text(encoding="utf-8")).groups()
                fault = answer(with_reactions, path)
                self.assertIsInstance(fault, Fault)
                self.assertIn(sentence, fault.sentence)
                self.assertEqual(fault.line, int(line))


class Mutated(unittest.TestCase):
    def test_a_model_or_a_fault(self):
        texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "examples").glob("*.yaml"))]
        drawn = random.Random(1687)
        models = 0
        for k in range(MUTATIONS):
            text = mutated(drawn.choice(texts), texts, drawn)
            with self.subTest(number=k):
                result = answer(reader.read_text, text)
                models += isinstance(result, Model)
                if isinstance(result, Fault):
                    self.assertTrue(1 <= result.line <= text.count("\n") + 1, (result.line, result.sentence))
                    self.assertTrue(result.sentence.isprintable(), result.sentence)
        self.assertGreater(models, 10)
        self.assertLess(models, MUTATIONS // 2)

    def test_every_beginning(self):
        text = (ROOT / "examples" / "string.yaml").read_text(encoding="utf-8")
        for end in range(0, len(text), 7):
            with self.subTest(end=end):
                self.assertIsInstance(answer(reader.read_text, text[:end]), (Model, Fault))


def mutated(text, texts, drawn):
    for _ in range(drawn.choice((1, 1, 2, 4))):
        at, kind, rows = drawn.randrange(len(text) + 1), drawn.randrange(5), text.split("\n")
        if kind == 0:
            text = text[:at] + text[at + drawn.randrange(1, 5):]
        elif kind == 1:
            text = text[:at] + drawn.choice(PIECES) + text[at:]
        elif kind == 2:
            del rows[drawn.randrange(len(rows))]
            text = "\n".join(rows)
        elif kind == 3:
            first, second = drawn.randrange(len(rows)), drawn.randrange(len(rows))
            rows[first], rows[second] = rows[second], rows[first]
            text = "\n".join(rows)
        else:
            other = drawn.choice(texts)
            begin = drawn.randrange(len(other))
            text = text[:at] + other[begin:begin + drawn.randrange(1, 20)] + text[at:]
    return text


if __name__ == "__main__":
    unittest.main()
