/* synced.h - what was written to a file reaches the disk soon, whatever the program does next */
#ifndef DAELAB_SYNCED_H
#define DAELAB_SYNCED_H

/* A tenth of a second from now at most (by SIGALRM and the real-time timer of this process); one file at a
 * time: another one is synced at once. */
void synced_later(int file);

/* Now, if it waits; before it is closed. */
void synced_now(int file);

#endif
