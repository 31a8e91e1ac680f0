/* option_values.h - numbers and words of options, read whole or refused with a sentence */
#ifndef DAELAB_OPTION_VALUES_H
#define DAELAB_OPTION_VALUES_H

#include "cli/option_table.h"

/* Each answers 0 having complained of "--name text". */
int value_number(const option_row *row, const char *text, double above, double *x);
int value_integer(const option_row *row, const char *text, int least, int most, int *x);
/* A or A:B */
int value_range(const option_row *row, const char *text, double *first, double *last);
/* 8cmx6cm or 8cm, in mm (height 0); SIZE or NAME,SIZE */
int value_size(const option_row *row, const char *text, double *width, double *height);
int value_font(const option_row *row, const char *text, plot_look *look);
int value_numbers(const option_row *row, const char *text, cli_options *o);     /* --at */
int value_atols(const option_row *row, const char *text, run_setting *setting);     /* --atol */
int value_axes(const option_row *row, const char *text, study_specification *spec);      /* X:Y */
int value_word(const option_row *row, const char *text, cli_options *o);
int value_setting(const option_row *row, const char *text, run_setting *setting);   /* as its kind says */

/* The words that an option takes, where it takes some of a list; how many, 0 where it takes something else. */
enum { MOST_VALUES = 32 };
int value_words(option_id id, const char *words[MOST_VALUES]);

/* A finite number that is all of text[length]? */
int value_read(const char *text, size_t length, double *x);

/* Bytes: a number above 0 with k, M, G, powers of 1024, or nothing behind it. */
int value_bytes(const option_row *row, const char *text, double *bytes);

#endif
