#include "draws.h"

#include "judge_drawn.h"

#include "catalogue/catalogue.h"
#include "cli/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIGHTEST = 10,           /* tolerances 1e-3, ..., 1e-10 */
       MOST_CLASSES = 16, MOST_JOBS = 64 };
static const double PART_FAR = 0.02;    /* of the runs, that may be beyond DRAWN_FAR */

typedef struct {
    long count, first;          /* problems of each class, from number first on */
    long jobs;                  /* processes, which take turns at the problems of a class */
    const char *method;         /* NULL: all */
    int chosen;                 /* classes that are named */
    char **classes;
} draw_order;

typedef struct {
    int verdict[VERDICTS], far;
} draw_counts;

static void add(draw_counts *to, const draw_counts *from)
{
    for (int v = 0; v < VERDICTS; v++)
        to->verdict[v] += from->verdict[v];
    to->far += from->far;
}

/* Runs that ended well. */
static int judged(const draw_counts *c) { return c->verdict[RIGHT] + c->verdict[REMARKED] + c->verdict[WRONG]; }

static void print_counts(const char *what, const draw_counts *c)
{
    printf("%-12s", what);
    for (int v = 0; v < VERDICTS; v++)
        printf(" %6d %s,", c->verdict[v], verdict_names[v]);
    printf(" %5d beyond %g tolerances (%.2g %%)\n", c->far, DRAWN_FAR, 100.0 * c->far / fmax(1, judged(c)));
    fflush(stdout);
}

static void check_run(const drawn *d, const dae_method *method, int exponent, draw_counts *c)
{
    double error;
    const double rtol = pow(10, -exponent);
    const judgement j = judge_drawn(d, method, rtol, &error);
    const int told = j.verdict == REMARKED && error > DRAWN_LIMIT, far = error > DRAWN_FAR && !told;
    c->verdict[j.verdict]++;
    c->far += far;
    if (far || j.verdict == WRONG || j.verdict == REMARKED)
        printf("%-9s %s %s 1e-%d: %s\n", j.verdict == RIGHT ? "far" : verdict_names[j.verdict], d->title,
               dae_method_describe(method).name, exponent, j.why);
    fflush(stdout);                                     /* a line at a time, beside those of other processes */
}

static void check_problem(const draw_order *o, const drawn_class *class, long number, draw_counts *c)
{
    drawn d;
    drawn_make(&d, class, (uint64_t)number);
    for (int m = 0; catalogue_method(m); m++) {
        const dae_method_info info = dae_method_describe(catalogue_method(m));
        const int wanted = info.adaptive && (!o->method || strcmp(o->method, info.name) == 0);
        for (int exponent = 3; wanted && exponent <= TIGHTEST; exponent++)
            check_run(&d, catalogue_method(m), exponent, c);
    }
    drawn_free(&d);
}

static int is_wanted(const draw_order *o, const char *name)
{
    for (int i = 0; i < o->chosen; i++)
        if (strcmp(o->classes[i], name) == 0)
            return 1;
    return o->chosen == 0;
}

/* Every jobs-th problem of each class, from the one of this job on; counts by class. */
static void check_share(const draw_order *o, long job, draw_counts *c)
{
    for (int i = 0; drawn_class_at(i); i++)
        for (long k = job; is_wanted(o, drawn_class_at(i)->name) && k < o->count; k += o->jobs)
            check_problem(o, drawn_class_at(i), o->first + k, &c[i]);
}

/* Each share in a process of its own, whose counts are in memory that all have; 0 where one ends early. */
static int run_jobs(const draw_order *o, draw_counts (*counts)[MOST_CLASSES])
{
    int good = 1, code;
    fflush(stdout);
    for (long job = 0; job < o->jobs; job++) {
        const pid_t child = fork();
        good &= child >= 0;
        if (child == 0) {
            check_share(o, job, counts[job]);
            _exit(0);
        }
    }
    while (wait(&code) > 0)
        good &= code == 0;
    return good;
}

static int check_all(const draw_order *o)
{
    draw_counts by_class[MOST_CLASSES] = {{{0}, 0}}, all = {{0}, 0};
    draw_counts(*counts)[MOST_CLASSES] = mmap(NULL, sizeof *counts * MOST_JOBS, PROT_READ | PROT_WRITE,
                                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (counts == MAP_FAILED || !run_jobs(o, counts)) {
        fprintf(stderr, "daelab-crosscheck: a process has ended early\n");
        return EXIT_SYSTEM;
    }
    for (int i = 0; drawn_class_at(i); i++) {
        for (long job = 0; job < o->jobs; job++)
            add(&by_class[i], &counts[job][i]);
        if (is_wanted(o, drawn_class_at(i)->name))
            print_counts(drawn_class_at(i)->name, &by_class[i]);
        add(&all, &by_class[i]);
    }
    print_counts("all", &all);
    return all.verdict[WRONG] || all.far > PART_FAR * judged(&all) ? EXIT_NUMERICAL : EXIT_DONE;
}

static int is_class(const char *name)
{
    for (int i = 0; drawn_class_at(i); i++)
        if (strcmp(drawn_class_at(i)->name, name) == 0)
            return 1;
    return 0;
}

int draws_main(int argc, char **argv)
{
    draw_order o = {.jobs = 1};
    o.count = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    int i = 2;
    for (; i + 1 < argc && argv[i][0] == '-'; i += 2)
        if (strcmp(argv[i], "--from") == 0)
            o.first = strtol(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--jobs") == 0)
            o.jobs = strtol(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--method") == 0)
            o.method = argv[i + 1];
        else
            break;
    o.classes = argv + i;
    o.chosen = argc - i;
    for (int k = i; k < argc; k++)
        if (!is_class(argv[k])) {
            fprintf(stderr, "daelab-crosscheck: there is no class %s of drawn problems\n", argv[k]);
            return EXIT_USAGE;
        }
    if (o.count <= 0 || o.jobs < 1 || o.jobs > MOST_JOBS || (o.method && !dae_find_method(o.method)))
        return EXIT_USAGE;
    return check_all(&o);
}
