/* cost.c - the chain of 100 links as a plain program solves it; answers how many seconds of CPU that took, line by line
 *
 *     cost REPETITIONS TIMES RTOL FORM METHOD     each after a line on standard input
 */
#define _GNU_SOURCE
#include <daelab/daelab.h>
#include <daelab/plugin.h>

#include <daelab/description.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const dae_problem *chain(const char *path)
{
    void *object = dlopen(path, RTLD_NOW);
    const dae_plugin_range *plugins = object ? dlsym(object, "dae_problem_plugins") : NULL;
    const dae_plugin *all = plugins ? plugins->first[0] : NULL;
    for (int i = 0; all && i < all->problems; i++)
        if (strcmp(dae_problem_describe(all->problem[i]).name, "chain") == 0)
            return all->problem[i];
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
}

typedef struct {
    dae_solver *solver;
    double *rows, t_end;
    int n, count, next;
} table;

/* After each step the rows inside it. */
static int fill(void *context, double t, const double *u)
{
    table *r = context;
    for (; r->next < r->count; r->next++) {
        const double at = r->next == r->count - 1 ? r->t_end : r->t_end * r->next / (r->count - 1);
        if (at > t)
            break;
        double *row = r->rows + r->next * r->n;
        if (at == t)
            memcpy(row, u, (size_t)r->n * sizeof *row);
        else if (dae_solver_interpolate(r->solver, at, row))
            return 1;
    }
    return 0;
}

/* rows[count x n] at times from 0 to t_end */
static double *solve(const dae_problem *problem, int count, double rtol, const char *form, const char *method)
{
    dae_system *sys;
    dae_solver *solver;
    dae_options options = dae_default_options();
    options.rtol = options.atol = rtol;
    double p[64];
    for (int i = 0; i < dae_parameter_count(problem); i++)
        p[i] = dae_parameter_default(problem, i);
    p[dae_parameter_index(problem, "N")] = 100;
    if (dae_system_create(&sys, problem, dae_find_formulation(form), p, NULL, NULL))
        exit(2);
    const int n = dae_system_size(sys);
    const double t_end = dae_problem_describe(problem).t_end;
    double *rows = malloc((size_t)(count * n) * sizeof *rows);
    if (dae_system_start(sys, rows, NULL) || dae_consistent_start(sys, 0, rows, NULL, NULL) ||
        dae_solver_create(&solver, sys, dae_find_method(method), &options, NULL) || dae_solver_start(solver, 0, rows))
        exit(3);
    double *u = malloc((size_t)n * sizeof *u);
    table r = {solver, rows, t_end, n, count, 1};
    dae_solver_observe(solver, fill, &r);
    if (dae_solver_advance(solver, t_end, u) || r.next != count)
        exit(4);
    free(u);
    dae_solver_free(solver);
    dae_system_free(sys);
    return rows;
}

int main(int argc, char **argv)
{
    const dae_problem *problem = chain(argc > 6 ? argv[6] : "");
    const int repetitions = atoi(argv[1]), count = atoi(argv[2]);
    for (int c = getchar(); c != EOF; c = getchar()) {
        const double begin = seconds();
        for (int i = 0; i < repetitions; i++)
            free(solve(problem, count, atof(argv[3]), argv[4], argv[5]));
        printf("%.9f\n", (seconds() - begin) / repetitions);
        fflush(stdout);
    }
    return 0;
}
