"""daelab: stiff differential-algebraic equations, and how wrong the answer is.

    import daelab
    result = daelab.solve("pendulum", form="index1", method="radau", rtol=1e-8, dense=True)
    result.t, result["T"], result(0.5)

problems, formulations, methods: what there is, by name. load: a file of problems or methods of one's own.
MechanicalProblem, FirstOrderProblem: a problem written in Python. solve: one run. converge, drift, bench: studies.
DaelabError: what goes wrong, with its status. ImportError where libdaelab is not found or is of another version.
"""
from ._abi import VERSION as __version__
from ._library import library_path, program_path
from .catalogue import (Catalogue, Finding, Formulation, Method, Parameter, Problem, formulations, load, methods,
                        problems)
from .errors import DaelabError
from .mechanical import MechanicalProblem
from .result import Event, Result
from .solving import solve
from .study import Study, bench, converge, drift
from .written import FirstOrderProblem

__all__ = ["Catalogue", "DaelabError", "Event", "Finding", "FirstOrderProblem", "Formulation", "MechanicalProblem",
           "Method", "Parameter", "Problem", "Result", "Study", "__version__", "bench", "converge", "drift",
           "formulations", "library_path", "load", "methods", "problems", "program_path", "solve"]
