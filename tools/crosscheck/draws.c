#include "draws.h"

#include "judge_drawn.h"

#include "catalogue/catalogue.h"
#include "cli/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static int check_problem(const draw_order *o, const drawn_class *class, long number, draw_counts *c)
{
    drawn d;
    if (!drawn_make(&d, class, (uint64_t)number)) {
        fprintf(stderr, "daelab-crosscheck: no memory\n");
        return 0;
    }
    for (int m = 0; catalogue_method(m); m++) {
        const dae_method_info info = dae_method_describe(catalogue_method(m));
        if (!info.adaptive || (o->method && strcmp(o->method, info.name) != 0))
            continue;
        for (int exponent = 3; exponent <= TIGHTEST; exponent++)
            check_run(&d, catalogue_method(m), exponent, c);
    }
    drawn_free(&d);
    return 1;
}

static int is_wanted(const draw_order *o, const char *name)
{
    for (int i = 0; i < o->chosen; i++)
        if (strcmp(o->classes[i], name) == 0)
            return 1;
    return o->chosen == 0;
}

/* Every jobs-th problem of each class, from the one of this job on; counts by class. */
static int check_share(const draw_order *o, long job, draw_counts *c)
{
    for (int i = 0; drawn_class_at(i); i++)
        for (long k = job; is_wanted(o, drawn_class_at(i)->name) && k < o->count; k += o->jobs)
            if (!check_problem(o, drawn_class_at(i), o->first + k, &c[i]))
                return 0;
    return 1;
}

/* A process that does so and writes its counts into the pipe; its end to read from, -1: there is none. */
static int begin_job(const draw_order *o, long job)
{
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0)
        return -1;
    const pid_t child = fork();
    if (child == 0) {
        draw_counts c[MOST_CLASSES] = {{{0}, 0}};
        const int good = check_share(o, job, c) && write(ends[1], c, sizeof c) == (ssize_t)sizeof c;
        _exit(good ? 0 : 1);
    }
    close(ends[1]);
    if (child < 0)
        close(ends[0]);
    return child < 0 ? -1 : ends[0];
}

/* Adds what a job has counted; 0: it has died. A pipe takes so little at once. */
static int end_job(int from, draw_counts *to)
{
    draw_counts c[MOST_CLASSES];
    const int good = from >= 0 && read(from, c, sizeof c) == (ssize_t)sizeof c;
    for (int i = 0; good && i < MOST_CLASSES; i++)
        add(&to[i], &c[i]);
    if (from >= 0)
        close(from);
    return good;
}

static int check_all(const draw_order *o)
{
    draw_counts by_class[MOST_CLASSES] = {{{0}, 0}}, all = {{0}, 0};
    int from[MOST_JOBS], good = 1;
    for (long job = 0; job < o->jobs; job++)
        from[job] = begin_job(o, job);
    for (long job = 0; job < o->jobs; job++)
        good &= end_job(from[job], by_class);
    while (wait(NULL) > 0)
        ;
    if (!good) {
        fprintf(stderr, "daelab-crosscheck: a process has ended early\n");
        return EXIT_SYSTEM;
    }
    for (int i = 0; drawn_class_at(i); i++) {
        if (is_wanted(o, drawn_class_at(i)->name))
            print_counts(drawn_class_at(i)->name, &by_class[i]);
        add(&all, &by_class[i]);
    }
    print_counts("all", &all);
    return all.verdict[WRONG] || all.far > PART_FAR * judged(&all) ? EXIT_NUMERICAL : EXIT_DONE;
}

static int is_class(const char *name)
{
    int i = 0;
    while (drawn_class_at(i) && strcmp(drawn_class_at(i)->name, name) != 0)
        i++;
    return drawn_class_at(i) != NULL;
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
