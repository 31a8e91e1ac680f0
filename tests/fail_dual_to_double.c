#include "daelab/scalar.h"
double dropped_derivative(dae_dual x);
double dropped_derivative(dae_dual x) { double r = x; return r; } /* -Wconversion must object */
