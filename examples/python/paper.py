"""Figures and a table for a paper: three problems, four formulations, six methods, eight tolerances.

    PYTHONPATH=python python3 examples/python/paper.py [FOLDER [FEWEST]]

Into FOLDER (default: paper) it writes work.pdf (17 cm wide: error against steps, a panel for each problem and
formulation), pendulum.pdf (8.5 cm x 7 cm: one of these panels), orders.tex (observed orders, by booktabs and
multirow), and work.csv (all runs). FEWEST: the smallest tolerance (default 1e-9, which takes minutes; 1e-5: seconds).
"""

import sys
import warnings
from pathlib import Path

import daelab
import pandas

PROBLEMS = ["pendulum", "double_pendulum", "slider_crank"]
FORMS = ["index3", "index2", "index1", "ggl"]
METHODS = ["radau", "ida", "rodas4", "rodas5p", "cros", "cros4"]
FIXED = ["cros", "rodas4", "radau5"]                    # of these the orders are shown, by steps that are halved
CLASSES = {"position": "$q$", "velocity": "$v$", "multiplier": "$\\lambda$",
           "recovered": "$\\lambda$ recovered"}

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "paper")
tolerances = "1e-2:" + (sys.argv[2] if len(sys.argv) > 2 else "1e-9")
folder.mkdir(parents=True, exist_ok=True)
warnings.simplefilter("ignore", daelab.DaelabWarning)   # all remarks are printed at the end

# %% Work and precision
work = daelab.bench(PROBLEMS, FORMS, METHODS, rtol=tolerances, seconds=1e-9, runs=1)
work.plot(folder / "work.pdf", axes="steps:position", width=170, font=7, title="")
work.to_frame().to_csv(folder / "work.csv", index=False)

# %% One panel for a column of the page
one = daelab.bench("pendulum", "index2", METHODS, rtol=tolerances, seconds=1e-9, runs=1)
one.plot(folder / "pendulum.pdf", axes="steps:position", width=85, height=70, title="")

# %% Observed orders: a row for each method and class, a column for each formulation
orders = daelab.converge(PROBLEMS, FORMS, FIXED)
found = orders.to_frame()
found["order"] = found["observed"].abs().map("{:.1f}".format).where(found["verdict"] == "agrees", "--")
rows = pandas.MultiIndex.from_product([PROBLEMS, FIXED, CLASSES], names=["problem", "method", "class"])
table = found.pivot(index=rows.names, columns="form", values="order").reindex(rows)[FORMS].rename_axis(columns=None)
table = table.rename(index=CLASSES, level="class").rename(index=lambda name: name.replace("_", " "), level="problem")
latex = table.fillna("--").style.to_latex(hrules=True, clines="skip-last;data")
(folder / "orders.tex").write_text(latex, encoding="utf-8")
print(table.to_string(na_rep="--"))

# %% What speaks against these numbers
print(*dict.fromkeys([*work.remarks, *orders.remarks, *work.failures]), sep="\n")
