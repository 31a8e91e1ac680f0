/* main.c - the table of yardsticks, and the program that runs them */
#include "yardsticks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *about;           /* about: what is measured, in some words */
    int (*run)(int rounds);
} yardsticks[] = {
    {"cros", "a step of CROS on the pendulum, index 3, beside programs written out by hand", speed_cros},
    {"derivatives", "du/dp forwards and backwards beside the run alone", speed_derivatives},
    {"dop853", "dop853 beside a plain loop of it, time at equal error", speed_dop853},
    {"ida", "runs of ida on the pendulum, index 1, beside a plain program for IDA", speed_ida},
    {"oneshot", "a single run: what is paid beside its solution", speed_oneshot}};
enum { YARDSTICKS = sizeof yardsticks / sizeof *yardsticks, DEFAULT_ROUNDS = 15, MAX_ROUNDS = 1000 };

static int usage(FILE *out, int code)
{
    fprintf(out, "usage: daelab-bench [NAME] [ROUNDS]\n\n"
            "Times this library beside plain programs for the same work, in turn: NAME, or all. Ratios are those of\n"
            "processor times in the same round. ROUNDS: 1 to %d, %d if not given. Exit 1 where a run fails or results\n"
            "do not agree, 2 for a mistake on the command line.\n\n", MAX_ROUNDS, DEFAULT_ROUNDS);
    for (int i = 0; i < YARDSTICKS; i++)
        fprintf(out, "  %-11s %s\n", yardsticks[i].name, yardsticks[i].about);
    return code;
}

/* YARDSTICKS where there is none of that name. */
static int find(const char *name)
{
    int i = 0;
    while (i < YARDSTICKS && strcmp(yardsticks[i].name, name) != 0)
        i++;
    return i;
}

/* 0: text is no number of rounds */
static int read_rounds(const char *text, int *rounds)
{
    char *end;
    const long value = strtol(text, &end, 10);
    *rounds = (int)value;
    return end != text && !*end && value >= 1 && value <= MAX_ROUNDS;
}

static int run(int first, int end, int rounds)
{
    int good = 1;
    for (int i = first; i < end; i++) {
        printf("%s: %s\n", yardsticks[i].name, yardsticks[i].about);
        good &= yardsticks[i].run(rounds);
        printf("\n");
    }
    return good;
}

int main(int argc, char **argv)
{
    int rounds = DEFAULT_ROUNDS, next = 1;
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return usage(stdout, 0);
    const int one = argc > 1 ? find(argv[1]) : YARDSTICKS;
    next += one < YARDSTICKS;
    if (argc > next && !read_rounds(argv[next++], &rounds)) {
        fprintf(stderr, "daelab-bench: %s is neither a yardstick nor a number of rounds from 1 to %d\n\n",
                argv[next - 1], MAX_ROUNDS);
        return usage(stderr, 2);
    }
    if (argc > next) {
        fprintf(stderr, "daelab-bench: %s is one argument too many\n\n", argv[next]);
        return usage(stderr, 2);
    }
    const int good = one < YARDSTICKS ? run(one, one + 1, rounds) : run(0, YARDSTICKS, rounds);
    return fflush(stdout) || ferror(stdout) || !good;
}
