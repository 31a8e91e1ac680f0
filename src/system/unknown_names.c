/* unknown_names.c - names and units of unknowns, from the lists of the problem or by number */
#include "system.h"

#include "daelab/binding.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Word number i of a list of words; an empty string past its end. */
static void word(const char *list, int i, char *out, int length)
{
    out[0] = 0;
    for (const char *c = list; c && *c;) {
        while (isspace((unsigned char)*c))
            c++;
        const size_t end = strcspn(c, " \t\n");
        if (i-- == 0) {
            const size_t keep = end < (size_t)length - 1 ? end : (size_t)length - 1;
            memcpy(out, c, keep);
            out[keep] = 0;
            return;
        }
        c += end;
    }
}

/* Of the unknown i of many copies: which word names its kind; *copy := the number of its copy. */
static int kind_of(const dae_system *s, int i, int *copy)
{
    const dae_mechanical *m = &s->problem->mechanical;
    const int nh = m->nonholonomic, first[] = {0, m->nq, 2 * m->nq, 2 * m->nq + m->nl - nh};
    const int sizes[] = {m->nq, m->nq, m->nl - nh, nh};
    int block = 0;                                      /* positions, velocities, multipliers of both kinds */
    while (block < 3 && i >= s->inner.copies * first[block + 1])
        block++;
    const int in = i - s->inner.copies * first[block];
    *copy = in / sizes[block] + 1;
    return first[block] + in % sizes[block];
}

static void numbered(const dae_system *s, int i, char *name, char *unit, int length)
{
    int copy;
    const int kind = kind_of(s, i, &copy);
    word(s->problem->variables, kind, name, length);
    word(s->problem->units, kind, unit, length);
    const size_t end = strlen(name);
    if (end > 0)
        snprintf(name + end, (size_t)length - end, "%d", copy);
}

/* The unknowns that have a number for each copy stand in front: neither accelerations nor mu. */
void dae_unknown_kind(const dae_system *s, int i, char *kind, int length)
{
    int copy;
    const int plain = s->compose->kind != DAE_FORM_MINIMAL && s->classes[i] != DAE_AUXILIARY
                      && !(s->general_mass && i >= s->acceleration_at);
    kind[0] = 0;
    if (s->inner.copies > 1 && plain)
        word(s->problem->variables, kind_of(s, i, &copy), kind, length);
}

/* Of a record that has no names: s1 .. ds1 .., q1 .. v1 .. lambda1 .., or u1 .. */
static void default_name(const dae_system *s, int i, char *name, int length)
{
    const int minimal = s->compose->kind == DAE_FORM_MINIMAL;
    const int size = minimal ? s->n / 2 : s->nq ? s->nq : s->n;
    const int block = i / size < 2 ? i / size : 2;
    const char *const letters[] = {minimal ? "s" : s->nq ? "q" : "u", minimal ? "ds" : "v",
                                   "lambda"};
    snprintf(name, (size_t)length, "%s%d", letters[block], i - block * size + 1);
}

/* The unit of a derivative in the place of its variable's: "m/s" of "m", "m/s^2" of "m/s", "1/s" of none. */
static void per_second(char *unit, int length)
{
    const int pure = !unit[0] || strcmp(unit, "-") == 0, end = pure ? 0 : (int)strlen(unit);
    snprintf(unit + end, (size_t)(length - end), pure ? "1/s" : end > 2 && !strcmp(unit + end - 2, "/s") ? "^2" : "/s");
}

/* u_j', or x_k' where P makes it of several */
static void name_slope(const dae_system *s, int k, char *name, int length)
{
    const dae_state_mass *m = s->carried;
    int others = 0;
    for (int j = 0; !m->diagonal && j < m->n; j++)
        others += j != m->column[k] && m->P[k * m->n + j] != 0;
    word(s->problem->variables, m->column[k], name, length - 1);
    if (others || !name[0])
        snprintf(name, (size_t)length, others ? "x%d'" : "u%d'", others ? k + 1 : m->column[k] + 1);
    else
        strcat(name, "'");
}

void dae_system_unknown(const dae_system *s, int i, char *name, char *unit, int length)
{
    if (!name || !unit || length <= 0)
        return;
    name[0] = unit[0] = 0;
    if (!s || i < 0 || i >= s->n)
        return;
    const dae_minimal *minimal = &s->problem->mechanical.minimal;
    if (s->compose->kind == DAE_FORM_MINIMAL) {
        word(minimal->names, i, name, length);
        word(minimal->units, i, unit, length);
    } else if (s->general_mass && i >= s->acceleration_at) {
        int copy, k = i - s->acceleration_at;
        snprintf(name, (size_t)length, "a%d", k + 1);
        word(s->problem->units, s->inner.copies > 1 ? kind_of(s, s->nq + k, &copy) : s->nq + k, unit, length);
        per_second(unit, length);
    } else if (s->carried && i >= s->carried->n) {
        name_slope(s, i - s->carried->n, name, length);
        word(s->problem->units, s->carried->column[i - s->carried->n], unit, length);
        per_second(unit, length);
    } else if (s->classes[i] == DAE_AUXILIARY) {
        snprintf(name, (size_t)length, s->nl > 1 ? "mu%d" : "mu", i - 2 * s->nq - s->nl + 1);
        word("-", 0, unit, length);
    } else if (s->inner.copies > 1) {
        numbered(s, i, name, unit, length);
    } else {
        word(s->problem->variables, i, name, length);
        word(s->problem->units, i, unit, length);
    }
    if (!name[0])
        default_name(s, i, name, length);
    if (!unit[0])
        word("-", 0, unit, length);
}

void dae_system_recovered(const dae_system *s, int k, char *name, char *unit, int length)
{
    const int at = s ? 2 * s->nq + k : 0, plain = s && s->compose->kind != DAE_FORM_MINIMAL;
    if (!name || !unit || length <= 0)
        return;
    word(s ? s->problem->variables : NULL, at, name, length);
    word(s ? s->problem->units : NULL, at, unit, length);
    if (plain)
        dae_system_unknown(s, at, name, unit, length);
    if (!name[0])
        snprintf(name, (size_t)length, "lambda%d", k + 1);
    if (!unit[0])
        word("-", 0, unit, length);
    const size_t end = strlen(name);
    snprintf(name + end, (size_t)length - end, "_recovered");
}
