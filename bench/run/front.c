#include "run/front.h"

#include "numbers/decimal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void front_item(const run_front *f, double share, const char *name)
{
    if (f->item)
        f->item(f->context, share, name);
}

void front_plan(const run_front *f, int runs, double work)
{
    if (f->plan)
        f->plan(f->context, runs, work);
}

const char *front_run_words(const char *form, const char *method, double level, char words[FRONT_RUN])
{
    snprintf(words, FRONT_RUN, "%s %s %g", form, method, level);
    return words;
}

void front_run(const run_front *f, const char *form, const char *method, double level)
{
    char words[FRONT_RUN];
    if (f->run)
        f->run(f->context, front_run_words(form, method, level, words));
}

void front_part(const run_front *f, double fraction)
{
    if (f->part)
        f->part(f->context, fraction);
}

void front_end(const run_front *f)
{
    if (f->end)
        f->end(f->context);
}

void front_warn(const run_front *f, const char *format, ...)
{
    char sentence[512];
    va_list arguments;
    if (!f->warn)
        return;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    f->warn(f->context, sentence);
}

front_word front_field(const run_front *f, const char *field)
{
    front_word word;
    if (f->spell)
        f->spell(f->writer, field, NULL, word.text, sizeof word.text);
    else
        snprintf(word.text, sizeof word.text, "%s", field);
    return word;
}

front_word front_value(const run_front *f, const char *field, double value)
{
    front_word word;
    char number[DECIMAL];
    if (f->spell)
        f->spell(f->writer, field, &value, word.text, sizeof word.text);
    else if (isfinite(value))
        snprintf(word.text, sizeof word.text, "%s %s", field, decimal(value, number));
    else
        snprintf(word.text, sizeof word.text, "%s %g", field, value);
    return word;
}
