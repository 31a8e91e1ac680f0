/* main.c - the table of yardsticks, and the program that runs them */
#include "yardsticks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const speed_yardstick speed_yardsticks[] = {
    {"cros", "a step of CROS on the pendulum, index 3, beside programs written out by hand", speed_cros},
    {"dop853", "dop853 beside a plain loop of it, time at equal error", speed_dop853},
    {"ida", "runs of ida, pendulum and chains of index 1, beside plain programs for IDA", speed_ida},
    {"oneshot", "a single run: what is paid beside its solution", speed_oneshot},
    {NULL, NULL, NULL}};

enum { DEFAULT_ROUNDS = 15, MAX_ROUNDS = 1000 };

static int usage(FILE *out, int code)
{
    fprintf(out, "usage: daelab-bench [NAME] [ROUNDS]\n\n"
            "Times this library beside plain programs for the same work, in turn: NAME, or all. Ratios are those of\n"
            "processor times in the same round. ROUNDS: 1 to %d, %d if not given. Exit 1 where a run fails or results\n"
            "do not agree, 2 for a mistake on the command line.\n\n", MAX_ROUNDS, DEFAULT_ROUNDS);
    for (const speed_yardstick *y = speed_yardsticks; y->name; y++)
        fprintf(out, "  %-10s %s\n", y->name, y->about);
    return code;
}

static const speed_yardstick *find(const char *name)
{
    for (const speed_yardstick *y = speed_yardsticks; y->name; y++)
        if (strcmp(y->name, name) == 0)
            return y;
    return NULL;
}

/* 0: text is no number of rounds */
static int read_rounds(const char *text, int *rounds)
{
    char *end;
    errno = 0;
    const long value = strtol(text, &end, 10);
    if (end == text || *end || errno || value < 1 || value > MAX_ROUNDS)
        return 0;
    *rounds = (int)value;
    return 1;
}

static int run(const speed_yardstick *y, int rounds)
{
    printf("%s: %s\n", y->name, y->about);
    const int good = y->run(rounds);
    printf("\n");
    return good;
}

static int run_all(int rounds)
{
    int good = 1;
    for (const speed_yardstick *y = speed_yardsticks; y->name; y++)
        good &= run(y, rounds);
    return good;
}

int main(int argc, char **argv)
{
    int rounds = DEFAULT_ROUNDS, next = 1;
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return usage(stdout, 0);
    const speed_yardstick *one = argc > 1 ? find(argv[1]) : NULL;
    next += one != NULL;
    if (argc > next && !read_rounds(argv[next++], &rounds)) {
        fprintf(stderr, "daelab-bench: %s is neither a yardstick nor a number of rounds from 1 to %d\n\n",
                argv[next - 1], MAX_ROUNDS);
        return usage(stderr, 2);
    }
    if (argc > next) {
        fprintf(stderr, "daelab-bench: %s is one argument too many\n\n", argv[next]);
        return usage(stderr, 2);
    }
    const int good = one ? run(one, rounds) : run_all(rounds);
    return fflush(stdout) || ferror(stdout) || !good;
}
