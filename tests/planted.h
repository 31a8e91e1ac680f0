/* planted.h - a copy of a problem with one change in one row of one of its functions
 *
 * A planting says what is changed, planted_copy makes the record. Functions of a model have no context: there
 * is one planting at a time, and one wrapper for each kind of function in each pass.
 */
#ifndef DAELAB_TEST_PLANTED_H
#define DAELAB_TEST_PLANTED_H

#include "support.h"

/* ---- what can be planted ------------------------------------------------------------------ */

typedef enum {
    PLANTED_FACTOR,             /* the row times 1.001, or 1 and a size of one's own */
    PLANTED_SIGN,
    PLANTED_ROWS,               /* this row and the next one exchanged */
    PLANTED_INPUTS,             /* entries row and row + 1 of an argument exchanged */
    PLANTED_LOST,               /* dual: the derivative; quad: the digits beyond double; double: beyond float */
    PLANTED_ADDED,              /* the size to the row; of no list of all changes, as it needs a size */
    PLANTED_CHANGES
} planted_change;

enum { IN_DOUBLE = 1, IN_DUAL = 2, IN_QUAD = 4, IN_TANGENT = 8, IN_ALL = 15 };

typedef enum { NO_LENGTH, ONE, NQ, NL, NG, TWO_NQ, NS, TWO_NS, N, INVARIANTS, STATE, UNKNOWNS } planted_length;
typedef enum { MAP0, MAP1, MAP2, MAP3, START, EVENT, ACTION, PARTIALS, JACOBIAN } planted_kind;

typedef union {
    dae_map0 map0;
    dae_map1 map1;
    dae_map2 map2;
    dae_map3 map3;
    dae_start start;
    dae_event_function event;
    dae_action action;
} planted_maps;

/* A function of a record, or of an event: where it is, and how long its arguments and its result are. */
typedef struct {
    const char *name;
    planted_kind kind;
    size_t at;
    planted_length in[3], out;
} planted_function;

#define AT(field) offsetof(dae_problem, field)
#define OF_EVENT(field) offsetof(dae_event, field)
static const planted_function planted_functions[] = {
    {"inertia", MAP2, AT(mechanical.inertia), {NQ, NQ}, NQ},
    {"force", MAP2, AT(mechanical.force), {NQ, NQ}, NQ},
    {"constraint", MAP1, AT(mechanical.constraint), {NQ}, NG},
    {"rate", MAP2, AT(mechanical.rate), {NQ, NQ}, NL},
    {"acceleration", MAP3, AT(mechanical.acceleration), {NQ, NQ, NQ}, NL},
    {"reaction", MAP2, AT(mechanical.reaction), {NQ, NL}, NQ},
    {"energy", MAP2, AT(mechanical.energy), {NQ, NQ}, ONE},
    {"minimal.acceleration", MAP2, AT(mechanical.minimal.acceleration), {NS, NS}, NS},
    {"minimal.embed", MAP2, AT(mechanical.minimal.embed), {NS, NS}, TWO_NQ},
    {"minimal.chart", MAP2, AT(mechanical.minimal.chart), {NQ, NQ}, TWO_NS},
    {"mass", MAP2, AT(first_order.mass), {N, N}, N},
    {"rhs", MAP1, AT(first_order.rhs), {N}, N},
    {"reduced", MAP1, AT(first_order.reduced), {N}, N},
    {"exact", MAP0, AT(first_order.exact), {NO_LENGTH}, N},
    {"invariants", MAP1, AT(invariants.value), {STATE}, INVARIANTS},
    {"start", START, AT(start), {NO_LENGTH}, UNKNOWNS},
    {"value", EVENT, OF_EVENT(value), {UNKNOWNS}, ONE},
    {"measure", EVENT, OF_EVENT(measure), {UNKNOWNS}, ONE},
    {"action", ACTION, OF_EVENT(action), {UNKNOWNS}, UNKNOWNS},
};

#define BLOCK(field, rows, columns) {"partials." #field, offsetof(dae_partials, field), rows, columns}
typedef struct { const char *name; size_t at; planted_length rows, columns; } planted_block;
static const planted_block planted_blocks[] = {
    BLOCK(f, NQ, ONE), BLOCK(f_q, NQ, NQ), BLOCK(f_v, NQ, NQ), BLOCK(f_t, NQ, ONE),
    BLOCK(r_q, NQ, NQ), BLOCK(r_t, NQ, ONE), BLOCK(G, NL, NQ), BLOCK(g_t, NG, ONE),
    BLOCK(rate_q, NL, NQ), BLOCK(rate_t, NL, ONE),
    BLOCK(acc_q, NL, NQ), BLOCK(acc_v, NL, NQ), BLOCK(acc_t, NL, ONE),
};
enum {
    PLANTED_FUNCTIONS = sizeof planted_functions / sizeof *planted_functions,
    PLANTED_BLOCKS = sizeof planted_blocks / sizeof *planted_blocks,
    PLANTED_LONGEST = 64,                       /* numbers in an argument or a result */
    PLANTED_ENTRIES = 1024,                     /* in a Jacobian */
    PLANTED_MODES = 8, PLANTED_EVENTS = 8
};

typedef struct {
    const dae_problem *problem;
    int copies;                 /* of nq and nl */
    int mode;                   /* 0: the problem itself */
    planted_kind kind;
    int function;               /* of planted_functions; of PARTIALS: of planted_blocks */
    int event;                  /* EVENT, ACTION: of the mode */
    planted_change change;
    unsigned passes;
    int row;                    /* of the result, from 0; PARTIALS, JACOBIAN: the entry */
    int input;                  /* PLANTED_INPUTS: the argument, 0, 1, 2 */
    double size;                /* PLANTED_FACTOR: 0: of 0.001; PLANTED_ADDED */
} planting;

static inline const dae_problem *planted_mode(const dae_problem *problem, int m)
{
    return m ? problem->modes[m - 1] : problem;
}

static inline int planted_modes(const dae_problem *problem)
{
    int count = 0;
    while (problem->modes && problem->modes[count])
        count++;
    return count + 1;
}

static inline int planted_size(const planting *w, planted_length length)
{
    const dae_problem *mode = planted_mode(w->problem, w->mode);
    const int nq = mode->mechanical.nq * w->copies, nl = mode->mechanical.nl * w->copies;
    const int n = mode->first_order.n, ns = mode->mechanical.minimal.n;
    const int sizes[] = {
        [NO_LENGTH] = 0, [ONE] = 1, [NQ] = nq, [NL] = nl,
        [NG] = nl - mode->mechanical.nonholonomic * w->copies, [TWO_NQ] = 2 * nq, [NS] = ns,
        [TWO_NS] = 2 * ns, [N] = n, [INVARIANTS] = w->problem->invariants.n,
        [STATE] = nq ? 2 * nq : n, [UNKNOWNS] = nq ? 2 * nq + nl : n,
    };
    return sizes[length];
}

/* ---- the wrappers ------------------------------------------------------------------------- */

static planting planted;
static planted_maps planted_original;
static const dae_problem *planted_in;                   /* the mode as it was */

static inline double lose_double(double x) { return (double)(float)x; }
static inline dae_dual lose_dual(dae_dual x) { return dae_dual_make(dae_dual_value(x), 0); }
static inline dae_quad lose_quad(dae_quad x) { return (dae_quad)(double)x; }
static inline dae_dual lose_tangent(dae_dual x) { return lose_dual(x); }

/* out and arguments as the change has them */
#define ALTER(scalar, suffix)                                                                     \
    static inline void alter_##suffix(scalar *out)                                                \
    {                                                                                             \
        const int i = planted.row;                                                                \
        const scalar x = planted.change == PLANTED_INPUTS ? (scalar)0 : out[i];                   \
        if (planted.change == PLANTED_FACTOR)                                                     \
            out[i] = planted.size > 0 ? x * (scalar)(1 + planted.size) : x * (scalar)1.001;       \
        else if (planted.change == PLANTED_ADDED)                                                 \
            out[i] = x + (scalar)planted.size;                                                    \
        else if (planted.change == PLANTED_SIGN)                                                  \
            out[i] = -x;                                                                          \
        else if (planted.change == PLANTED_LOST)                                                  \
            out[i] = lose_##suffix(x);                                                            \
        else if (planted.change == PLANTED_ROWS) {                                                \
            out[i] = out[i + 1];                                                                  \
            out[i + 1] = x;                                                                       \
        }                                                                                         \
    }                                                                                             \
    static inline const scalar *take_##suffix(const scalar *x, int which, scalar *copy)           \
    {                                                                                             \
        if (planted.change != PLANTED_INPUTS || planted.input != which)                           \
            return x;                                                                             \
        const int length = planted_size(&planted, planted_functions[planted.function].in[which]); \
        memcpy(copy, x, (size_t)length * sizeof *x);                                              \
        copy[planted.row] = x[planted.row + 1];                                                   \
        copy[planted.row + 1] = x[planted.row];                                                   \
        return copy;                                                                              \
    }
ALTER(double, double)
ALTER(dae_dual, dual)
ALTER(dae_quad, quad)
ALTER(dae_dual, tangent)

#define WRAP(param, scalar, suffix, member)                                                       \
    static void wrap0_##suffix(const param *p, scalar t, scalar *out)                             \
    {                                                                                             \
        planted_original.map0.member(p, t, out);                                                  \
        alter_##suffix(out);                                                                      \
    }                                                                                             \
    static void wrap1_##suffix(const param *p, scalar t, const scalar *x, scalar *out)            \
    {                                                                                             \
        scalar copy[PLANTED_LONGEST];                                                             \
        planted_original.map1.member(p, t, take_##suffix(x, 0, copy), out);                       \
        alter_##suffix(out);                                                                      \
    }                                                                                             \
    static void wrap2_##suffix(const param *p, scalar t, const scalar *x, const scalar *y,        \
                               scalar *out)                                                       \
    {                                                                                             \
        scalar copy[PLANTED_LONGEST];                                                             \
        planted_original.map2.member(p, t, take_##suffix(x, 0, copy), take_##suffix(y, 1, copy), out); \
        alter_##suffix(out);                                                                      \
    }                                                                                             \
    static void wrap3_##suffix(const param *p, scalar t, const scalar *x, const scalar *y,        \
                               const scalar *z, scalar *out)                                      \
    {                                                                                             \
        scalar copy[PLANTED_LONGEST];                                                             \
        planted_original.map3.member(p, t, take_##suffix(x, 0, copy), take_##suffix(y, 1, copy),  \
                                     take_##suffix(z, 2, copy), out);                             \
        alter_##suffix(out);                                                                      \
    }                                                                                             \
    static void wrap_start_##suffix(const param *p, scalar *out)                                  \
    {                                                                                             \
        planted_original.start.member(p, out);                                                    \
        alter_##suffix(out);                                                                      \
    }                                                                                             \
    static scalar wrap_event_##suffix(const param *p, scalar t, const scalar *x, int k)           \
    {                                                                                             \
        scalar copy[PLANTED_LONGEST];                                                             \
        scalar out[1] = {planted_original.event.member(p, t, take_##suffix(x, 0, copy), k)};      \
        alter_##suffix(out);                                                                      \
        return out[0];                                                                            \
    }                                                                                             \
    static int wrap_action_##suffix(const param *p, scalar t, scalar *x, scalar *p_new, int k)    \
    {                                                                                             \
        const int stop = planted_original.action.member(p, t, x, p_new, k);                       \
        alter_##suffix(x);                                                                        \
        return stop;                                                                              \
    }
WRAP(double, double, double, f)
WRAP(double, dae_dual, dual, dual)
WRAP(dae_quad, dae_quad, quad, quad)
WRAP(dae_dual, dae_dual, tangent, tangent)

/* Entries that the model never writes stay what they are: the model writes into zeros each time. */
static double planted_scratch[PLANTED_BLOCKS][PLANTED_ENTRIES];

static void wrap_partials(const double *p, double t, const double *q, const double *v, const double *a,
                          const double *lambda, dae_partials *out)
{
    dae_partials own = {.level = out->level};
    for (int b = 0; b < PLANTED_BLOCKS; b++) {
        double *to = memset(planted_scratch[b], 0, sizeof planted_scratch[b]);
        memcpy((char *)&own + planted_blocks[b].at, &to, sizeof to);
    }
    for (int i = 0; i < planted_size(&planted, NQ); i++)
        own.f[i] = NAN;
    planted_in->mechanical.partials(p, t, q, v, a, lambda, &own);
    alter_double(planted_scratch[planted.function]);
    for (int b = 0; b < PLANTED_BLOCKS; b++) {
        const planted_block *block = &planted_blocks[b];
        double *to;
        memcpy(&to, (char *)out + block->at, sizeof to);
        const int count = planted_size(&planted, block->rows) * planted_size(&planted, block->columns);
        if (to)
            memcpy(to, planted_scratch[b], (size_t)count * sizeof *to);
    }
}

/* The entries n n, n n + 1, ... are those of dF/dt. */
static void wrap_jacobian(const double *p, double t, const double *u, double *J, double *F_t)
{
    static double own[PLANTED_ENTRIES];
    const size_t n = (size_t)planted_size(&planted, N), entries = n * n;
    memset(own, 0, sizeof own);
    planted_in->first_order.jacobian(p, t, u, own, own + entries);
    alter_double(own);
    memcpy(J, own, entries * sizeof *J);
    memcpy(F_t, own + entries, n * sizeof *F_t);
}

/* ---- the record --------------------------------------------------------------------------- */

#define INSTALL(maps, prefix, member)                                                             \
    do {                                                                                          \
        const planted_maps was = *(maps);                                                         \
        if (was.member.f && passes & IN_DOUBLE)                                                   \
            (maps)->member.f = prefix##_double;                                                   \
        if (was.member.dual && passes & IN_DUAL)                                                  \
            (maps)->member.dual = prefix##_dual;                                                  \
        if (was.member.quad && passes & IN_QUAD)                                                  \
            (maps)->member.quad = prefix##_quad;                                                  \
        if (was.member.tangent && passes & IN_TANGENT)                                            \
            (maps)->member.tangent = prefix##_tangent;                                            \
    } while (0)

static inline void planted_install(planted_kind kind, unsigned passes, planted_maps *maps)
{
    switch (kind) {
    case MAP0: INSTALL(maps, wrap0, map0); break;
    case MAP1: INSTALL(maps, wrap1, map1); break;
    case MAP2: INSTALL(maps, wrap2, map2); break;
    case MAP3: INSTALL(maps, wrap3, map3); break;
    case START: INSTALL(maps, wrap_start, start); break;
    case EVENT: INSTALL(maps, wrap_event, event); break;
    case ACTION: INSTALL(maps, wrap_action, action); break;
    case PARTIALS: case JACOBIAN: break;
    }
}

/* The place of the planted function in a mode, or in an event of it. */
static inline void *planted_place(const planting *w, dae_problem *mode, dae_event *events)
{
    void *record = mode;
    if (w->kind == EVENT || w->kind == ACTION)
        record = &events[w->event];
    return (char *)record + planted_functions[w->function].at;
}

/* A copy of the problem with the change; the same memory each time. */
static inline const dae_problem *planted_copy(const planting *w)
{
    static dae_problem copy[PLANTED_MODES];
    static const dae_problem *others[PLANTED_MODES];
    static dae_event events[PLANTED_EVENTS];
    const int modes = planted_modes(w->problem);
    planted = *w;
    planted_in = planted_mode(w->problem, w->mode);
    assert_in_range(modes, 1, PLANTED_MODES);
    for (int m = 0; m < modes; m++) {
        copy[m] = *planted_mode(w->problem, m);
        others[m] = m + 1 < modes ? &copy[m + 1] : NULL;
    }
    copy[0].modes = modes > 1 ? others : NULL;
    dae_problem *mode = &copy[w->mode];
    if (w->kind == PARTIALS)
        mode->mechanical.partials = wrap_partials;
    else if (w->kind == JACOBIAN)
        mode->first_order.jacobian = wrap_jacobian;
    else {
        if (mode->events) {
            int count = 0;
            while (mode->events[count].name)
                count++;
            assert_in_range(count, 0, PLANTED_EVENTS - 1);
            memcpy(events, mode->events, (size_t)(count + 1) * sizeof *events);
            mode->events = events;
        }
        void *place = planted_place(w, mode, events);
        memset(&planted_original, 0, sizeof planted_original);
        memcpy(&planted_original, place, sizeof planted_original.map0);
        planted_maps now = planted_original;
        planted_install(w->kind, w->passes, &now);
        memcpy(place, &now, sizeof now.map0);
    }
    return copy;
}

/* ---- all of them -------------------------------------------------------------------------- */

typedef void planted_visitor(const planting *w);

static inline int planted_rows(const planting *w)
{
    if (w->kind == JACOBIAN)
        return planted_size(w, N) * (planted_size(w, N) + 1);
    if (w->kind == PARTIALS)
        return planted_size(w, planted_blocks[w->function].rows)
               * planted_size(w, planted_blocks[w->function].columns);
    return planted_size(w, planted_functions[w->function].out);
}

static inline void visit_rows(planting *w, int rows, planted_visitor *visit)
{
    for (w->row = 0; w->row < rows; w->row++)
        visit(w);
}

/* Changes of derivatives that are coded by hand, which doubles alone have. */
static inline void visit_entries(planting *w, planted_visitor *visit)
{
    w->passes = IN_ALL;
    for (int c = PLANTED_FACTOR; c <= PLANTED_ROWS; c++) {
        w->change = (planted_change)c;
        visit_rows(w, planted_rows(w) - (w->change == PLANTED_ROWS), visit);
    }
}

static inline void visit_changes(planting *w, planted_visitor *visit)
{
    const planted_function *f = &planted_functions[w->function];
    const int rows = planted_size(w, f->out);
    assert_in_range(rows, 0, PLANTED_LONGEST);
    w->passes = IN_ALL;
    for (int c = PLANTED_FACTOR; c <= PLANTED_ROWS; c++) {
        w->change = (planted_change)c;
        visit_rows(w, rows - (w->change == PLANTED_ROWS), visit);
    }
    w->change = PLANTED_INPUTS;
    for (w->input = 0; f->kind != ACTION && w->input < 3; w->input++)
        visit_rows(w, planted_size(w, f->in[w->input]) - 1, visit);
    w->input = 0;
    for (unsigned pass = IN_DOUBLE; pass <= IN_TANGENT; pass *= 2) {
        w->passes = pass;
        w->change = PLANTED_FACTOR;
        visit_rows(w, rows, visit);
        w->change = PLANTED_LOST;
        visit_rows(w, rows, visit);
    }
}

/* Every function of a mode that is there. */
static inline void visit_mode(planting *w, planted_visitor *visit)
{
    const dae_problem *mode = planted_mode(w->problem, w->mode);
    for (int k = 0; k < PLANTED_FUNCTIONS; k++) {
        const planted_function *f = &planted_functions[k];
        const int of_event = f->kind == EVENT || f->kind == ACTION;
        w->function = k;
        w->kind = f->kind;
        for (w->event = 0; w->event == 0 || of_event; w->event++) {
            if (of_event && !(mode->events && mode->events[w->event].name))
                break;
            const char *record = of_event ? (const char *)&mode->events[w->event] : (const char *)mode;
            planted_maps maps = {0};
            memcpy(&maps, record + f->at, sizeof maps.map0);
            if (maps.map0.f)
                visit_changes(w, visit);
        }
        w->event = 0;
    }
    w->kind = PARTIALS;
    for (w->function = 0; mode->mechanical.partials && w->function < PLANTED_BLOCKS; w->function++)
        visit_entries(w, visit);
    w->function = 0;
    w->kind = JACOBIAN;
    if (mode->first_order.jacobian)
        visit_entries(w, visit);
}

static inline void planted_visit(const dae_problem *problem, int copies, planted_visitor *visit)
{
    planting w = {.problem = problem, .copies = copies};
    for (w.mode = 0; w.mode < planted_modes(problem); w.mode++)
        visit_mode(&w, visit);
}

/* ---- in words ----------------------------------------------------------------------------- */

/* "acceleration", "partials.f_q", "slack value": what a finding calls the function */
static inline void planted_name(const planting *w, char *text, size_t length)
{
    const dae_problem *mode = planted_mode(w->problem, w->mode);
    const char *name = w->kind == PARTIALS ? planted_blocks[w->function].name
                       : w->kind == JACOBIAN ? "jacobian" : planted_functions[w->function].name;
    if (w->kind == EVENT || w->kind == ACTION)
        snprintf(text, length, "%s %s", mode->events[w->event].name, name);
    else
        snprintf(text, length, "%s", name);
}

static inline void planted_say(const planting *w, char *text, size_t length)
{
    static const char *const changes[PLANTED_CHANGES] = {"x 1.001", "other sign", "rows exchanged",
                                                         "arguments exchanged", "lost", "added"};
    static const char *const passes[] = {[IN_DOUBLE] = "double", [IN_DUAL] = "dual", [IN_QUAD] = "quad",
                                         [IN_TANGENT] = "tangent", [IN_ALL] = "all passes"};
    char name[64];
    planted_name(w, name, sizeof name);
    snprintf(text, length, "%s, mode %d, %s, row %d%s: %s in %s", w->problem->name, w->mode, name, w->row + 1,
             w->change != PLANTED_INPUTS ? "" : w->input == 0 ? " of argument 1"
             : w->input == 1 ? " of argument 2" : " of argument 3", changes[w->change],
             passes[w->passes]);
}

#endif
