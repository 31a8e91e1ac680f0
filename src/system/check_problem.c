/* check_problem.c - is a problem record complete? Each gap gets a sentence before anything is
 * called */
#include "parameters.h"
#include "system.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { MOST_UNKNOWNS = 100000000, MOST_VALUES = 100000000 };

/* ---- functions ---------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    int f, dual, quad, tangent; /* is this function of it there? */
    int needed;
    int plain;                  /* its derivatives are not asked for */
} map_given;

#define MAP(kind, map, ...)                                                                       \
    {#map, (kind)->map.f != NULL, (kind)->map.dual != NULL, (kind)->map.quad != NULL,             \
     (kind)->map.tangent != NULL, __VA_ARGS__}

enum { MOST_MAPS = 10 };
typedef struct { map_given map[MOST_MAPS]; int count; } maps_given;

static maps_given list_mechanical(const dae_problem *problem)
{
    const dae_mechanical *m = &problem->mechanical;
    const dae_minimal *minimal = &m->minimal;
    const int bound = m->nl > 0, holonomic = m->nl > m->nonholonomic, given = minimal->n > 0;
    return (maps_given){{MAP(m, inertia, 1, 0), MAP(m, force, 1, 0), MAP(m, constraint, holonomic, 0),
                         MAP(m, rate, bound, 0), MAP(m, acceleration, bound, 0),
                         MAP(m, reaction, bound, 0), MAP(m, energy, m->conservative != 0, 0),
                         MAP(minimal, acceleration, given, 0), MAP(minimal, embed, given, 0),
                         MAP(minimal, chart, given, 0)}, MOST_MAPS};
}

static maps_given list_first_order(const dae_problem *problem)
{
    const dae_first_order *f = &problem->first_order;
    return (maps_given){{MAP(f, rhs, 1, 0), MAP(f, mass, 0, 0), MAP(f, reduced, 0, 0),
                         MAP(f, exact, 0, 1)}, 4};
}

static maps_given list_maps(const dae_problem *problem)
{
    return problem->mechanical.nq > 0 ? list_mechanical(problem) : list_first_order(problem);
}

static dae_status check_map(const dae_problem *problem, const map_given *map, dae_report *report)
{
    const int any = map->f || map->dual || map->quad;
    if (!any && map->needed)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: the record has no %s", problem->name,
                        map->name);
    if (any && !map->f)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: %s has no function of doubles (.f)",
                        problem->name, map->name);
    if (any && !map->dual && !map->plain)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: %s has no function of dual numbers (.dual)",
                        problem->name, map->name);
    return DAE_OK;
}

static dae_status check_maps(const dae_problem *problem, dae_report *report)
{
    const dae_invariants *invariants = &problem->invariants;
    const map_given value = MAP(invariants, value, invariants->n > 0, 0);
    const maps_given maps = list_maps(problem);
    dae_status status = DAE_OK;
    for (int i = 0; !status && i < maps.count; i++)
        status = check_map(problem, &maps.map[i], report);
    return status || !invariants->n ? status : check_map(problem, &value, report);
}

dae_status dae_check_quad(const dae_problem *problem, dae_report *report)
{
    const maps_given maps = list_maps(problem);
    for (int i = 0; i < maps.count; i++)
        if (maps.map[i].f && !maps.map[i].quad)
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s: a reference needs %s as a function of "
                            "quad numbers (.quad)", problem->name, maps.map[i].name);
    return DAE_OK;
}

dae_status dae_check_tangent(const dae_problem *problem, dae_report *report)
{
    const maps_given maps = list_maps(problem);
    for (int i = 0; i < maps.count; i++)
        if (maps.map[i].f && !maps.map[i].tangent && !maps.map[i].plain)
            return dae_fail(report, DAE_UNSUPPORTED, "%s: derivatives with respect to parameters need "
                            "%s as a function of dual parameters (.tangent)", problem->name,
                            maps.map[i].name);
    return DAE_OK;
}

/* ---- names -------------------------------------------------------------------------------- */

static inline int is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Most letters are behind all blanks. */
static inline int ends_word(char c) { return (unsigned char)c <= ' ' && (c == 0 || is_blank(c)); }

/* Two of 64 bits from the letters of a name, up to a blank or its end, which *name moves to; *length of them. */
static inline uint64_t mark_of(const char **name, int *length)
{
    const char *c = *name;
    uint64_t mixed = 0;
    for (; !ends_word(*c); c++)
        mixed = (mixed ^ (unsigned char)*c) * 0x9e3779b97f4a7c15u;
    *length = (int)(c - *name);
    *name = c;
    return (uint64_t)1 << (mixed >> 58) | (uint64_t)1 << (mixed >> 52 & 63);
}

/* Is this word one of those before it in the list? */
static int stands_before(const char *list, const char *word, int length)
{
    for (int other; list < word; list += other) {
        while (is_blank(*list))
            list++;
        for (other = 0; !ends_word(list[other]);)
            other++;
        if (list < word && other == length && strncmp(word, list, (size_t)length) == 0)
            return 1;
    }
    return 0;
}

typedef struct { int count; const char *twice; int length; } words_read;

/* How many words a list has, and one that stands in it twice, of so many letters, or NULL. Only words with a mark that
 * another one has had are compared. */
static words_read read_words(const char *list)
{
    words_read read = {0, NULL, 0};
    uint64_t marks = 0;
    for (const char *rest = list;; read.count++) {
        int length;
        while (is_blank(*rest))
            rest++;
        const char *word = rest;
        const uint64_t mark = mark_of(&rest, &length);
        if (length == 0)
            return read;
        if ((marks & mark) == mark && !read.twice && stands_before(list, word, length)) {
            read.twice = word;
            read.length = length;
        }
        marks |= mark;
    }
}

/* A list may be left out, or be empty; any other has a word for each. */
static dae_status check_list(const dae_problem *problem, const char *what, const char *list,
                             int wanted, int differ, dae_report *report)
{
    if (!list)
        return DAE_OK;
    const words_read read = read_words(list);
    if (read.count && read.count != wanted)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: %s = \"%.60s\" has %d words, not %d",
                        problem->name, what, list, read.count, wanted);
    if (differ && read.twice)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: %s has the name %.*s twice", problem->name,
                        what, read.length, read.twice);
    return DAE_OK;
}

static dae_status check_lists(const dae_problem *problem, dae_report *report)
{
    const dae_mechanical *m = &problem->mechanical;
    const dae_minimal *minimal = &m->minimal;
    const dae_invariants *invariants = &problem->invariants;
    const int n = m->nq > 0 ? 2 * m->nq + m->nl : problem->first_order.n;
    const struct { const char *what, *list; int wanted, differ; } lists[] = {
        {"variables", problem->variables, n, 1},
        {"units", problem->units, n, 0},
        {"minimal.names", minimal->n > 0 ? minimal->names : NULL, 2 * minimal->n, 1},
        {"minimal.units", minimal->n > 0 ? minimal->units : NULL, 2 * minimal->n, 0},
        {"invariants.names", invariants->n ? invariants->names : NULL, invariants->n, 1},
        {"invariants.units", invariants->n ? invariants->units : NULL, invariants->n, 0}};
    dae_status status = DAE_OK;
    for (size_t i = 0; !status && i < sizeof lists / sizeof *lists; i++)
        status = check_list(problem, lists[i].what, lists[i].list, lists[i].wanted,
                            lists[i].differ, report);
    return status;
}

/* ---- numbers ------------------------------------------------------------------------------ */

static dae_status check_mass_kinds(const dae_problem *problem, dae_report *report)
{
    const dae_mechanical *m = &problem->mechanical;
    const dae_first_order *f = &problem->first_order;
    if ((int)m->mass < DAE_MASS_TRIED || (int)m->mass > DAE_MASS_VARIES)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: mass = %d is no kind of mass matrix",
                        problem->name, (int)m->mass);
    if ((int)f->mass_kind < DAE_MASS_TRIED || (int)f->mass_kind > DAE_MASS_VARIES)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: mass_kind = %d is no kind of mass matrix",
                        problem->name, (int)f->mass_kind);
    if (f->mass_kind == DAE_MASS_VARIES && !f->mass.f)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: mass_kind says that M varies, and there is no mass",
                        problem->name);
    return DAE_OK;
}

static dae_status check_sizes(const dae_problem *problem, dae_report *report)
{
    const dae_mechanical *m = &problem->mechanical;
    const dae_first_order *f = &problem->first_order;
    const struct { const char *what; int count; } sizes[] = {
        {"mechanical.nq", m->nq}, {"mechanical.nl", m->nl},
        {"mechanical.nonholonomic", m->nonholonomic}, {"first_order.n", f->n},
        {"mechanical.minimal.n", m->minimal.n}, {"invariants.n", problem->invariants.n}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i].count < 0 || sizes[i].count > MOST_UNKNOWNS / 4)
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s: %s = %d lies outside 0 ... %d",
                            problem->name, sizes[i].what, sizes[i].count,
                            (int)MOST_UNKNOWNS / 4);
    if (!m->nq == !f->n)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: a record is mechanical, nq > 0, or of first "
                        "order, n > 0, and not %s", problem->name, m->nq ? "both" : "neither");
    if (!m->nq && (m->nl || m->minimal.n))
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: multipliers and minimal coordinates are "
                        "those of a mechanical problem, and nq = 0", problem->name);
    if (m->partials && m->sparse_partials)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: derivatives are stated twice, by partials and sparse_partials: "
                        "give one of them", problem->name);
    if (m->nonholonomic > m->nl)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: %d constraints are nonholonomic, of nl = %d",
                        problem->name, m->nonholonomic, m->nl);
    if (m->nonholonomic && m->minimal.n)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: with nonholonomic constraints there are fewer "
                        "velocities than positions that can be chosen, and minimal coordinates (s, s') "
                        "are as many of both", problem->name);
    if (f->index < 0)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: index = %d is negative", problem->name,
                        f->index);
    if (f->index > DAE_MAX_INDEX)
        return dae_fail(report, DAE_UNSUPPORTED, "%s: index %d lies outside 0 ... %d",
                        problem->name, f->index, (int)DAE_MAX_INDEX);
    return check_mass_kinds(problem, report);
}

static dae_status check_interval(const dae_problem *problem, dae_report *report)
{
    if (!isfinite(problem->t0) || !isfinite(problem->t_end))
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: its interval, t0 = %g to t_end = %g, is not "
                        "finite", problem->name, problem->t0, problem->t_end);
    if (!(problem->rtol >= 0 && problem->rtol < 1))
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: rtol = %g lies outside 0 ... 1", problem->name, problem->rtol);
    return problem->start.f ? DAE_OK : dae_fail(report, DAE_BAD_ARGUMENT, "%s: the record has no "
                                              "start", problem->name);
}

/* ---- parameters and events ---------------------------------------------------------------- */

static dae_status check_parameter(const dae_problem *problem, const dae_parameter *p, dae_report *report)
{
    const int range = (int)p->range;
    if (p->count < 0 || p->count > MOST_VALUES)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: parameter %s has the count %d, outside 0 ... %d",
                        problem->name, p->name, p->count, (int)MOST_VALUES);
    if (range < DAE_ANY_VALUE || range > DAE_COUNT)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: parameter %s has the unknown range %d",
                        problem->name, p->name, range);
    if (range == DAE_COUNT && !problem->mechanical.nq)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: parameter %s is a DAE_COUNT, of copies, "
                        "which only a mechanical problem has", problem->name, p->name);
    if (range == DAE_COUNT && p->count > 1)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: parameter %s is a DAE_COUNT, and an array of %d",
                        problem->name, p->name, p->count);
    return DAE_OK;
}

/* Is there one of this name before it? */
static int is_named_before(const dae_problem *problem, const dae_parameter *p)
{
    for (const dae_parameter *q = dae_parameter_first(problem); q != p; q = dae_parameter_next(problem, q))
        if (strcmp(q->name, p->name) == 0)
            return 1;
    return 0;
}

/* What was seen of the parameters so far. */
typedef struct { uint64_t marks; const dae_parameter *copies; } parameters_seen;

/* Beside those before it: names of the same mark are compared. */
static dae_status check_beside(const dae_problem *problem, const dae_parameter *p, parameters_seen *seen,
                               dae_report *report)
{
    const char *name = p->name;
    int length;
    const uint64_t mark = mark_of(&name, &length);
    if ((seen->marks & mark) == mark && is_named_before(problem, p))
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: two parameters are named %s", problem->name, p->name);
    seen->marks |= mark;
    if (p->range != DAE_COUNT)
        return DAE_OK;
    if (seen->copies)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: %s and %s are both a DAE_COUNT", problem->name,
                        seen->copies->name, p->name);
    seen->copies = p;
    return DAE_OK;
}

static dae_status check_parameters(const dae_problem *problem, dae_report *report)
{
    parameters_seen seen = {0, NULL};
    dae_status status = DAE_OK;
    long count = 0;
    if (problem->parameters[DAE_PARAMETER_ENTRIES].name)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: its parameters do not end with one without "
                        "a name, after at most %d; others stand in .more_parameters", problem->name,
                        (int)DAE_PARAMETER_ENTRIES);
    for (const dae_parameter *p = dae_parameter_first(problem); !status && p; p = dae_parameter_next(problem, p)) {
        status = check_parameter(problem, p, report);
        if (!status)
            status = check_beside(problem, p, &seen, report);
        count += dae_parameter_length(p);
        if (!status && count > MOST_VALUES)
            status = dae_fail(report, DAE_BAD_ARGUMENT, "%s: its parameters are more than %d", problem->name,
                              (int)MOST_VALUES);
    }
    return status;
}

static dae_status check_events(const dae_problem *problem, dae_report *report)
{
    const dae_event *events = problem->events;
    for (int i = 0; events && events[i].name; i++) {
        const int direction = (int)events[i].direction;
        if (!events[i].value.f)
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s: event %s has no value", problem->name,
                            events[i].name);
        if (events[i].count < 0 || events[i].count > DAE_MOST_EVENTS)
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s: event %s has the count %d, outside 0 ... %d",
                            problem->name, events[i].name, events[i].count, (int)DAE_MOST_EVENTS);
        if (direction < DAE_FALLING || direction > DAE_RISING)
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s: event %s has the direction %d, not -1, "
                            "0 or 1", problem->name, events[i].name, direction);
        for (int k = 0; k < i; k++)
            if (strcmp(events[k].name, events[i].name) == 0)
                return dae_fail(report, DAE_BAD_ARGUMENT, "%s: two events are named %s",
                                problem->name, events[i].name);
    }
    return DAE_OK;
}

dae_status dae_check_problem_part(const dae_problem *problem, int part, const char **what,
                                  dae_report *report)
{
    static const struct {
        const char *what;
        dae_status (*check)(const dae_problem *, dae_report *);
    } checks[] = {{"sizes", check_sizes}, {"functions", check_maps}, {"variables", check_lists},
                  {"interval", check_interval}, {"parameters", check_parameters}, {"events", check_events}};
    *what = NULL;
    if (part < 0 || part >= (int)(sizeof checks / sizeof *checks))
        return DAE_OK;
    *what = checks[part].what;
    return checks[part].check(problem, report);
}

dae_status dae_check_problem(const dae_problem *problem, dae_report *report)
{
    const char *what = "";
    dae_status status = DAE_OK;
    if (!problem || !problem->name)
        return dae_fail(report, DAE_BAD_ARGUMENT, problem ? "a problem has no name (.name)"
                                                          : "no problem is given");
    for (int i = 0; what && !status; i++)
        status = dae_check_problem_part(problem, i, &what, report);
    return status;
}
