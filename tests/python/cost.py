"""cost.py - what a solve costs in Python beside a program in C: the chain of 100 links, CPU time; best of rounds.

    DAELAB_BUILD=build PYTHONPATH=python python3 tests/python/cost.py [ROUNDS]

The program in C (cost.c) fills its rows after each step from the dense output. Both make the system and the solver,
start and free them. Not a test: times depend on the machine."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import daelab
import numpy as np
from daelab._library import problems_path

HERE = Path(__file__).resolve().parent
CASES = (("index1", "radau", 1e-6, 2), ("index1", "radau", 1e-6, 101), ("index2", "radau", 1e-4, 101),
         ("index1", "dop853", 1e-6, 101))
REPETITIONS = 3


def compiled(folder):
    library = daelab.library_path()
    program = str(Path(folder, "cost"))
    subprocess.run([os.environ.get("CC") or "cc", "-std=gnu11", "-O2", f"-I{HERE.parents[1] / 'include'}",
                    str(HERE / "cost.c"), "-o", program, str(library), f"-Wl,-rpath,{library.parent}", "-ldl"],
                   check=True)
    return program


def in_python(form, method, rtol, times):
    begin = time.process_time()
    for _ in range(REPETITIONS):
        daelab.solve("chain", form, method, t_eval=times, rtol=rtol, params={"N": 100})
    return (time.process_time() - begin) / REPETITIONS


def main(rounds=15):
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(folder)
        for form, method, rtol, count in CASES:
            times = np.linspace(0, daelab.problems.chain.t_end, count)
            child = subprocess.Popen([program, str(REPETITIONS), str(count), str(rtol), form, method,
                                      str(problems_path())], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            pairs = []
            for _ in range(rounds):
                child.stdin.write("\n")
                child.stdin.flush()
                pairs.append((float(child.stdout.readline()), in_python(form, method, rtol, times)))
            child.communicate()
            c, python = (min(column) for column in zip(*pairs))
            print(f"{form} {method} rtol {rtol:g} {count:4} rows: C {1e3 * c:8.3f} ms, Python {1e3 * python:8.3f} ms, "
                  f"ratio {python / c:.3f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
