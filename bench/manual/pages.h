/* pages.h - the manual pages daelab.1 and daelab-COMMAND.1 */
#ifndef DAELAB_PAGES_H
#define DAELAB_PAGES_H

/* Write all of them into a folder, with a date (year-month-day) in their heads. EXIT_DONE, or another status having
 * complained. */
int pages_write(const char *folder, const char *date);

#endif
