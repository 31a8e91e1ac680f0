/* setting.h - how the runs of a study are made: problem, interval, steps or tolerances, and what a
 * solver takes; a value that a command line, a file or a program fills in */
#ifndef DAELAB_SETTING_H
#define DAELAB_SETTING_H

#include "run/front.h"
#include "run/outcome.h"

#include <daelab/doubt.h>
#include <daelab/problem.h>
#include <daelab/study.h>

enum { MAX_STOPS = 8, MAX_LEVELS = 64, MAX_ATOLS = 32, ATOL_NAME = 32, MAX_SENSITIVITIES = 32 };

/* An absolute tolerance of unknowns of a name or a class. */
typedef struct {
    char of[ATOL_NAME];
    double value;
    int by_rtol;                /* in units of rtol */
} run_atol;

typedef struct {
    const dae_problem *problem;
    const double *parameters;   /* the values of whoever made the setting; NULL: their defaults */
#define OWN(type, member) type member;
#define WITHIN(member)
#define SETTING(ID, field, ...) field           /* a number is NaN, all else 0 where it is not given */
#include "run/settings.def"
#undef OWN
#undef WITHIN
    int atol_by_rtol;           /* 1: atol is in units of rtol */
    int atols;                  /* what differs from atol, by name or class (dae_atol) */
    run_atol atol_of[MAX_ATOLS];
    dae_formulation_options baumgarte;
    int stops;                  /* conditions "x=3" that end a run with events */
    const char *stop[MAX_STOPS];
    int sensitivities;          /* errors of du/dp, too, by these parameters, their positions in p */
    int sensitivity[MAX_SENSITIVITIES];
    run_front front;
    struct runner *runner;      /* answers for runs; NULL: they are made in place */
} run_setting;

typedef enum {
#define SETTING(ID, ...) SETTING_##ID,
#include "run/settings.def"
    SETTINGS
} setting_id;

/* A row of settings.def. The first kinds are numbers in doubles, the others are ints. */
typedef enum {
    KIND_STEP, KIND_POSITIVE, KIND_FRACTION, KIND_TIME, KIND_RATE, KIND_COUNT, KIND_SWITCH, KIND_CHOICE, KIND_BEST,
    KIND_SET, KIND_BY_HAND
} setting_kind;
typedef enum { WHEN_ALWAYS, WHEN_CHOSEN, WHEN_IMPLICIT, WHEN_STABILISED, WHEN_WITH_EVENTS, WHEN_NEVER } setting_when;
typedef enum { KEY_RESULT, KEY_LEVEL, KEY_INTERVAL, KEY_BEGIN } setting_key;
typedef struct {
    const char *name;
    setting_kind kind;
    const char *const *words;   /* end with NULL; NULL: it has none */
    size_t offset;
    setting_when when;
    setting_key key;
    int said;                   /* place among the words of a heading; 0: none */
    int if_given;               /* it is said where it is given only */
} setting_row;
extern const setting_row run_settings[SETTINGS];

/* Of any setting but those by hand: as a number; is it given? its word; another value. */
double setting_value(const setting_row *row, const run_setting *setting);
int setting_is_given(const setting_row *row, const run_setting *setting);
const char *setting_word(const setting_row *row, const run_setting *setting);
void setting_put(const setting_row *row, run_setting *setting, double value);

/* Of a problem with its own parameters and interval, nothing else given. */
run_setting run_default_setting(const dae_problem *problem);

/* Of the derivatives number i: by which parameter, "L" or "k[3]". */
typedef struct { char text[64]; } run_parameter_name;
run_parameter_name run_sensitivity_name(const run_setting *setting, int i);

/* The value of parameter i; all of them, to be freed. */
double run_parameter(const run_setting *setting, int i);
double *run_copy_parameters(const run_setting *setting);

/* From its start to t_end, or the problem's end. */
double run_end(const run_setting *setting);

/* DAE_BAD_ARGUMENT with a sentence: no interval, or a step or a tolerance that does not fit into it. */
dae_status run_check_setting(const run_setting *setting, dae_report *report);

/* Neither events nor modes: its solution is smooth in t, and studies compare with it. */
int run_is_smooth(const dae_problem *problem);

/* What runs have errors of: the classes of unknowns, and behind them, RUN_DERIVATIVES + class, those of |p| du/dp. */
enum { RUN_DERIVATIVES = DAE_CLASSES, RUN_CLASSES = 2 * DAE_CLASSES };

/* Does the problem have variables of this class? */
int run_shows(const dae_problem *problem, dae_class c);

/* Does the method choose its steps under this setting? Where it can do both: if there is an rtol and no
 * step. */
int run_chooses_steps(const run_setting *setting, const dae_method *method);

/* What speaks against the numbers of such a run. */
dae_doubt run_doubt(const run_setting *setting, const dae_formulation *form, const dae_method *method);

/* The relative tolerance of a run where none is given. */
double run_own_rtol(const dae_problem *problem);

/* The step or the rtol of a run by the method where the study has no levels of its own. */
double run_level(const run_setting *setting, const dae_method *method);

/* RUN_LIMIT_STEPS of a run that ended so at the bound of the setting, else RUN_BY_ITSELF. */
run_outcome run_outcome_of(const run_setting *setting, dae_status status);

/* About how much work a run at a level is, in steps: (t_end - t0)/h, or with an rtol 20 rtol^(-1/(p + 1)). */
double run_amount(const run_setting *setting, const dae_method *method, double level);

/* The options of one run at a level: a step, or rtol where steps are chosen. */
dae_options run_options(const run_setting *setting, const dae_method *method, double level);

/* The first formulation of the table with this index that exists for the problem (index < 0: as the
 * problem is written), or NULL. */
const dae_formulation *run_form_of_index(const dae_problem *problem, int index);

/* The name of the first formulation of the table that is stabilised so; "" where there is none. */
const char *run_form_stabilised(dae_stabilisation how);

/* The first method of the table with this role (DAE_FOR_...), or NULL. */
const dae_method *run_method_for(unsigned role);

/* "position,velocity" */
const char *run_project_name(unsigned project);

#endif
