/* write_tableaux.c - src/stepper/radau_tableaux.def, on standard output */
#include "radau_definition.h"

#include <stdio.h>

enum { IN_A_LINE = 4 };

static void write_numbers(const char *name, int count, const double *x)
{
    printf(" .%s = {", name);
    for (int i = 0; i < count; i++)
        printf("%s%.17g%s", i % IN_A_LINE == 0 ? "\n  " : " ", x[i] + 0, i + 1 < count ? "," : "");
    printf("},\n");
}

static void write_tableau(const radau_tableau *tab)
{
    const int s = tab->s;
    printf("{.s = %d, .mu = %.17g,\n", s, tab->mu);
    write_numbers("c", s, tab->c);
    write_numbers("lagrange", s, tab->lagrange);
    write_numbers("slope", s, tab->slope);
    write_numbers("last", s, tab->last);
    write_numbers("last_but_one", s, tab->last_but_one);
    write_numbers("alpha", s / 2, tab->alpha);
    write_numbers("beta", s / 2, tab->beta);
    write_numbers("T", s * s, tab->T);
    write_numbers("T_inverse", s * s, tab->T_inverse);
    printf("},\n");
}

int main(void)
{
    radau_tableau tab;
    printf("/* Written by daelab-tableaux (radau_tableau.c); s = 3, 5, ... %d. */\n", RADAU_FINE);
    for (int s = 3; s <= RADAU_FINE; s += 2) {
        radau_from_definition(&tab, s);
        write_tableau(&tab);
    }
    return fflush(stdout) != 0;
}
