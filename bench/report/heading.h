/* heading.h - a result with the specification that made it */
#ifndef DAELAB_HEADING_H
#define DAELAB_HEADING_H

#include "report/document.h"
#include "study/specification.h"

/* Begin a result: version, command, problem, parameters, interval, options and machine. One of several
 * problems has a name for them in place of parameters and interval. */
document *report_begin(const char *command, const study_specification *spec, double t0,
                       double t_end);
document *report_begin_several(const char *command, const char *subject,
                               const study_specification *spec);

/* Of all parts of a file, with its title and its question. */
document *report_begin_file(const char *title, const char *question);

#endif
