"""The C types and functions of libdaelab that this package uses, as ctypes.

Structures have the names and fields of include/daelab; their sizes are compared with the library's when it is
loaded, their offsets with a C compiler's by a test (tests/python/test_abi.py).
"""
from __future__ import annotations

import ctypes as c
from typing import Dict, List, Sequence, Tuple, Type

VERSION = "0.1.0"                       # DAELAB_VERSION of the headers that this was written for
PLUGIN_VERSION = 4                      # DAE_PLUGIN_VERSION

# dae_status
OK, STOPPED, EVENT, ACCUMULATION = 0, 1, 2, 3
BAD_ARGUMENT, MAX_EVENTS = -1, -13
# dae_row_kind
ROW_INSIDE, ROW_STEP, ROW_AFTER = 0, 1, 2
# dae_called
(CALL_START, CALL_INERTIA, CALL_FORCE, CALL_CONSTRAINT, CALL_RATE, CALL_ACCELERATION, CALL_REACTION, CALL_ENERGY,
 CALL_MASS, CALL_RHS) = range(10)
# dae_saying
SAYS_WRONG, SAYS_FAR, SAYS_APART, SAYINGS = 1, 4, 5, 6
DUAL_SCALE = 2.0**-200                  # DAE_DUAL_SCALE of scalar.h

CLASSES = 7                             # DAE_CLASSES
_INDICES = 4                            # DAE_MAX_INDEX + 1
_EXCEPTIONS = 2                         # DAE_MAX_EXCEPTIONS

_int_p = c.POINTER(c.c_int)
_double_p = c.POINTER(c.c_double)


class dae_report(c.Structure):
    _fields_ = [("status", c.c_int), ("message", c.c_char * 320)]


class dae_formulation_options(c.Structure):
    _fields_ = [("alpha", c.c_double), ("beta", c.c_double), ("user_data", c.c_void_p)]


class dae_start_change(c.Structure):
    _fields_ = [("position", c.c_double), ("velocity", c.c_double), ("multiplier", c.c_double),
                ("changed", c.c_int), ("relative", c.c_double), ("open", c.c_int)]


class dae_atol(c.Structure):
    _fields_ = [("of", c.c_char_p), ("atol", c.c_double)]


class dae_options(c.Structure):
    _fields_ = [("step", c.c_double), ("rtol", c.c_double), ("atol", c.c_double), ("atols", _double_p),
                ("atol_of", c.POINTER(dae_atol)), ("atol_count", c.c_int), ("error_test", c.c_int),
                ("jacobian", c.c_int), ("linear", c.c_int), ("max_step", c.c_double), ("first_step", c.c_double),
                ("max_steps", c.c_long), ("project", c.c_uint), ("max_events", c.c_long),
                ("accumulation", c.c_double)]


class dae_parameter(c.Structure):
    _fields_ = [("name", c.c_char_p), ("value", c.c_double), ("unit", c.c_char_p), ("description", c.c_char_p),
                ("range", c.c_int), ("count", c.c_int), ("values", _double_p)]


class dae_problem_info(c.Structure):
    _fields_ = [("name", c.c_char_p), ("title", c.c_char_p), ("citation", c.c_char_p), ("equations", c.c_char_p),
                ("variables", c.c_char_p), ("units", c.c_char_p), ("t0", c.c_double), ("t_end", c.c_double),
                ("parameters", c.c_int), ("positions", c.c_int), ("multipliers", c.c_int),
                ("nonholonomic", c.c_int), ("unknowns", c.c_int), ("index", c.c_int), ("coordinates", c.c_int),
                ("invariants", c.c_int), ("events", c.c_int), ("modes", c.c_int), ("rtol", c.c_double)]


class dae_formulation_info(c.Structure):
    _fields_ = [("name", c.c_char_p), ("title", c.c_char_p), ("citation", c.c_char_p), ("index", c.c_int),
                ("stabilised", c.c_int)]


class dae_form_orders(c.Structure):
    _fields_ = [("stabilised", c.c_int), ("order", c.c_double * CLASSES)]


class dae_method_info(c.Structure):
    _fields_ = [("name", c.c_char_p), ("title", c.c_char_p), ("citation", c.c_char_p), ("stages", c.c_int),
                ("fixed", c.c_int), ("adaptive", c.c_int), ("implicit", c.c_int), ("dense_output", c.c_int),
                ("dense_order", c.c_double), ("switches", c.c_int), ("roles", c.c_uint), ("quad_steps", c.c_int),
                ("order", (c.c_double * CLASSES) * _INDICES), ("exceptions", dae_form_orders * _EXCEPTIONS)]


class dae_event_record(c.Structure):
    _fields_ = [("t", c.c_double), ("name", c.c_char_p), ("title", c.c_char_p), ("number", c.c_int),
                ("direction", c.c_int), ("from", c.c_int), ("to", c.c_int), ("accumulated", c.c_int),
                ("before", _double_p), ("after", _double_p), ("measure", c.c_double), ("measures", c.c_char_p),
                ("unit", c.c_char_p)]


class dae_row_places(c.Structure):
    _fields_ = [("times", _double_p), ("count", c.c_long), ("inside", c.c_int), ("stop", _int_p),
                ("recovered", c.c_int), ("sensitivity", c.c_void_p), ("observer", c.c_void_p), ("context", c.c_void_p)]


class dae_rank_loss(c.Structure):
    _fields_ = [("found", c.c_int), ("t", c.c_double), ("rows", c.c_int), ("which", c.c_char * 96),
                ("distance", c.c_double)]


class dae_estimate(c.Structure):
    _fields_ = [("name", c.c_char_p), ("unit", c.c_char_p), ("error", c.c_double), ("size", c.c_double),
                ("atol", c.c_double), ("recovered", c.c_char_p), ("apart", c.c_double),
                ("recovered_error", c.c_double)]


class dae_doubt(c.Structure):
    _fields_ = [("problem", c.c_void_p), ("form", c.c_void_p), ("method", c.c_void_p), ("chosen", c.c_int),
                ("rtol", c.c_double), ("rtol_is", c.c_char_p), ("run", c.c_char_p), ("lost", c.POINTER(dae_rank_loss)),
                ("estimate", c.POINTER(dae_estimate)), ("estimates", c.c_int)]


class dae_rows(c.Structure):
    _fields_ = [("count", c.c_long), ("width", c.c_int), ("t", _double_p), ("u", _double_p), ("du", _double_p),
                ("mode", _int_p), ("kind", _int_p)]


class dae_directions(c.Structure):
    _fields_ = [("parameters", _int_p), ("unknowns", _int_p), ("parameter_count", c.c_int), ("unknown_count", c.c_int)]


dae_callback = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_int, c.c_int, c.c_void_p, c.c_void_p, c.c_void_p, c.c_void_p,
                           c.c_void_p, c.c_void_p)
dae_condition = c.CFUNCTYPE(c.c_double, c.c_void_p, c.c_double, c.c_void_p)


class dae_callbacks(c.Structure):
    _fields_ = [("name", c.c_char_p), ("title", c.c_char_p), ("variables", c.c_char_p), ("units", c.c_char_p),
                ("parameters", c.POINTER(dae_parameter)), ("nq", c.c_int), ("nl", c.c_int),
                ("nonholonomic", c.c_int), ("n", c.c_int), ("index", c.c_int), ("has_mass", c.c_int),
                ("mass_varies", c.c_int), ("has_energy", c.c_int), ("dual_parameters", c.c_int),
                ("t0", c.c_double), ("t_end", c.c_double),
                ("rtol", c.c_double), ("call", dae_callback), ("context", c.c_void_p)]


class dae_finding(c.Structure):
    _fields_ = [("failed", c.c_int), ("function", c.c_char * 48), ("row", c.c_int), ("column", c.c_int),
                ("t", c.c_double), ("found", c.c_double), ("expected", c.c_double), ("sentence", c.c_char * 320)]


class dae_check_options(c.Structure):
    _fields_ = [("quick", c.c_int), ("progress", c.c_void_p), ("context", c.c_void_p)]


class dae_plugin(c.Structure):
    _fields_ = [("version", c.c_int), ("size", c.c_int), ("daelab", c.c_char_p), ("problem_size", c.c_size_t),
                ("event_size", c.c_size_t), ("method_size", c.c_size_t), ("solver_size", c.c_size_t),
                ("problems", c.c_int), ("methods", c.c_int), ("problem", c.POINTER(c.c_void_p)),
                ("method", c.POINTER(c.c_void_p))]


class dae_plugin_range(c.Structure):
    _fields_ = [("first", c.POINTER(c.POINTER(dae_plugin))), ("last", c.POINTER(c.POINTER(dae_plugin)))]


STRUCTURES: List[Type[c.Structure]] = [
    dae_report, dae_formulation_options, dae_start_change, dae_atol, dae_options, dae_parameter, dae_problem_info,
    dae_formulation_info, dae_form_orders, dae_method_info, dae_event_record, dae_row_places,
    dae_rows, dae_directions, dae_rank_loss, dae_estimate, dae_doubt, dae_callbacks, dae_finding, dae_check_options,
    dae_plugin, dae_plugin_range]

_p, _i, _d, _s, _b = c.c_void_p, c.c_int, c.c_double, c.c_char_p, c.c_char_p
_report_p = c.POINTER(dae_report)

# What each function answers, and what it takes. Opaque types are addresses.
FUNCTIONS: Dict[str, Tuple[object, Sequence[object]]] = {
    "dae_version": (_s, []),
    "dae_size_of": (c.c_size_t, [_s]),
    "dae_status_name": (_s, [_i]),
    "dae_sundials_version": (None, [_b, _i]),
    "dae_class_name": (_s, [_i]),
    "dae_problem_describe": (dae_problem_info, [_p]),
    "dae_parameter_count": (_i, [_p]),
    "dae_parameter_at": (c.POINTER(dae_parameter), [_p, _i]),
    "dae_parameter_default": (_d, [_p, _i]),
    "dae_parameter_name": (None, [_p, _i, _b, _i]),
    "dae_parameter_index": (_i, [_p, _s]),
    "dae_formulation_at": (_p, [_i]),
    "dae_formulation_describe": (dae_formulation_info, [_p]),
    "dae_formulation_applies": (_i, [_p, _p]),
    "dae_method_at": (_p, [_i]),
    "dae_method_describe": (dae_method_info, [_p]),
    "dae_method_order": (_d, [_p, _p, _i, _i]),
    "dae_default_formulation_options": (dae_formulation_options, [_p]),
    "dae_default_options": (dae_options, []),
    "dae_system_multipliers": (_i, [_p]),
    "dae_hybrid_mode": (_i, [_p]),
    "dae_hybrid_size": (_i, [_p, _i]),
    "dae_system_unknowns": (c.c_size_t, [_p, _b, c.c_size_t]),
    "dae_hybrid_create": (_i, [c.POINTER(_p), _p, _p, _double_p, c.POINTER(dae_formulation_options), _p,
                               c.POINTER(dae_options), _report_p]),
    "dae_hybrid_free": (None, [_p]),
    "dae_hybrid_stop_where": (_i, [_p, _s, dae_condition, _p, _i]),
    "dae_hybrid_start": (_i, [_p, _i, c.POINTER(dae_start_change)]),
    "dae_hybrid_start_at": (_i, [_p, _i, _d, _double_p]),
    "dae_hybrid_start_with": (_i, [_p, _d, _int_p, _double_p, _i, c.POINTER(dae_start_change)]),
    "dae_hybrid_sensitivity_create": (_i, [c.POINTER(_p), _p, c.POINTER(dae_directions), _report_p]),
    "dae_hybrid_sensitivity_free": (None, [_p]),
    "dae_hybrid_sensitivity_test": (_i, [_p, _i, _report_p]),
    "dae_hybrid_gradient_create": (_i, [c.POINTER(_p), _p, c.POINTER(dae_directions), _i, _report_p]),
    "dae_hybrid_gradient_start": (_i, [_p, _p, _report_p]),
    "dae_gradient_add": (_i, [_p, _double_p, _report_p]),
    "dae_gradient_at": (_i, [_p, _double_p, _report_p]),
    "dae_gradient_free": (None, [_p]),
    "dae_hybrid_advance": (_i, [_p, _d]),
    "dae_hybrid_unknowns": (_double_p, [_p]),
    "dae_hybrid_modes": (_i, [_p]),
    "dae_hybrid_mode_name": (_s, [_p, _i]),
    "dae_hybrid_mode_system": (_p, [_p, _i]),
    "dae_hybrid_state_size": (_i, [_p]),
    "dae_hybrid_time": (_d, [_p]),
    "dae_hybrid_statistic": (_d, [_p, _i, c.POINTER(_s)]),
    "dae_hybrid_report": (_report_p, [_p]),
    "dae_hybrid_events": (_i, [_p]),
    "dae_hybrid_event": (dae_event_record, [_p, _i]),
    "dae_hybrid_rows": (_i, [_p, _d, c.POINTER(dae_row_places), c.POINTER(c.POINTER(dae_rows))]),
    "dae_rank_run_create": (_i, [c.POINTER(_p), _p, c.POINTER(dae_options), _report_p]),
    "dae_rank_run_observe": (_i, [_p, _p]),
    "dae_rank_run_end": (_i, [_p, c.POINTER(dae_rank_loss), _report_p]),
    "dae_doubt_slow": (_d, [c.POINTER(dae_doubt)]),
    "dae_doubt_wrong": (_i, [c.POINTER(dae_doubt), _i]),
    "dae_doubt_refuse": (_i, [c.POINTER(dae_doubt), _s, _s, _report_p]),
    "dae_doubt_says": (_i, [c.POINTER(dae_doubt), _i, _i, _b, c.c_size_t]),
    "dae_nearest": (_s, [_s, c.POINTER(_s), _i]),
    "dae_hybrid_system": (_p, [_p]),
    "dae_system_size": (_i, [_p]),
    "dae_system_atols": (_i, [_p, _d, c.POINTER(dae_atol), _i, _double_p, _report_p]),
    "dae_rows_free": (None, [c.POINTER(dae_rows)]),
    "dae_callback_problem": (_i, [c.POINTER(_p), c.POINTER(dae_callbacks), _report_p]),
    "dae_callback_problem_free": (None, [_p]),
    "dae_check_model": (_i, [_p, _double_p, c.POINTER(dae_formulation_options), c.POINTER(dae_check_options),
                             c.POINTER(dae_finding), _i, _int_p, _report_p]),
}


def declare(library: c.CDLL) -> None:
    """Give the functions of a library their types; AttributeError where one is missing."""
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = list(arguments)


def text(value: object) -> str:
    """A string of C, "" for NULL."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""
