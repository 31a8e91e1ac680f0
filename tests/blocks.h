/* blocks.h - parameters of the problems of the table with room before them for a user's data, none */
#ifndef DAELAB_TEST_BLOCKS_H
#define DAELAB_TEST_BLOCKS_H

#include <daelab/problem.h>

#include "support.h"

typedef struct { dae_parameters_front front; double value[MOST_PARAMETERS]; } block_double;
typedef struct { dae_parameters_front front; dae_dual value[MOST_PARAMETERS]; } block_dual;
typedef struct { dae_parameters_front front; dae_quad value[MOST_PARAMETERS]; } block_quad;

#endif
