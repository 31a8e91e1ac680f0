/* show.h - what is shown by daelab.show, which takes its request as JSON */
#ifndef DAELAB_SHOW_H
#define DAELAB_SHOW_H

#include "cli/options.h"

/* Run a module of it with a request on its standard input; *answer, where it is not NULL, is what it then writes, to be
 * freed with json_decref. DAE_FILE where it cannot; what it said beyond one sentence is told on standard error. */
dae_status show_run(const char *module, const json_t *request, json_t **answer, dae_report *report);

#endif
