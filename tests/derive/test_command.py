"""The command line of derive: what it answers, what it leaves behind, and which Python it takes."""

import contextlib
import io
import os
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

from derive import command, interpreter, limit, whole_file
from derive.base.fault import Fault
from derive.mechanics import inertia

ROOT = Path(__file__).resolve().parents[2]


class InFolder(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)
        self.text = self.folder / "swing.yaml"
        self.text.write_text("model: swing\n")
        self.out = self.folder / "swing.c"


class Ends(InFolder):
    """What would take too long is refused, with what is long in it."""

    def test_a_limit_of_time(self):
        text = (ROOT / "examples" / "double_pendulum.yaml").read_text()
        self.text.write_text(text)

        def endless(model):
            while True:
                try:
                    sum(range(1000))
                except Exception:       # as SymPy does, which goes on without what failed
                    pass
        with mock.patch.object(limit, "SECONDS", 4), mock.patch.object(inertia, "examine", endless), \
                contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(command.main([str(self.text)]), 2)
        self.assertRegex(said.getvalue(), r"^.*swing.yaml, line \d+: not derived within 4 s of CPU time: the longest "
                                          r"of its expressions is the constraint T2, of \d+ parts")

    def test_the_limit_is_gone_afterwards(self):
        with limit.Limit(0.05):
            pass
        end = time.process_time() + 0.1
        while time.process_time() < end:
            pass


class Status(InFolder):
    """main, with a derivation that does what is wanted."""

    def answer(self, *arguments, derivation=lambda *of: "the C\n"):
        with mock.patch.object(command, "derived", derivation), \
                contextlib.redirect_stderr(io.StringIO()) as said:
            try:
                status = command.main([str(a) for a in arguments])
            except SystemExit as end:
                status = end.code
        return status, said.getvalue()

    def test_writes_a_file(self):
        self.assertEqual(self.answer(self.text, "--output", self.out), (0, ""))
        self.assertEqual(self.out.read_text(), "the C\n")
        self.assertEqual(sorted(os.listdir(self.folder)), ["swing.c", "swing.yaml"])

    def test_passes_what_was_asked_for(self):
        asked = []
        self.answer(self.text, "--latex", "--minimal", "--output", self.out,
                    derivation=lambda *of: asked.append(of) or "")
        self.answer(self.text, "--output", self.out, derivation=lambda *of: asked.append(of) or "")
        self.assertEqual(asked, [(str(self.text), True, True), (str(self.text), None, None)])

    def test_a_fault_has_its_line(self):
        def faulty(*of):
            raise Fault(3, "x is no name")
        status, said = self.answer(self.text, "--output", self.out, derivation=faulty)
        self.assertEqual((status, said), (2, f"{self.text}, line 3: x is no name\n"))
        self.assertFalse(self.out.exists())

    def test_a_mistake_of_its_own_is_a_sentence(self):
        def broken(*of):
            raise KeyError("x")
        status, said = self.answer(self.text, derivation=broken)
        self.assertEqual(status, 3)
        self.assertRegex(said, r"a mistake of derive, not of the model; .*KeyError: 'x' \(test_command.py:\d+\)\n$")
        self.assertEqual(said.count("\n"), 1)

    def test_what_the_system_refuses(self):
        def absent(path, *of):
            with open(path) as file:
                return file.read()
        status, said = self.answer(self.folder / "none.yaml", derivation=absent)
        self.assertEqual((status, said), (3, f"derive: {self.folder}/none.yaml: No such file or directory\n"))
        for out in (self.folder, self.folder / "none" / "swing.c"):
            status, said = self.answer(self.text, "--output", out)
            self.assertEqual(status, 3)
            self.assertTrue(said.startswith(f"derive: {out}: "), said)
        self.assertEqual(os.listdir(self.folder), ["swing.yaml"])

    def test_the_model_is_not_overwritten(self):
        link = self.folder / "link.c"
        link.symlink_to(self.text)
        for out in (self.text, link):
            status, said = self.answer(self.text, "--output", out)
            self.assertEqual((status, said), (2, f"derive: --output {out} is the model itself\n"))
        self.assertEqual(self.text.read_text(), "model: swing\n")

    def test_mistakes_of_usage(self):
        for arguments in ([], ["a", "b"], ["a", "--lat"], ["a", "--latex", "--latex"], ["a", "--output"],
                          ["a", "--output", "b", "--output", "c"], ["a", "--nothing"]):
            status, said = self.answer(*arguments)
            self.assertEqual(status, 2, arguments)
            self.assertIn("derive: error: ", said)


class WholeFile(InFolder):
    def test_mode_is_that_of_a_new_file(self):
        before = os.umask(0o027)
        self.addCleanup(os.umask, before)
        whole_file.write("1", str(self.out))
        self.assertEqual(stat.S_IMODE(self.out.stat().st_mode), 0o640)

    def test_a_link_stays_one(self):
        link = self.folder / "link.c"
        link.symlink_to("swing.c")
        whole_file.write("1", str(link))
        self.assertTrue(link.is_symlink())
        self.assertEqual(self.out.read_text(), "1")

    def test_what_fails_leaves_the_old_one(self):
        self.out.write_text("old")
        with mock.patch.object(os, "replace", side_effect=OSError(28, "full")), self.assertRaises(OSError):
            whole_file.write("new", str(self.out))
        self.assertEqual(self.out.read_text(), "old")
        self.assertEqual(sorted(os.listdir(self.folder)), ["swing.c", "swing.yaml"])


class Program(InFolder):
    """scripts/derive, as it is called."""

    def run_it(self, *arguments, **variables):
        environment = {k: v for k, v in os.environ.items()
                       if not k.startswith("DAELAB_PYTHON") and k != "PYTHONDONTWRITEBYTECODE"}
        return subprocess.run([ROOT / "scripts" / "derive", *arguments], cwd=self.folder, text=True,
                              capture_output=True, env={**environment, **variables}, check=False)

    def without_sympy(self):
        module = self.folder / "sympy.py"
        module.write_text("raise ImportError('none here')\n")
        return os.pathsep.join([str(self.folder), *filter(None, [os.environ.get("PYTHONPATH")])])

    def test_help(self):
        done = self.run_it("--help", DAELAB_PYTHON=sys.executable)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for option in ("--output FILE", "--latex", "--minimal"):
            self.assertIn(option, done.stdout)

    def test_packages_are_named(self):
        done = self.run_it("swing.yaml", DAELAB_PYTHON=sys.executable, PYTHONPATH=self.without_sympy())
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertIn(f"{sys.executable} has no sympy, ", done.stderr)
        self.assertIn("apt-get install python3-sympy,", done.stderr)

    def test_a_python_that_is_not_there(self):
        done = self.run_it("swing.yaml", DAELAB_PYTHON="/nowhere/python")
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertIn("there is no /nowhere/python", done.stderr)

    def test_a_module_beside_the_model_is_left_alone(self):
        (self.folder / "fault.py").write_text("raise SystemExit(77)\n")
        done = self.run_it("--help", DAELAB_PYTHON=sys.executable)
        self.assertEqual(done.returncode, 0)

    def test_nothing_is_written_into_the_tree(self):
        self.run_it("swing.yaml", DAELAB_PYTHON=sys.executable)
        self.assertEqual(list(ROOT.glob("derive/**/__pycache__")), [])


class Interpreter(unittest.TestCase):
    def begin(self, executable, **variables):
        """What takes the place of this process, if anything: program, arguments and the variable that says so."""
        begun = []
        clean = {k: v for k, v in os.environ.items() if not k.startswith("DAELAB_PYTHON")}
        with mock.patch.object(os, "execv", lambda *of: begun.append((*of, os.environ[interpreter.BEGUN_AGAIN]))), \
                mock.patch.object(os, "access", lambda *of: True), \
                mock.patch.object(sys, "executable", executable), \
                mock.patch.dict(os.environ, {**clean, **variables}, clear=True):
            interpreter.begin_again("/there/derive", ["a.yaml", "--latex"])
        return begun

    def test_the_distributions_python_is_tried_once(self):
        (program, arguments, again), = self.begin("/home/me/.pyenv/bin/python3")
        self.assertEqual((program, arguments),
                         (interpreter.SYSTEM, [interpreter.SYSTEM, "-B", "/there/derive", "a.yaml", "--latex"]))
        self.assertEqual(self.begin("/home/me/bin/python3", **{interpreter.BEGUN_AGAIN: again}), [])
        self.assertEqual(self.begin(interpreter.SYSTEM), [])

    def test_a_python_that_was_named_is_kept(self):
        self.assertEqual(self.begin("/home/me/bin/python3", DAELAB_PYTHON="/home/me/bin/python3"), [])

    def test_what_does_not_suit(self):
        with mock.patch.object(sys, "version_info", (3, 8, 18)):
            self.assertFalse(interpreter.suits())
            self.assertIn("needs Python 3.9 or later, and ", interpreter.why_not())
        with mock.patch.object(interpreter, "loads", lambda module: module != "yaml"):
            self.assertFalse(interpreter.suits())
            self.assertIn(" has no yaml, ", interpreter.why_not())
        self.assertTrue(interpreter.suits())


if __name__ == "__main__":
    unittest.main()
