"""daelab: stiff differential-algebraic equations, and how wrong the answer is.

    import daelab
    result = daelab.solve("pendulum", form="index1", method="radau", t_span=(0, 2), rtol=1e-8, dense_output=True)
    result.t, result["T"], result.sol(0.5)

problems, formulations, methods: what there is, by name. load: a file of problems or methods of one's own.
MechanicalProblem, FirstOrderProblem: a problem written in Python. solve: one run. gradient: of one number by many.
fit: parameters by measured data. converge, drift, bench: studies. check: do the functions of a problem agree with each
other? open: a result that the command has written.
DaelabError: what goes wrong, with its code. DaelabWarning: what speaks against numbers. ImportError where libdaelab is
not found or is of another version.
"""
from ._abi import VERSION as __version__
from ._library import library_path, program_path
from .catalogue import (Catalogue, Finding, Formulation, Method, Parameter, Problem, check, formulations, load,
                        methods, problems)
from .errors import DaelabError, DaelabWarning
from .fitting import Fit, fit
from .gradient import Gradient, gradient
from .mechanical import MechanicalProblem
from .result import Event, Result, Solution
from .solving import solve
from .study import Study, bench, converge, drift, open
from .written import FirstOrderProblem

# without open, which would hide Python's
__all__ = ["Catalogue", "DaelabError", "DaelabWarning", "Event", "Finding", "FirstOrderProblem", "Fit", "Formulation",
           "Gradient", "MechanicalProblem", "Method", "Parameter", "Problem", "Result", "Solution", "Study",
           "__version__", "bench", "check", "converge", "drift", "fit", "formulations", "gradient", "library_path",
           "load", "methods", "problems", "program_path", "solve"]
