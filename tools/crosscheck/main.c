/* main.c - daelab-crosscheck: every problem by every form and method, rows between steps included
 *
 * One line for each pair that is not right, one of counts for each problem or class and one for all. Exit 1 where
 * something is wrong without a word, more than a tenth is remarked, or of drawn problems too much is far off.
 */
#include "judge.h"
#include "judge_drawn.h"

#include "catalogue/catalogue.h"
#include "host/exit_status.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIGHTEST = 10,           /* tolerances of drawn problems: 1e-3, ..., 1e-10 */
       MOST_CLASSES = 16, MOST_JOBS = 64 };
static const double PART_FAR = 0.02;    /* of the runs, that may be beyond DRAWN_FAR */

typedef struct {
    double rtol;
    int drawn;
    long count, first;          /* drawn problems of each class, from number first on */
    long jobs;                  /* processes, which take turns at the problems of a class */
    const char *method;         /* NULL: all */
    int names;                  /* problems or classes that are named; 0: all */
    char **name;
} order;

typedef struct { int verdict[VERDICTS], far; } counts;

static void add(counts *to, const counts *from)
{
    for (int v = 0; v < VERDICTS; v++)
        to->verdict[v] += from->verdict[v];
    to->far += from->far;
}

static int is_wanted(const order *o, const char *name)
{
    for (int i = 0; i < o->names; i++)
        if (strcmp(o->name[i], name) == 0)
            return 1;
    return o->names == 0;
}

/* ---- problems of the catalogue ---- */

static void take(judgement j, const subject *s, const dae_formulation *form, const dae_method *method, const char *how,
                 counts *c)
{
    if (j.verdict != RIGHT && j.verdict != REFUSED)
        printf("%-9s %s %s %s %s: %s\n", verdict_names[j.verdict], s->problem->name,
               dae_formulation_describe(form).name, dae_method_describe(method).name, how, j.why);
    fflush(stdout);
    c->verdict[j.verdict]++;
}

static void print_problem(const char *what, const counts *c)
{
    printf("%-22s", what);
    for (int v = 0; v < REFUSED; v++)
        printf(" %5d %s%s", c->verdict[v], verdict_names[v], v < REFUSED - 1 ? "," : "\n");
    fflush(stdout);
}

/* 0: there is nothing to compare with. */
static int check_problem(const dae_problem *problem, double rtol, counts *total)
{
    subject s;
    dae_report why = {0};
    counts c = {{0}, 0};
    const dae_formulation *form;
    const dae_method *method;
    const int good = !subject_begin(&s, problem, &why);
    for (int f = 0; good && (form = dae_formulation_at(f)); f++)
        for (int m = 0; dae_formulation_applies(form, problem) && (method = catalogue_method(m)); m++) {
            const dae_method_info info = dae_method_describe(method);
            if (info.adaptive)
                take(judge_tolerance(&s, form, method, rtol), &s, form, method, "by tolerance", &c);
            if (info.fixed && !s.eventful)
                take(judge_fixed(&s, form, method), &s, form, method, "fixed steps", &c);
        }
    if (good)
        print_problem(problem->name, &c);
    else
        printf("%s: nothing to compare with: %s\n", problem->name, why.message);
    add(total, &c);
    subject_end(&s);
    return good;
}

static int check_problems(const order *o)
{
    counts total = {{0}, 0};
    int missing = 0;
    for (int i = 0; i < o->names; i++)
        if (!catalogue_find_problem(o->name[i])) {
            fprintf(stderr, "daelab-crosscheck: there is no problem %s\n", o->name[i]);
            return EXIT_USAGE;
        }
    for (int i = 0; o->names ? i < o->names : catalogue_problem(i) != NULL; i++)
        missing += !check_problem(o->names ? catalogue_find_problem(o->name[i]) : catalogue_problem(i), o->rtol,
                                  &total);
    if (o->names != 1)
        print_problem("all", &total);
    const int *v = total.verdict, judged = v[RIGHT] + v[REMARKED] + v[FAILED] + v[WRONG];
    return missing || v[WRONG] || v[REMARKED] > judged / 10 ? EXIT_NUMERICAL : EXIT_DONE;
}

/* ---- drawn problems ---- */

/* Runs that ended well. */
static int judged_drawn(const counts *c) { return c->verdict[RIGHT] + c->verdict[REMARKED] + c->verdict[WRONG]; }

static void print_class(const char *what, const counts *c)
{
    printf("%-12s", what);
    for (int v = 0; v < VERDICTS; v++)
        printf(" %6d %s,", c->verdict[v], verdict_names[v]);
    printf(" %5d beyond %g tolerances (%.2g %%)\n", c->far, DRAWN_FAR, 100.0 * c->far / fmax(1, judged_drawn(c)));
    fflush(stdout);
}

static void check_run(const drawn *d, const dae_method *method, int exponent, counts *c)
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

static void check_drawn(const order *o, const drawn_class *class, long number, counts *c)
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

/* Every jobs-th problem of each class, from the one of this job on, in a process of its own; its counts by class are in
 * memory that all have. 0 where one ends early. */
static int run_jobs(const order *o, counts (*by_job)[MOST_CLASSES])
{
    int good = 1, code;
    fflush(stdout);
    for (long job = 0; job < o->jobs; job++) {
        const pid_t child = fork();
        good &= child >= 0;
        for (int i = 0; child == 0 && drawn_class_at(i); i++)
            for (long k = job; is_wanted(o, drawn_class_at(i)->name) && k < o->count; k += o->jobs)
                check_drawn(o, drawn_class_at(i), o->first + k, &by_job[job][i]);
        if (child == 0)
            _exit(0);
    }
    while (wait(&code) > 0)
        good &= code == 0;
    return good;
}

static int check_classes(const order *o)
{
    counts by_class[MOST_CLASSES] = {{{0}, 0}}, all = {{0}, 0};
    counts (*by_job)[MOST_CLASSES] = mmap(NULL, sizeof *by_job * MOST_JOBS, PROT_READ | PROT_WRITE,
                                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (by_job == MAP_FAILED || !run_jobs(o, by_job)) {
        fprintf(stderr, "daelab-crosscheck: a process has ended early\n");
        return EXIT_SYSTEM;
    }
    for (int i = 0; drawn_class_at(i); i++) {
        for (long job = 0; job < o->jobs; job++)
            add(&by_class[i], &by_job[job][i]);
        if (is_wanted(o, drawn_class_at(i)->name))
            print_class(drawn_class_at(i)->name, &by_class[i]);
        add(&all, &by_class[i]);
    }
    print_class("all", &all);
    return all.verdict[WRONG] || all.far > PART_FAR * judged_drawn(&all) ? EXIT_NUMERICAL : EXIT_DONE;
}

/* ---- the command line ---- */

static int usage(FILE *out, int code)
{
    fprintf(out, "usage: daelab-crosscheck [--rtol R] [PROBLEM...]\n"
            "       daelab-crosscheck --drawn COUNT [--from FIRST] [--jobs COUNT] [--method NAME] [CLASS...]\n\n"
            "Every formulation by every method, by tolerance (1e-6) and with fixed steps, against a\n"
            "reference, rows between steps included. Exit 1 where a run is wrong without a word.\n"
            "--drawn: so many problems of each class, drawn at random, by every method at 1e-3 ... 1e-10\n"
            "against their closed forms.\n");
    return code;
}

static int is_class(const char *name)
{
    for (int i = 0; drawn_class_at(i); i++)
        if (strcmp(drawn_class_at(i)->name, name) == 0)
            return 1;
    fprintf(stderr, "daelab-crosscheck: there is no class %s of drawn problems\n", name);
    return 0;
}

static int is_sensible(const order *o)
{
    for (int i = 0; o->drawn && i < o->names; i++)
        if (!is_class(o->name[i]))
            return 0;
    return o->drawn ? o->count > 0 && o->jobs >= 1 && o->jobs <= MOST_JOBS && (!o->method || dae_find_method(o->method))
                    : o->rtol > 0 && o->rtol < 1;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"help", no_argument, NULL, 'h'},       {"rtol", required_argument, NULL, 'r'},
        {"drawn", required_argument, NULL, 'd'}, {"from", required_argument, NULL, 'f'},
        {"jobs", required_argument, NULL, 'j'}, {"method", required_argument, NULL, 'm'}, {NULL, 0, NULL, 0}};
    order o = {.rtol = 1e-6, .jobs = 1};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;)
        switch (c) {
        case 'h': return usage(stdout, EXIT_DONE);
        case 'r': o.rtol = strtod(optarg, NULL); break;
        case 'd': o.drawn = 1; o.count = strtol(optarg, NULL, 10); break;
        case 'f': o.first = strtol(optarg, NULL, 10); break;
        case 'j': o.jobs = strtol(optarg, NULL, 10); break;
        case 'm': o.method = optarg; break;
        default: return usage(stderr, EXIT_USAGE);
        }
    o.name = argv + optind;
    o.names = argc - optind;
    if (!is_sensible(&o))
        return usage(stderr, EXIT_USAGE);
    return o.drawn ? check_classes(&o) : check_problems(&o);
}
