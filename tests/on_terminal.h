/* on_terminal.h - the program on a terminal of so many columns, which the test reads */
#ifndef ON_TERMINAL_H
#define ON_TERMINAL_H

#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>

/* The side of a new terminal that the program sees. The test is skipped where the system has none to give, as in
 * a chroot without /dev/pts. */
static inline int terminal_open(int columns, int *reader)
{
    const struct winsize size = {.ws_row = 50, .ws_col = (unsigned short)columns};
    *reader = posix_openpt(O_RDWR | O_NOCTTY);
    const char *name = *reader >= 0 && !grantpt(*reader) && !unlockpt(*reader) ? ptsname(*reader) : NULL;
    const int side = name ? open(name, O_RDWR | O_NOCTTY) : -1;
    if (side < 0) {
        print_message("skipped: no pseudo-terminal: %s\n", strerror(errno));
        skip();
    }
    assert_int_equal(0, ioctl(side, TIOCSWINSZ, &size));
    return side;
}

/* What was written until the program ended, lines ending in \n. */
static inline void terminal_read(int reader, char *text)
{
    size_t length = 0;
    ssize_t bytes;
    while ((bytes = read(reader, text + length, CLI_TEXT - 1 - length)) > 0
           || (bytes < 0 && errno == EINTR))
        length += bytes > 0 ? (size_t)bytes : 0;
    text[length] = 0;
    char *to = text;
    for (const char *from = text; *from; from++)
        if (!(from[0] == '\r' && from[1] == '\n'))
            *to++ = *from;
    *to = 0;
}

/* Run `daelab ARGUMENTS` with standard output on a terminal, standard error there, too, where errors is 1; what
 * stands on the terminal is cli_said.out. */
static inline int terminal_run(int columns, int errors, const char *environment, const char *arguments)
{
    char command[2048];
    int reader;
    const int side = terminal_open(columns, &reader);
    snprintf(command, sizeof command, "cd '%s' && env -u COLUMNS %s '%s' %s %s", cli_folder, environment,
             DAELAB_PROGRAM, arguments, errors ? "" : "2>err.txt");
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(side, 1);
        if (errors)
            dup2(side, 2);
        close(side);
        close(reader);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    int status;
    close(side);
    terminal_read(reader, cli_said.out);
    close(reader);
    assert_true(waitpid(child, &status, 0) == child);
    cli_said.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return cli_said.status;
}

/* Characters of the longest line; after a carriage return it is written anew. */
static inline size_t terminal_widest(const char *text)
{
    size_t widest = 0, n = 0;
    for (; *text; text++) {
        n = *text == '\n' || *text == '\r' ? 0 : n + (((unsigned char)*text & 0xc0) != 0x80);
        widest = n > widest ? n : widest;
    }
    return widest;
}

#endif
