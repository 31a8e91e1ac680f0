"""The pendulum on a rope as it is written, in index 3, by the one-stage complex Rosenbrock method (CROS).

    PYTHONPATH=python python3 examples/python/pendulum.py [PICTURE]

The length of the rope is kept to 2e-6, and its tension is wrong by 14 %, at every step size: order 0.
"""

import sys

import daelab
import numpy as np

# %% What is solved
pendulum = daelab.problems.pendulum
print(pendulum.equations)
print()

# %% One run with a step of 1 ms: the length of the rope, and its tension beside that of an accurate solution
times = np.linspace(0, pendulum.t_end, 201)
run = daelab.solve(pendulum, form="index3", method="cros", t_eval=times, step=1e-3)
right = daelab.solve(pendulum, form="index1", method="radau", t_eval=times, rtol=1e-12)
length = np.hypot(run["x"], run["y"])
print(f"step 1 ms: the length of the rope, 5 m, is wrong by {abs(length - 5).max():.1e} m at most")
print(f"the tension at t = 2: {run['T'][-1]:.3f} N, and should be {right['T'][-1]:.3f} N")
print()

# %% Steps that are halved: errors at t = 2 against the reference, and the orders that they show
study = daelab.converge(pendulum, form="index3", method="cros")


def rows(table, *columns):
    """Some columns of a table, which is a DataFrame where there is pandas, else a list of dicts."""
    records = table if isinstance(table, list) else table.to_dict("records")
    return [[record[column] for column in columns] for record in records]


print("step        off the length    error of the tension")
for step, drift, error, size in rows(study.runs, "step", "drift_position", "error_multiplier", "scale_multiplier"):
    print(f"{step:.6f} s  {drift:.1e} m         {error:.3f} N, {100 * error / size:.1f} %")
print()
print("class                 order    declared")
for name, observed, declared in rows(study.orders, "class", "observed", "declared"):
    print(f"{name:20}  {abs(observed) if abs(observed) < 5e-3 else observed:.2f}     {declared:g}")

# %% Why: the tension that the positions and velocities ask for is right, it is the one of the method that is not
print()
for remark in study.remarks:
    print(remark)

# %% The tension against time, as a picture
if len(sys.argv) > 1:
    figure = run.plot(["T"])
    figure.axes[0].plot(right.t, right["T"], label="accurate")
    figure.axes[0].legend()
    figure.savefig(sys.argv[1])
