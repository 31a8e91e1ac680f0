"""accuracy.py SOURCE DAELAB - does scripts/accuracy tell loss from chance?

Two programs are made up whose `bench` writes errors by a formula of the method and the tolerance; `compare` is the
real one.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = '''#!{python}
import json, math, os, sys
WHICH, REAL = {which!r}, {real!r}
CHANGES = {{                      # new/old at rtol
    "same": lambda r: 1,
    "better": lambda r: 0.2,
    "lossy": lambda r: 1.3,       # a little everywhere
    "layer": lambda r: 4 if 3e-7 < r < 3e-6 else 1,
    "chance": lambda r: 20 if abs(math.log10(r) + 5) < 0.01 else 1,
    "fails": lambda r: 1,
    "stumbles": lambda r: 1,      # some fail before, others now
    "small": lambda r: 4 if 3e-7 < r < 3e-6 else 1,
}}

def option(name):
    return sys.argv[sys.argv.index(name) + 1]

def row(method, r):
    size = (1e-3 if method == "small" else 20) * r * 2
    error = size * (CHANGES[method](r) if WHICH == "new" else 1)
    decade = round(-math.log10(r))
    stumbles = (3, 5) if WHICH == "old" else (4, 5)
    fails = method == "fails" and WHICH == "new" or method == "stumbles" and decade in stumbles
    status = "failed" if fails else "ok"
    return ["disc", "ode", method, r, r, status, error, 2]

def bench():
    first, ratio, levels = float(option("--rtol")), float(option("--ratio")), int(option("--levels"))
    methods = CHANGES if option("--method") == "all" else [option("--method")]
    columns = ["problem", "form", "method", "rtol", "atol", "status", "error_position", "scale_position"]
    roles = ["setting"] * 3 + ["level"] * 2 + ["outcome", "accuracy", ""]
    rows = [row(m, first / ratio**k) for m in methods for k in range(levels)]
    with open(option("--output"), "w") as file:
        json.dump({{"schema": 1, "daelab": "0", "command": "bench", "interrupted": False, "title": "", "question": "",
                   "provenance": {{}}, "remarks": [],
                   "tables": {{"runs": {{"columns": columns, "units": [""] * len(columns), "roles": roles,
                                       "rows": rows}}}}}}, file)

if sys.argv[1] == "compare":
    os.execv(REAL, [REAL, *sys.argv[1:]])
elif sys.argv[1] == "list":
    print(json.dumps({{"problems": [{{"name": "disc"}}]}}))
else:
    bench()
'''


def made_up(folder, which, real):
    path = folder / which
    path.write_text(PROGRAM.format(python=sys.executable, which=which, real=real), encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def said(source, programs, *options):
    run = subprocess.run([sys.executable, f"{source}/scripts/accuracy", *programs, *options], capture_output=True,
                         text=True)
    assert not run.stderr, run.stderr
    return run.returncode, run.stdout


def losses(text):
    """The methods of the lines below a problem's."""
    return {line.split(":")[0].split()[-1] for line in text.splitlines() if line.startswith("    ")}


def main(source, real):
    with tempfile.TemporaryDirectory() as scratch:
        programs = [made_up(Path(scratch), which, real) for which in ("old", "new")]
        status, text = said(source, programs)
        assert status == 1 and losses(text) == {"lossy", "layer", "chance", "fails", "stumbles"}, text
        assert "3 times as large 2, a third 8" in text, text
        assert "disc lossy: 1.30 in the mean of 8 errors, 8 larger, 0 smaller" in text, text
        assert "disc ode chance: position 20 at rtol 1e-05" in text, text
        status, text = said(source, programs, "--neighbours")
        assert status == 1 and losses(text) == {"lossy", "layer", "fails"}, text
        assert "disc lossy: 1.30 in the mean of 57 errors, 57 larger, 0 smaller" in text, text
        status, text = said(source, programs, "disc/ode/chance", "--neighbours")
        assert status == 0 and not losses(text), text
        status, text = said(source, programs[::-1], "disc/ode/better")
        assert status == 1 and "disc better: 5.00 in the mean" in text, text


main(*sys.argv[1:])
