/* compare_report.h - a comparison as a document: what changed, the worst first */
#ifndef DAELAB_COMPARE_REPORT_H
#define DAELAB_COMPARE_REPORT_H

#include "compare/compare.h"
#include "output/document.h"

typedef struct {
    const char *name[2];        /* of the files, the old one first */
    const dataset *data[2];
} compared_files;

/* NULL where memory is short. */
document *compare_report(const comparison *c, const compared_files *files);

/* All changes as a table; NULL where memory is short. */
table *compare_table(const comparison *c);

/* What of the provenance differs and matters for times: the processor, how it was compiled, whether timed runs were
 * alone. NULL: nothing does. */
const char *compare_other_machine(const dataset *before, const dataset *after);

#endif
