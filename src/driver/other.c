/* other.c - is a run right whose steps are far shorter than its solution asks for?
 *
 * Where only accuracy decides on steps, one changes u by about rtol^(1/k) of itself, k the order of the error estimate.
 * So N steps that change u by the parts p_1 + p_2 + ... = V in all are many where
 *
 *     N > MANY (1 + V) rtol^(-1/k),
 *
 * part by part where k changes.
 *
 * An oscillation that grows changes u, too, until its steps are no longer many: so what counts is whether they were so
 * once, and V and the time until then.
 *
 * Where something oscillates fast (oscillation.c), it is what holds them short: a stiff spring, with forces that the
 * linearisation of a step does not know, or an oscillation that the method does not damp. Each of so many steps may err
 * by a tolerance in the same direction (near index 3: Lubich (1993), BIT 33, 425-440), an oscillation may grow while
 * the error of each step is small, and no estimate of one step tells how wrong the run is. So it is made again by the
 * method for single runs, the judge, to states that are stored from half of so many steps on. A run is wrong that is
 * beyond 100 tolerances: where a state is so far APART from the judge's, it has failed.
 */
#include "guards.h"

#include "stepper/oscillation.h"
#include "base/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MANY = 3;
static const double APART = 100;
static const double WITHIN = 0.1;       /* of the time in which the solution changes: what is fast */
static const double SHORT = 0.06;       /* of a step: so fast what oscillates stands out */
static const double MORE = 1.25;        /* factor of steps between looks in a run of several calls */
static const long FEW = 50, AGAIN = 20; /* steps that are never many; steps of the judge to one of the run, at most */
enum { PLACES = 32, ORDER = 6 };        /* stored states; k where it varies */

typedef struct {
    dae_rerun judge;
    double variation, usual;    /* V; sum of p rtol^(-1/k) */
    long steps, looked;         /* N, and at the last look */
    double changes;             /* the longest (t - t0)/(1 + V) at which steps were many; 0: they never were */
    long before, every;         /* steps before states were stored; so many lie between two of them */
    int count, compared;        /* states there are, and those of them that were compared */
    double time[PLACES];
    double *largest;            /* [n] of each unknown */
    double *u, *states;         /* [n], [PLACES x n]: the judge's state, the stored ones; NULL: there were none yet */
    int storing, no_room;       /* states are stored; there is no memory for them */
    int silent;                 /* the judge has failed, and says nothing */
} other;

static other *own(const dae_solver *s) { return driver(s)->guard[DAE_COMPARES]; }

const dae_method *dae_other_judge(void)
{
    for (int i = 0; dae_method_at(i); i++)
        if (dae_method_describe(dae_method_at(i)).roles & DAE_FOR_ONE_RUN)
            return dae_method_at(i);
    return NULL;
}

static int has_algebraic(const dae_system *sys)
{
    int i = 0;
    while (i < sys->n && !dae_system_is_algebraic(sys, i))
        i++;
    return sys->nl > 0 || i < sys->n;
}

/* Not the judge, nor what goes over to it. What drifts from its constraints is far off for another reason, which the
 * study of drift shows. */
static int may_be_looked_at(const dae_solver *s)
{
    return s->adaptive && s->sys->index <= 1 && !has_algebraic(s->sys) && !s->method->info.switches
           && s->method != dae_other_judge();
}

static dae_status no_memory(dae_solver *s)
{
    return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for states of %d unknowns", s->n);
}

static dae_status create(dae_solver *s)
{
    if (!may_be_looked_at(s))
        return DAE_OK;
    driver(s)->guard[DAE_COMPARES] = DAE_RECORD(other, DAE_PART(other, judge.start, s->n),
                                                DAE_PART(other, largest, s->n));
    return own(s) ? DAE_OK : no_memory(s);
}

static void release(void *guard)
{
    other *o = guard;
    if (!o)
        return;
    dae_driver_free(o->judge.solver);
    free(o->u);
    free(o);
}

static void see_sizes(const dae_solver *s, double *largest)
{
    for (int i = 0; i < s->n; i++)
        largest[i] = fmax(largest[i], fabs(s->u[i]));
}

static dae_status start(dae_solver *s)
{
    other *o = own(s);
    dae_rerun_begin(&o->judge, s);
    o->variation = o->usual = o->changes = 0;
    o->steps = o->looked = o->count = o->compared = o->silent = o->storing = 0;
    memset(o->largest, 0, (size_t)s->n * sizeof *o->largest);
    see_sizes(s, o->largest);
    return DAE_OK;
}

/* Steps for a change of u by itself, with the order of the step that was made */
static double usual_steps(const dae_solver *s)
{
    const double k = s->method->error_order > 0 ? s->error_order + 1 : ORDER;
    return pow(s->options.rtol, -1 / k);
}

/* Are the steps this part of many? */
static int are_part_of_many(const dae_solver *s, const other *o, double part)
{
    return (double)o->steps > part * fmax((double)FEW, MANY * (usual_steps(s) + o->usual));
}

/* The root mean square of changes of differential unknowns, relative to what they are and atol/rtol */
static double part_changed(const dae_solver *s)
{
    const double rtol = s->options.rtol;
    double sum = 0;
    int count = 0;
    for (int i = 0; i < s->n; i++) {
        if (dae_system_is_algebraic(s->sys, i))
            continue;
        const double size = rtol * fmax(fabs(s->u[i]), fabs(s->u_old[i])) + s->atol[i];
        const double x = size > 0 ? rtol * (s->u[i] - s->u_old[i]) / size : 0;
        sum += x * x;
        count++;
    }
    return count ? sqrt(sum / count) : 0;
}

/* Every second state is left out where there is no more room. */
static void thin(const dae_solver *s, other *o)
{
    const size_t n = (size_t)s->n;
    for (int i = 1; i < PLACES; i += 2) {
        o->time[i / 2] = o->time[i];
        memcpy(o->states + (size_t)(i / 2) * n, o->states + (size_t)i * n, n * sizeof *o->states);
    }
    o->count /= 2;
    o->compared /= 2;
    o->every *= 2;
}

static void begin_to_store(const dae_solver *s, other *o)
{
    const size_t n = (size_t)s->n;
    if (!o->u)
        o->u = dae_zeroed((1 + PLACES) * n, sizeof *o->u);
    o->no_room = !o->u;
    if (o->no_room)
        return;
    o->states = o->u + n;
    o->storing = 1;
    o->every = 1;
    o->before = o->steps - 1;
}

static void store(const dae_solver *s, other *o)
{
    if ((o->steps - o->before) % o->every)
        return;
    if (o->count == PLACES)
        thin(s, o);
    if ((o->steps - o->before) % o->every)
        return;
    o->time[o->count] = s->t;
    memcpy(o->states + (size_t)o->count * (size_t)s->n, s->u, (size_t)s->n * sizeof *s->u);
    o->count++;
}

static void kept(dae_solver *s)
{
    other *o = own(s);
    const double part = part_changed(s);
    o->variation += part;
    o->usual += part * usual_steps(s);
    o->steps++;
    see_sizes(s, o->largest);
    if (are_part_of_many(s, o, 1))
        o->changes = fmax(o->changes, (s->t - o->judge.t) / (1 + o->variation));
    if (!o->storing && are_part_of_many(s, o, 0.5))
        begin_to_store(s, o);
    if (o->storing)
        store(s, o);
}

/* Were the steps many, and are they more than at the last look? */
static int were_many(const dae_solver *s, const other *o)
{
    const int last = s->t >= s->sys->problem->t_end;
    return o->changes > 0 && (last || (double)o->steps >= MORE * (double)o->looked);
}

/* Does something oscillate fast at this state, which steps of size h have come to? What takes longer than a step is
 * resolved by it, and holds explicit methods alone, and BDF, whose steps are far shorter in most of its runs: there
 * those of the run count. */
static dae_status look_at(dae_solver *s, const other *o, double t, const double *u, double h, int *found)
{
    const double slow = WITHIN * o->changes;
    const double most = s->method->info.implicit && s->method->error_order > 0 ? fmin(h, slow) : slow;
    const double usual = s->method->error_order > 0 ? h : (s->t - o->judge.t) / (double)o->steps;
    return dae_oscillation_find(s, t, u, SHORT * usual, most, slow, found);
}

/* At the end or in the middle */
static dae_status find_oscillation(dae_solver *s, const other *o, int *found)
{
    const int middle = o->count / 2, before = middle > 0 ? middle - 1 : 0;
    const int after = middle + 1 < o->count ? middle + 1 : middle;
    const double h = (o->time[after] - o->time[before]) / (double)(o->every * (after > before ? after - before : 1));
    const dae_status status = look_at(s, o, s->t, s->u, s->t - s->t_old, found);
    return status || *found ? status
           : look_at(s, o, o->time[middle], o->states + (size_t)middle * (size_t)s->n, h, found);
}

static dae_status create_judge(dae_solver *s, other *o)
{
    dae_options options = s->options;
    options.atols = s->atol;
    options.first_step = 0;
    options.max_steps = o->steps < options.max_steps / AGAIN ? AGAIN * o->steps : options.max_steps;
    return dae_driver_create_unguarded(&o->judge.solver, s->sys, dae_other_judge(), &options, &s->report);
}

/* In tolerances, the difference of u[n] from the judge's state, of unknown *worst */
static double apart(const dae_solver *s, const other *o, const double *u, int *worst)
{
    double most = 0;
    for (int i = 0; i < s->n; i++) {
        const double x = fabs(u[i] - o->u[i]) / (s->options.rtol * o->largest[i] + s->atol[i]);
        if (x > most && !dae_system_is_algebraic(s->sys, i)) {
            most = x;
            *worst = i;
        }
    }
    return most;
}

static dae_status tell(dae_solver *s, const other *o, double t, int i, double by)
{
    char name[32], unit[32];
    const char *method = s->method->info.name, *judge = o->judge.solver->method->info.name;
    dae_system_unknown(s->sys, i, name, unit, (int)sizeof name);
    return dae_fail(&s->report, DAE_ERROR_TEST, "t = %.9g: %s and %s are %.3g tolerances apart in row %d (%s): "
                    "something stiff oscillates, %ld steps of %s are far shorter than the solution asks for, and "
                    "their errors add up; take %s", t, method, judge, by, i + 1, name, o->steps, method, judge);
}

static dae_status compare(dae_solver *s, other *o, double t, const double *u)
{
    int worst = 0;
    if (dae_rerun_to(s, &o->judge, t, o->u)) {
        o->silent = 1;
        return DAE_OK;
    }
    const double by = apart(s, o, u, &worst);
    return by > APART ? tell(s, o, t, worst, by) : DAE_OK;
}

static dae_status check(dae_solver *s)
{
    other *o = own(s);
    dae_status status = DAE_OK;
    int found = 0;
    if (o->silent || !were_many(s, o))
        return DAE_OK;
    if (o->no_room)
        return no_memory(s);
    o->looked = o->steps;
    if (!o->judge.solver)
        status = find_oscillation(s, o, &found);
    if (status || (!o->judge.solver && !found))
        return status;
    if (!o->judge.solver)
        status = create_judge(s, o);
    for (; !status && !o->silent && o->compared < o->count; o->compared++)
        status = compare(s, o, o->time[o->compared], o->states + (size_t)o->compared * (size_t)s->n);
    return status || o->silent ? status : compare(s, o, s->t, s->u);
}

const dae_guard dae_other_guard = {create, release, start, kept, check};
