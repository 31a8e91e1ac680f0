/* search.c - which constants should the step-size controller have?
 *
 *     daelab-control HALF METHOD,... [NAME=now,before,tight,loose,safety,most,first,again,exact ...]
 *                    [bound=X] [operations=X]
 *
 * Every controller is run on all shipped problems without events, and those of this folder, in all their forms, by
 * methods over tolerances 1e-1 to 1e-9, and compared with the present one by the work that an error
 * costs: ln of the work is interpolated over ln of the true error, and the difference averaged over the errors that
 * both reach. The problems are numbered as they stand in the table and so are tolerances, a fourth of a decade
 * apart: HALF is train, which takes problems and tolerances of even numbers, check, which takes those of odd ones,
 * all, or sample, which is for the tests: first-order problems of the check at a tolerance each decade. A
 * controller called present takes the place of that of the methods; two limits make it an error where, in the mean of a
 * method's problems, it takes more than bound times the work of another controller at equal error, or more than so
 * many operations for an error of 1e-4: the latter sees what all controllers have in common. One row for each method
 * and controller: mean quotient of work at equal error, the worst problem, problems above 1.1; mean quotient of error
 * at equal tolerance, the worst problem, problems above 1.2; problems, steps, rejected tries.
 */
#include "curves.h"

#include <daelab/study.h>

#include "problems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SUBJECTS = 256, MOST_CONTROLLERS = 64, TOLERANCES = 33, LARGEST = 60 };

extern const dae_problem dae_brusselator, dae_e5, dae_kaps, dae_prothero_robinson;
static const dae_problem *const planted[] = {&dae_brusselator, &dae_e5, &dae_kaps, &dae_prothero_robinson};
enum { PLANTED = sizeof planted / sizeof *planted };

typedef struct { char name[64]; dae_controller controller; int given; } candidate;
typedef struct {
    int count;
    double error[MOST_POINTS], work[MOST_POINTS], at[MOST_POINTS];
    long steps, rejected;
} curve;

static subject subjects[MOST_SUBJECTS];
static candidate candidates[MOST_CONTROLLERS];
static int subject_count, candidate_count = 1;
static double bound = INFINITY, most_operations = INFINITY;
static const double FIXED_ERROR = 1e-4;         /* at which operations are counted */

/* ---- what is run --------------------------------------------------------------------------- */

static int is_sample(const char *half) { return *half == 's'; }

static int has_part(const char *half, int i) { return *half == 'a' || (i % 2 == 1) == (*half != 't'); }

/* A fourth of a decade, or a decade apart */
static int has_tolerance(const char *half, int i) { return is_sample(half) ? i % 4 == 1 : has_part(half, i); }

static void add_subjects(const dae_problem *problem)
{
    const dae_problem_info info = dae_problem_describe(problem);
    if (info.events || info.modes > 1)
        return;
    for (int f = 0; dae_formulation_at(f) && subject_count < MOST_SUBJECTS; f++) {
        dae_system *sys;
        if (dae_system_create(&sys, problem, dae_formulation_at(f), NULL, NULL, NULL))
            continue;
        const int small = dae_system_size(sys) <= LARGEST;
        dae_system_free(sys);
        if (small && subject_create(&subjects[subject_count], problem, dae_formulation_at(f)))
            subject_count++;
    }
}

static void find_subjects(const char *half)
{
    int i = 0;
    for (; dae_problems[i]; i++)
        if (has_part(half, i) && !(is_sample(half) && dae_problems[i]->mechanical.nq))
            add_subjects(dae_problems[i]);
    for (int k = 0; k < PLANTED; k++)
        if (*half != 't')
            add_subjects(planted[k]);
}

static curve curve_of(const subject *s, const dae_method *method, const candidate *c, const char *half)
{
    curve y = {0};
    for (int i = 0; i < TOLERANCES; i++) {
        if (!has_tolerance(half, i))
            continue;
        const run_point p = run_at(s, method, c->given ? &c->controller : NULL, pow(10, -1 - 0.25 * i));
        if (!p.valid)
            continue;
        y.error[y.count] = p.error;
        y.work[y.count] = p.work;
        y.at[y.count++] = i;
        y.steps += p.steps;
        y.rejected += p.rejected;
    }
    return y;
}

/* ---- comparison ---------------------------------------------------------------------------- */

/* ln work = a + b ln error through all points */
static double slope(const curve *y)
{
    double x = 0, w = 0, xx = 0, xw = 0;
    for (int i = 0; i < y->count; i++) {
        x += y->error[i] / y->count;
        w += y->work[i] / y->count;
    }
    for (int i = 0; i < y->count; i++) {
        xx += (y->error[i] - x) * (y->error[i] - x);
        xw += (y->error[i] - x) * (y->work[i] - w);
    }
    return xx > 0 ? xw / xx : 0;
}

/* What the work of this error is on a curve: from the two points at tolerances next to index i, by the slope. */
static double work_at(const curve *y, double error, double at)
{
    const double b = fmin(slope(y), -0.02);
    double sum = 0, weight = 0;
    for (int i = 0; i < y->count; i++) {
        const double w = exp(-0.5 * (y->at[i] - at) * (y->at[i] - at) / 4);
        sum += w * (y->work[i] + b * (error - y->error[i]));
        weight += w;
    }
    return sum / weight;
}

typedef struct { double work, error, worst_error; int count; } outcome;

/* Means of ln quotients of work at equal error, and of error at equal tolerance. */
static outcome compare(const curve *old, const curve *new)
{
    outcome o = {.worst_error = -INFINITY};
    for (int i = 0; i < old->count; i++)
        for (int j = 0; j < new->count; j++)
            if (old->at[i] == new->at[j]) {
                o.error += new->error[j] - old->error[i];
                o.worst_error = fmax(o.worst_error, new->error[j] - old->error[i]);
                o.work += work_at(new, 0.5 * (old->error[i] + new->error[j]), old->at[i])
                          - work_at(old, 0.5 * (old->error[i] + new->error[j]), old->at[i]);
                o.count++;
            }
    if (o.count) {
        o.work /= o.count;
        o.error /= o.count;
    }
    return o;
}

/* ---- table --------------------------------------------------------------------------------- */

/* ln of the operations for an error of FIXED_ERROR, by the slope */
static double operations(const curve *y)
{
    double sum = 0;
    for (int i = 0; i < y->count; i++)
        sum += y->work[i] + fmin(slope(y), -0.02) * (log(FIXED_ERROR) - y->error[i]);
    return sum / y->count;
}

/* One controller by one method: sums over the problems, and the worst of them */
typedef struct {
    double work, error, worst, most;
    char where[80], where_error[80];    /* of worst and most */
    long steps, rejected;
    int cells, over, gate;              /* problems; above 1.1 in work, above 1.2 in error */
} row;

static void name_subject(const subject *x, char name[80])
{
    snprintf(name, 80, "%s %s", x->problem->name, dae_formulation_describe(x->form).name);
}

static void add_to_row(row *r, const subject *x, const curve *y, const outcome *o)
{
    r->work += o->work;
    r->error += o->error;
    r->steps += y->steps;
    r->rejected += y->rejected;
    r->cells++;
    r->over += o->work > log(1.1);
    r->gate += o->error > log(1.2);
    if (o->work > r->worst) {
        r->worst = o->work;
        name_subject(x, r->where);
    }
    if (o->error > r->most) {
        r->most = o->error;
        name_subject(x, r->where_error);
    }
}

static void show_row(const row *r, const char *method, const char *controller)
{
    if (r->cells)
        printf("| %-8s | %-14s | %.3f | %5.2f %-28s | %3d | %5.2f | %5.2f %-28s | %3d | %3d | %7ld | %6ld |\n",
               method, controller, exp(r->work / r->cells), exp(r->worst), r->where, r->over,
               exp(r->error / r->cells), exp(r->most), r->where_error, r->gate, r->cells, r->steps, r->rejected);
}

/* Is the present controller, of these mean operations, within the limits? work: ln of others over it */
static int within(const char *method, const row *rows, double mean)
{
    int good = rows[0].cells > 0 && mean <= most_operations;
    fprintf(stderr, "%s: %.4g operations for an error of %g\n", method, mean, FIXED_ERROR);
    for (int c = 1; c < candidate_count; c++)
        good &= rows[c].cells && exp(-rows[c].work / rows[c].cells) <= bound;
    if (!good)
        fprintf(stderr, "%s: the present controller takes more work than the limits say\n", method);
    return good;
}

/* Every controller on one problem; ln of the operations with the present one */
static double try_subject(const subject *x, const dae_method *method, const char *half, row *rows)
{
    const curve old = curve_of(x, method, &candidates[0], half);
    if (old.count < 3)
        return 0;
    for (int c = 0; c < candidate_count; c++) {
        const curve y = c ? curve_of(x, method, &candidates[c], half) : old;
        const outcome o = compare(&old, &y);
        if (o.count < old.count - 1)
            fprintf(stderr, "%s %s: %s failed\n", dae_method_describe(method).name, x->problem->name,
                    candidates[c].name);
        if (o.count)
            add_to_row(&rows[c], x, &y, &o);
    }
    return operations(&old);
}

static int try_method(const dae_method *method, const char *half)
{
    const char *name = dae_method_describe(method).name;
    row rows[MOST_CONTROLLERS];
    double present = 0;
    for (int c = 0; c < candidate_count; c++)
        rows[c] = (row){.worst = -INFINITY, .most = -INFINITY};
    for (int k = 0; k < subject_count; k++)
        present += try_subject(&subjects[k], method, half, rows);
    for (int c = 0; c < candidate_count; c++)
        show_row(&rows[c], name, candidates[c].name);
    fflush(stdout);
    return within(name, rows, exp(present / rows[0].cells));
}

static int read_candidate(char *text)
{
    if (sscanf(text, "bound=%lf", &bound) == 1 || sscanf(text, "operations=%lf", &most_operations) == 1)
        return 1;
    candidate *c = &candidates[candidate_count];
    dae_controller *x = &c->controller;
    if (candidate_count == MOST_CONTROLLERS
        || sscanf(text, "%63[^=]=%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", c->name, &x->now, &x->before, &x->tight,
                  &x->loose, &x->safety, &x->most, &x->first, &x->again, &x->exact) != 10)
        return 0;
    x->least = 0.2;
    x->exact = log(x->exact);
    c->given = 1;
    if (strcmp(c->name, "present") == 0)
        candidates[0] = *c;
    else
        candidate_count++;
    return 1;
}

int main(int argc, char **argv)
{
    char *methods = argc > 2 ? argv[2] : NULL;
    if (argc < 3 || (strcmp(argv[1], "train") && strcmp(argv[1], "check") && strcmp(argv[1], "sample")
                     && strcmp(argv[1], "all"))) {
        fprintf(stderr, "usage: daelab-control train|check|sample|all METHOD,... "
                "[NAME=now,before,tight,loose,safety,most,first,again,exact ...] [bound=X] [operations=X]\n");
        return 2;
    }
    strcpy(candidates[0].name, "present");
    for (int i = 3; i < argc; i++)
        if (!read_candidate(argv[i])) {
            fprintf(stderr, "%s: a controller is NAME=now,...\n", argv[i]);
            return 2;
        }
    find_subjects(argv[1]);
    fprintf(stderr, "%d subjects\n", subject_count);
    int known = 1, good = 1;
    for (char *name = strtok(methods, ","); name; name = strtok(NULL, ","))
        if (dae_find_method(name)) {
            good &= try_method(dae_find_method(name), argv[1]);
        } else {
            fprintf(stderr, "%s: there is no such method\n", name);
            known = 0;
        }
    return !known ? 2 : !good;
}
