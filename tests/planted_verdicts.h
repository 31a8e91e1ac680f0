/* planted_verdicts.h - what a check of a model says of each planted change, counted */
#ifndef DAELAB_TEST_PLANTED_VERDICTS_H
#define DAELAB_TEST_PLANTED_VERDICTS_H

#include "planted_rules.h"

#include <daelab/check.h>

enum { MOST_FINDINGS = 64 };

typedef struct {
    int planted, found, other, nothing, missed;
    int stride, next;           /* every stride-th planting is made */
    int loud;                   /* 1: say each that is not found */
    const char *first;          /* of those missed, in words; NULL: none */
} planted_tally;

static planted_tally tally;
static scene at_work;
static dae_finding findings[MOST_FINDINGS];

/* Does a finding of this name speak of the function? Of an event it may say which part of it. */
static inline int speaks_of(const char *said, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(said, name, length) == 0
           && (said[length] == 0 || said[length] == ' ' || said[length] == '.');
}

/* The name that a finding has for the planted function */
static inline void finding_name(const planting *w, char *name, size_t length)
{
    if (w->kind == EVENT || w->kind == ACTION)
        snprintf(name, length, "events.%s", planted_mode(w->problem, w->mode)->events[w->event].name);
    else
        planted_name(w, name, length);
}

/* Is the row, from 1, one of these bits? */
static inline int among(uint64_t rows, int row)
{
    return row >= 1 && row <= 64 && rows >> (row - 1) & 1;
}

/* Where two functions are each other's only witnesses, either may be named; so may be the position and the
 * velocity of an embedding, q' = v. */
static inline int only_witness(const planting *w, uint64_t rows, const dae_finding *f)
{
    const char *said = f->function;
    const int nq = planted_size(w, NQ);
    static const char *const pairs[][2] = {
        {"force", "energy"}, {"force", "minimal.acceleration"}, {"force", "partials"},
        {"inertia", "energy"}, {"inertia", "minimal.acceleration"}, {"inertia", "force"},
        {"minimal.acceleration", "force"}, {"energy", "force"}, {"energy", "inertia"},
        {"minimal.embed", "minimal.chart"},
        {"rhs", "jacobian"}, {"rhs", "reduced"}, {"rhs", "exact"}, {"rhs", "invariants"}, {"rhs", "index"},
        {"mass", "rhs"}, {"mass", "exact"}, {"mass", "index"}, {"mass", "reduced"},
        {"reduced", "rhs"}, {"exact", "rhs"}, {"invariants", "rhs"},
    };
    char name[64];
    finding_name(w, name, sizeof name);
    if (w->passes == IN_ALL && IS(w, mechanical.minimal.embed) && speaks_of(said, name)
        && (among(rows, f->row + nq) || among(rows, f->row - nq)))
        return 1;
    for (size_t i = 0; w->passes == IN_ALL && i < sizeof pairs / sizeof *pairs; i++)
        if (speaks_of(name, pairs[i][0]) && speaks_of(said, pairs[i][1]))
            return 1;
    return 0;
}

/* The power of a wrong force is one number, which names no row. */
static inline int no_row_can_be_told(const planting *w, const dae_finding *f)
{
    return w->passes == IN_ALL && f->row == 0
           && (IS(w, mechanical.force) || IS(w, mechanical.inertia));
}

/* Of an exact solution the row is that of the equation which it does not solve; where M is not symmetric its row
 * and its column are each other's only witnesses; of a vector the column may be left out. */
static inline int right_row(const planting *w, uint64_t rows, const dae_finding *f)
{
    int row, column;
    if (w->kind < PARTIALS)
        return w->kind == EVENT || planted_rows(w) == 1 || (IS(w, first_order.exact) && w->passes == IN_ALL)
               || among(rows, f->row) || no_row_can_be_told(w, f)
               || (IS(w, mechanical.inertia) && among(rows, f->column));
    for (int k = 0; k <= (w->change == PLANTED_ROWS); k++) {
        entry_place(w, w->row + k, &row, &column);
        if (f->row == row && (f->column == column || !column))
            return 1;
    }
    return 0;
}

/* 2: function and row; 1: a function that may be named for it; 0: neither */
static inline int recognised(const planting *w, uint64_t rows, int count)
{
    char name[64];
    int best = 0;
    finding_name(w, name, sizeof name);
    for (int i = 0; i < count; i++) {
        const dae_finding *f = &findings[i];
        if (!f->failed)
            continue;
        if (speaks_of(f->function, name) && right_row(w, rows, f))
            return 2;
        best |= only_witness(w, rows, f);
    }
    return best;
}

static inline int failures(int count)
{
    int failed = 0;
    for (int i = 0; i < count; i++)
        failed += findings[i].failed;
    return failed;
}

static inline void say_planting(const planting *w, const char *verdict, int count)
{
    char what[256];
    planted_say(w, what, sizeof what);
    print_message("%s: %s\n", what, verdict);
    for (int i = 0; i < count; i++)
        if (findings[i].failed)
            print_message("    %s row %d column %d: %s\n", findings[i].function, findings[i].row,
                          findings[i].column, findings[i].sentence);
}

static inline void try_planting(const planting *w)
{
    static char first[256];
    uint64_t rows;
    int count = 0;
    dae_report why = {0};
    if (tally.next++ % tally.stride)
        return;
    if (at_work.problem != w->problem || at_work.mode != w->mode)
        scene_build(&at_work, w->problem, w->copies, w->mode);
    const dae_problem *wrong = planted_copy(w);
    const char *nothing = planted_nothing(&at_work, w, &rows);
    tally.planted++;
    if (nothing && tally.loud < 2) {
        tally.nothing++;
        return;
    }
    if (dae_check_model(wrong, at_work.p.value, NULL, NULL, findings, MOST_FINDINGS, &count, &why))
        fail_msg("%s: %s", w->problem->name, why.message);
    count = count < MOST_FINDINGS ? count : MOST_FINDINGS;
    const int known = recognised(w, rows, count);
    if (nothing) {
        tally.nothing++;
        if (failures(count) && !known)
            say_planting(w, nothing, count);
        return;
    }
    tally.found += known == 2;
    tally.other += known == 1;
    tally.missed += known == 0;
    if (!known && !tally.first) {
        planted_say(w, first, sizeof first);
        tally.first = first;
    }
    if (known < 2 && tally.loud)
        say_planting(w, known ? "another function" : "MISSED", count);
}

/* Every stride-th change of a problem; with a number of copies that shows all kinds of rows. */
static inline void try_problem(const dae_problem *problem, int stride)
{
    enum { COPIES = 3 };
    int copies = 1;
    for (int i = 0; i < dae_parameter_count(problem); i++)
        if (dae_parameter_at(problem, i)->range == DAE_COUNT)
            copies = COPIES;
    tally.stride = stride;
    planted_visit(problem, copies, try_planting);
}

static inline void say_tally(const char *of)
{
    print_message("%s: %d planted, %d found with function and row, %d found in another function that is the "
                  "only witness, %d contradict nothing, %d missed\n",
                  of, tally.planted, tally.found, tally.other, tally.nothing, tally.missed);
}

#endif
