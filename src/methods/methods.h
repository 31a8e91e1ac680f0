/* methods.h - every method is one const record; table.c lists them */
#ifndef DAE_METHODS_H
#define DAE_METHODS_H

#include "solver.h"

extern const dae_method dae_cros, dae_euler, dae_heun, dae_rk4, dae_method_ida;
extern const dae_method dae_dopri5, dae_dop853;
extern const dae_method dae_rodas4, dae_rodas5p;
extern const dae_method dae_cros4, dae_excros;
extern const dae_method dae_radau5, dae_radau9, dae_radau13, dae_radau;
extern const dae_method dae_auto;

#endif
