/* main.c - daelab-crosscheck: every problem by every form and method, rows between steps included
 *
 *     daelab-crosscheck [--rtol R] [PROBLEM...]
 *     daelab-crosscheck --drawn COUNT [--from FIRST] [--jobs COUNT] [--method NAME] [CLASS...]
 *
 * One line for each pair that is not right, one of counts for each problem and one for all. Exit 1 where
 * something is wrong without a word, or more than a tenth is remarked.
 */
#include "draws.h"
#include "judge.h"

#include "catalogue/catalogue.h"
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

static void print(const judgement *j, const subject *s, const dae_formulation *form,
                  const dae_method *method, const char *how)
{
    if (j->verdict != RIGHT && j->verdict != REFUSED)
        printf("%-9s %s %s %s %s: %s\n", verdict_names[j->verdict], s->problem->name,
               dae_formulation_describe(form).name, dae_method_describe(method).name, how, j->why);
    fflush(stdout);
}

static void check_pair(const subject *s, const dae_formulation *form, const dae_method *method,
                       double rtol, int *count)
{
    const dae_method_info info = dae_method_describe(method);
    if (info.adaptive) {
        const judgement j = judge_tolerance(s, form, method, rtol);
        print(&j, s, form, method, "by tolerance");
        count[j.verdict]++;
    }
    if (info.fixed && !s->eventful) {
        const judgement j = judge_fixed(s, form, method);
        print(&j, s, form, method, "fixed steps");
        count[j.verdict]++;
    }
}

static void print_counts(const char *what, const int *count)
{
    printf("%-22s", what);
    for (int v = 0; v < REFUSED; v++)
        printf(" %5d %s%s", count[v], verdict_names[v], v < REFUSED - 1 ? "," : "\n");
    fflush(stdout);
}

static int check_problem(const dae_problem *problem, double rtol, int *total)
{
    subject s;
    dae_report why = {0};
    int count[VERDICTS] = {0};
    if (subject_begin(&s, problem, &why)) {
        printf("%s: nothing to compare with: %s\n", problem->name, why.message);
        subject_end(&s);
        return 0;
    }
    for (int f = 0; dae_formulation_at(f); f++)
        for (int m = 0; dae_formulation_applies(dae_formulation_at(f), problem) && catalogue_method(m);
             m++)
            check_pair(&s, dae_formulation_at(f), catalogue_method(m), rtol, count);
    print_counts(problem->name, count);
    for (int v = 0; v < VERDICTS; v++)
        total[v] += count[v];
    subject_end(&s);
    return 1;
}

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

int main(int argc, char **argv)
{
    int total[VERDICTS] = {0}, missing = 0, first = 1;
    double rtol = 1e-6;
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return usage(stdout, EXIT_DONE);
    if (argc > 1 && strcmp(argv[1], "--drawn") == 0) {
        const int code = draws_main(argc - 1, argv + 1);
        return code == EXIT_USAGE ? usage(stderr, code) : code;
    }
    if (argc > 2 && strcmp(argv[1], "--rtol") == 0) {
        rtol = strtod(argv[2], NULL);
        first = 3;
    }
    if (!(rtol > 0 && rtol < 1) || (argc > first && argv[first][0] == '-'))
        return usage(stderr, EXIT_USAGE);
    for (int i = first; i < argc; i++)
        if (!catalogue_find_problem(argv[i])) {
            fprintf(stderr, "daelab-crosscheck: there is no problem %s\n", argv[i]);
            return EXIT_USAGE;
        }
    for (int i = 0; argc == first && catalogue_problem(i); i++)
        missing += !check_problem(catalogue_problem(i), rtol, total);
    for (int i = first; i < argc; i++)
        missing += !check_problem(catalogue_find_problem(argv[i]), rtol, total);
    if (argc != first + 1)
        print_counts("all", total);
    const int judged = total[RIGHT] + total[REMARKED] + total[FAILED] + total[WRONG];
    return missing || total[WRONG] || total[REMARKED] > judged / 10 ? EXIT_NUMERICAL : EXIT_DONE;
}
