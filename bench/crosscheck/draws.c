#include "draws.h"

#include "judge_drawn.h"

#include "catalogue/catalogue.h"
#include "cli/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIGHTEST = 10 };         /* tolerances 1e-3, ..., 1e-10 */
static const double PART_FAR = 0.02;    /* of the runs, that may be beyond DRAWN_FAR */

typedef struct {
    long count, first;          /* problems of each class, from number first on */
    const char *method;         /* NULL: all */
    int chosen;                 /* classes that are named */
    char **classes;
} draw_order;

typedef struct {
    int verdict[VERDICTS], far;
    double sum;                 /* of log10 of the errors of runs that are right */
} draw_counts;

static const char *const names[VERDICTS] = {"right", "remarked", "failed", "WRONG", "refused"};

static void add(draw_counts *to, const draw_counts *from)
{
    for (int v = 0; v < VERDICTS; v++)
        to->verdict[v] += from->verdict[v];
    to->far += from->far;
}

static void print_counts(const char *what, const draw_counts *c)
{
    printf("%-12s", what);
    for (int v = 0; v < REFUSED; v++)
        printf(" %6d %s,", c->verdict[v], names[v]);
    printf(" %5d beyond %g tolerances\n", c->far, DRAWN_FAR);
    fflush(stdout);
}

static void check_run(const drawn *d, const dae_method *method, int exponent, draw_counts *c)
{
    double error;
    const double rtol = pow(10, -exponent);
    const judgement j = judge_drawn(d, method, rtol, &error);
    const int far = error > DRAWN_FAR;
    c->verdict[j.verdict]++;
    c->far += far;
    if (far || j.verdict == WRONG || j.verdict == REMARKED)
        printf("%-9s %s %s 1e-%d: %s\n", j.verdict == RIGHT ? "far" : names[j.verdict], d->title,
               dae_method_describe(method).name, exponent, j.why);
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

static int check_all(const draw_order *o)
{
    draw_counts all = {{0}, 0, 0};
    for (int i = 0; drawn_class_at(i); i++) {
        draw_counts c = {{0}, 0, 0};
        const drawn_class *class = drawn_class_at(i);
        for (long k = 0; is_wanted(o, class->name) && k < o->count; k++)
            if (!check_problem(o, class, o->first + k, &c))
                return EXIT_SYSTEM;
        if (is_wanted(o, class->name))
            print_counts(class->name, &c);
        add(&all, &c);
    }
    print_counts("all", &all);
    const int judged = all.verdict[RIGHT] + all.verdict[REMARKED] + all.verdict[WRONG];
    return all.verdict[WRONG] || all.far > PART_FAR * judged ? EXIT_NUMERICAL : EXIT_DONE;
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
    draw_order o = {0};
    o.count = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    int i = 2;
    for (; i + 1 < argc && argv[i][0] == '-'; i += 2)
        if (strcmp(argv[i], "--from") == 0)
            o.first = strtol(argv[i + 1], NULL, 10);
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
    if (o.count <= 0 || (o.method && !dae_find_method(o.method))) {
        fprintf(stderr, "usage: daelab-crosscheck --drawn COUNT [--from FIRST] [--method NAME] [CLASS...]\n");
        return EXIT_USAGE;
    }
    return check_all(&o);
}
