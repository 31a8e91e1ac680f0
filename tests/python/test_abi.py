"""The types and functions that the module declares are those of the headers, by a C compiler and by their text."""

import ctypes
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from daelab import _abi
from daelab._library import lib

INCLUDE = Path(__file__).resolve().parents[2] / "include"
COMPILER = os.environ.get("CC") or "cc"
HEADERS = ("study", "doubt", "rows", "sensitivity", "binding", "check", "plugin", "problem", "method")
OPAQUE = ("dae_problem", "dae_event", "dae_method", "dae_solver")

ENUMS = {"DAE_OK": _abi.OK, "DAE_STOPPED": _abi.STOPPED, "DAE_EVENT": _abi.EVENT,
         "DAE_ACCUMULATION": _abi.ACCUMULATION, "DAE_BAD_ARGUMENT": _abi.BAD_ARGUMENT,
         "DAE_MAX_EVENTS": _abi.MAX_EVENTS,
         "DAE_ROW_INSIDE": _abi.ROW_INSIDE, "DAE_ROW_STEP": _abi.ROW_STEP, "DAE_ROW_AFTER": _abi.ROW_AFTER,
         "DAE_CALL_START": _abi.CALL_START, "DAE_CALL_INERTIA": _abi.CALL_INERTIA, "DAE_CALL_FORCE": _abi.CALL_FORCE,
         "DAE_CALL_CONSTRAINT": _abi.CALL_CONSTRAINT, "DAE_CALL_RATE": _abi.CALL_RATE,
         "DAE_CALL_ACCELERATION": _abi.CALL_ACCELERATION, "DAE_CALL_REACTION": _abi.CALL_REACTION,
         "DAE_CALL_ENERGY": _abi.CALL_ENERGY, "DAE_CALL_MASS": _abi.CALL_MASS, "DAE_CALL_RHS": _abi.CALL_RHS,
         "DAE_CLASSES": _abi.CLASSES, "DAE_SAYS_WRONG": _abi.SAYS_WRONG, "DAE_SAYINGS": _abi.SAYINGS,
         "DAE_SAYS_FAR": _abi.SAYS_FAR, "DAE_SAYS_APART": _abi.SAYS_APART,
         "DAE_PLUGIN_VERSION": _abi.PLUGIN_VERSION, "DAE_JACOBIAN_FD": 3, "DAE_JACOBIAN_DUAL": 2,
         "DAE_JACOBIAN_ANALYTIC": 1, "DAE_LINEAR_DENSE": 1, "DAE_LINEAR_KLU": 2,
         "DAE_LINEAR_BAND": 3, "DAE_TEST_DIFFERENTIAL": 1, "DAE_PROJECT_POSITION": 1, "DAE_PROJECT_VELOCITY": 2,
         "DAE_PROJECT_INVARIANT": 4, "DAE_COUNT": 3, "DAE_NONNEGATIVE": 2, "DAE_POSITIVE": 1}


def layout():
    """{name: number} of sizes, offsets and enumerators, as C has them."""
    lines = []
    for structure in _abi.STRUCTURES:
        name = structure.__name__
        lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
        for field, _ in structure._fields_:
            lines.append(f'printf("{name}.{field} %zu\\n", offsetof({name}, {field}));')
            lines.append(f'printf("{name}.{field}.size %zu\\n", sizeof((({name} *)0)->{field}));')
    lines += [f'printf("{name} %zu\\n", sizeof({name}));' for name in OPAQUE]
    lines += [f'printf("{name} %d\\n", (int){name});' for name in ENUMS]
    lines.append('printf("version %s\\n", DAELAB_VERSION);')
    includes = "".join(f"#include <daelab/{name}.h>\n" for name in HEADERS)
    text = f"#include <stddef.h>\n#include <stdio.h>\n{includes}int main(void)\n{{\n" + "\n".join(lines) + "\n}\n"
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder, "layout.c"), Path(folder, "layout")
        source.write_text(text, encoding="utf-8")
        subprocess.run([COMPILER, "-std=gnu11", "-w", f"-I{INCLUDE}", str(source), "-o", str(program)], check=True)
        out = subprocess.run([str(program)], check=True, stdout=subprocess.PIPE, text=True).stdout
    return dict(line.split() for line in out.splitlines())


def declarations():
    """{name: (result, [arguments])} of the functions of all headers, as words."""
    found = {}
    for header in sorted((INCLUDE / "daelab").glob("*.h")):
        text = re.sub(r"/\*.*?\*/", " ", header.read_text(encoding="utf-8"), flags=re.S)
        for result, name, arguments in re.findall(r"([\w\s*]+?[\s*])(dae_\w+)\(([^()]*)\)\s*(?:;|__attribute__)", text):
            words = [" ".join(a.split()) for a in arguments.split(",")]
            found[name] = (" ".join(result.split()), [] if words == ["void"] else words)
    return found


def kind_of_words(words, is_result=False):
    """void, pointer, int, unsigned, long, double, size or the name of a structure."""
    if "*" in words or "[" in words:
        return "pointer"
    base = words if is_result else words.rsplit(" ", 1)[0]
    base = base.replace("const ", "").split()[-1]
    return {"dae_status": "int", "dae_direction": "int", "dae_class": "int", "dae_saying": "int"}.get(base, base)


def kind_of_type(kind):
    if kind is None:
        return "void"
    if isinstance(kind, type) and issubclass(kind, ctypes.Structure):
        return kind.__name__
    simple = {ctypes.c_int: "int", ctypes.c_double: "double", ctypes.c_long: "long", ctypes.c_size_t: "size_t"}
    return simple.get(kind, "pointer")


class Abi(unittest.TestCase):
    @unittest.skipUnless(shutil.which(COMPILER.split()[0]), f"there is no compiler {COMPILER}")
    def test_layout(self):
        there = layout()
        for structure in _abi.STRUCTURES:
            name = structure.__name__
            self.assertEqual(int(there[name]), ctypes.sizeof(structure), name)
            self.assertEqual(lib.dae_size_of(name.encode()), ctypes.sizeof(structure), name)
            for field, _ in structure._fields_:
                place = getattr(structure, field)
                self.assertEqual(int(there[f"{name}.{field}"]), place.offset, f"{name}.{field}")
                self.assertEqual(int(there[f"{name}.{field}.size"]), place.size, f"{name}.{field}")
        for name in OPAQUE:
            self.assertEqual(int(there[name]), lib.dae_size_of(name.encode()), name)
        for name, value in ENUMS.items():
            self.assertEqual(int(there[name]), value, name)
        self.assertEqual(there["version"], _abi.VERSION)

    def test_functions(self):
        declared = declarations()
        self.assertGreater(len(declared), 80)
        for name, (result, arguments) in _abi.FUNCTIONS.items():
            self.assertIn(name, declared)
            words, given = declared[name]
            self.assertEqual(kind_of_words(words, True), kind_of_type(result), name)
            self.assertEqual([kind_of_words(w) for w in given], [kind_of_type(a) for a in arguments], name)

    def test_unknown_type(self):
        self.assertEqual(lib.dae_size_of(b"dae_nothing"), 0)
        self.assertEqual(lib.dae_size_of(None), 0)

    def test_version(self):
        self.assertEqual(lib.dae_version().decode(), _abi.VERSION)


if __name__ == "__main__":
    unittest.main()
