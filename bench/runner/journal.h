/* journal.h - records in a file, one a line, each written at once
 *
 *     {"daelab journal":1}
 *     {"cell":...}
 *
 * A line is written by one call and reaches the disk a tenth of a second later at most. What a program that
 * was killed has left is read as far as it is whole: a last line that is torn is cut off. One process has
 * the file at a time.
 */
#ifndef DAELAB_JOURNAL_H
#define DAELAB_JOURNAL_H

#include "runner/record.h"

typedef struct journal journal;

typedef struct {
    int (*take)(void *context, record *r);      /* takes a record over; 0: no memory */
    void *context;
    void (*say)(void *context, const char *sentence);   /* what is wrong with lines; NULL: nobody hears */
    void *say_context;
} journal_reader;

/* Open or create the file, have it alone, and read it; fresh: empty it instead. safe: a file of somebody else's,
 * or one that others may write, is refused. DAE_FILE with a sentence: it is no journal, is of another format,
 * another process has it, or the system says no. */
dae_status journal_open(journal **j, const char *path, int fresh, int safe, const journal_reader *reader,
                        dae_report *report);

/* The records in the file follow. DAE_FILE: the file is as it was. */
dae_status journal_append(journal *j, const record *r, dae_report *report);

/* These and no others stand in the file, which is replaced as a whole. */
dae_status journal_replace(journal *j, const record *const *list, int count, dae_report *report);

long journal_records(const journal *j);         /* how many it holds */
const char *journal_path(const journal *j);
void journal_remove(const journal *j);
void journal_close(journal *j);                 /* NULL is allowed */

#endif
