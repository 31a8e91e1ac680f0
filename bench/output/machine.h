/* machine.h - what ran: processor, system, compiler, SUNDIALS */
#ifndef DAELAB_MACHINE_H
#define DAELAB_MACHINE_H

#include <jansson.h>

/* {"cpu": ..., "cores": ..., "system": ..., "compiler": ...} */
json_t *machine_json(void);

#endif
