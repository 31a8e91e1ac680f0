/* methods.h - every method is one const record; table.c lists them */
#ifndef DAE_METHODS_H
#define DAE_METHODS_H

#include "solver.h"

extern const dae_method dae_cros, dae_euler, dae_heun, dae_rk4, dae_method_ida;

#endif
