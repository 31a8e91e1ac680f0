#include "spec/planning.h"

#include "catalogue/events_off.h"
#include "cli/options.h"
#include "host/allocate.h"
#include "spec/axes.h"

#include <stdlib.h>
#include <string.h>

study_kind planning_kind(const cli_command *command)
{
    study_kind kind = STUDY_SOLVE;
    while (kind < STUDY_KINDS && strcmp(study_kind_names[kind], command->name) != 0)
        kind++;
    return kind;
}

/* What the items of a part have in common. */
typedef struct {
    const option_list *list;
    const cli_options *front;
    study_kind kind;
    const char *part;
    int several;                /* problems */
    int all;                    /* those that the study takes */
} request;

/* One problem, and the place of its next item. */
typedef struct {
    const dae_problem *problem;
    int number, setting;
    option_uses uses;
    int choice[MOST_GIVEN];     /* the value of each option */
} cursor;

/* ---- one item ---- */

static int apply_options(cli_options *o, const request *r, const cursor *c)
{
    for (int i = 0; i < r->list->count; i++) {
        given_option given = r->list->option[i];
        if (!c->uses.option[i].count)
            continue;
        given.text = given.text ? c->uses.option[i].value[c->choice[i]] : NULL;
        cli_at_line(given.line);
        if (!(c->uses.option[i].split && given.row->id == O_VARY ? vary_to(given.text, o) : option_apply(&given, o)))
            return 0;
    }
    cli_at_line(r->list->subject_line);
    return options_complete(o);
}

/* A solution has one formulation and one method: pair `pair` of those that were named; how many there are. */
static int keep_pair(study_specification *s, int pair)
{
    const int forms = s->forms ? s->forms : 1, methods = s->methods ? s->methods : 1;
    if (s->forms)
        s->form[0] = s->form[pair / methods];
    if (s->methods)
        s->method[0] = s->method[pair % methods];
    s->forms = s->forms > 0;
    s->methods = s->methods > 0;
    return forms * methods;
}

/* Room for one more item; its options, NULL having complained. */
static cli_options *make_room(planned *p)
{
    const size_t count = (size_t)p->plan.count;
    if (count >= MOST_ITEMS) {
        cli_error(EXIT_USAGE, "more than %d combinations of problems and settings", (int)MOST_ITEMS);
        return NULL;
    }
    p->plan.item = allocate_more(p->plan.item, count, sizeof *p->plan.item);
    p->options = allocate_more(p->options, count, sizeof *p->options);
    return p->options[count] = allocate(1, sizeof **p->options);
}

/* Fill in by default what the specification lacks, and check that it fits together; 0 where it does not, having
 * complained. A problem of `all` that the study does not take is left out: then *taken is 0. */
static int complete(cli_options *o, const request *r, study_item *item, int *taken)
{
    dae_report why = {0};
    const dae_status status = plan_fill_in(r->kind, &o->study, &item->by_default, &why);
    *taken = !status || !r->all;
    if (status)
        return r->all || (cli_fail(status, &why), 0);
    return !choose_check(o);
}

static int fill_item(planned *p, cli_options *o, const request *r, const cursor *c, int pair, int *pairs)
{
    study_item *item = &p->plan.item[p->plan.count];
    int taken = 0;
    options_begin(o, r->list->command, r->front);
    o->subject = r->several ? c->problem->name : r->list->subject;
    o->one_of_several = r->several;
    options_set_problem(o, c->problem);
    if (!apply_options(o, r, c))
        return 0;
    *pairs = r->kind == STUDY_SOLVE || r->kind == STUDY_FIT ? keep_pair(&o->study, pair) : 1;
    *item = (study_item){.part = r->part, .kind = r->kind, .problem = c->number, .setting = c->setting,
                         .varies = o->varies};
    memcpy(item->varied, o->varied, sizeof item->varied);
    if (!complete(o, r, item, &taken))
        return 0;
    item->spec = o->study;
    p->plan.count += taken;
    return taken ? 1 : -1;
}

static void drop(cli_options *o)
{
    cli_free(o);
    free(o);
}

/* The items of one combination of settings: one, or of a solution its pairs. 0 having complained. */
static int add_combination(planned *p, const request *r, cursor *c)
{
    int pairs = 1;
    for (int pair = 0; pair < pairs; pair++) {
        cli_options *o = make_room(p);
        const int added = o ? fill_item(p, o, r, c, pair, &pairs) : 0;
        if (o && added < 1)
            drop(o);
        if (!added)
            return 0;
        c->setting++;
    }
    return 1;
}

/* The next combination, the last option fastest; 0 behind the last. */
static int advance(cursor *c)
{
    for (int i = MOST_GIVEN - 1; i >= 0; i--) {
        if (++c->choice[i] < c->uses.option[i].count)
            return 1;
        c->choice[i] = 0;
    }
    return 0;
}

/* ---- a part ---- */

static int add_problem(planned *p, const request *r, const dae_problem *problem, int number, study_part *part)
{
    cursor *c = allocate(1, sizeof *c);
    c->problem = problem;
    c->number = number;
    int good = axes_find(&c->uses, r->list, problem, r->several, p);
    if (good)
        do
            good = add_combination(p, r, c);
        while (good && advance(c));
    part->settings = c->setting > part->settings ? c->setting : part->settings;
    axes_free(&c->uses);
    free(c);
    return good;
}

/* Of one problem: is there a formulation that goes with a method, under some setting? The tables of several
 * problems say it of each run. */
static int check_pairs(const planned *p, const study_part *part, int several)
{
    dae_report why = {0};
    dae_status status = DAE_OK;
    for (int i = part->first; !several && i < part->first + part->count; i++) {
        const study_specification *spec = &p->options[i]->study;
        if (!run_is_smooth(spec->run.problem))
            return 1;
        status = study_check_combinations(spec, &why);
        if (!status || status != DAE_UNSUPPORTED)
            break;
    }
    return !status || (cli_fail(status, &why), 0);
}

static void add_part(planned *p, study_part part)
{
    p->plan.part = allocate_more(p->plan.part, (size_t)p->plan.parts, sizeof *p->plan.part);
    p->plan.part[p->plan.parts++] = part;
}

int planning_add(planned *p, const option_list *list, const char *name, const cli_options *front)
{
    const request r = {.list = list, .front = front, .kind = planning_kind(list->command), .part = name,
                       .several = choose_several(list->subject), .all = strcmp(list->subject, "all") == 0};
    const dae_problem *problems[MAX_NAMES];
    cli_at_line(list->subject_line);
    const int count = choose_problems(list->subject, r.kind == STUDY_SCALE,
                                      option_list_last(list, O_NO_EVENTS) != NULL, problems);
    study_part part = {.name = name, .kind = r.kind, .subject = list->subject, .first = p->plan.count};
    int good = count > 0 && axes_check_names(list, problems, count);
    for (int i = 0; good && i < count; i++) {
        const int before = p->plan.count;
        good = add_problem(p, &r, problems[i], part.problems, &part);
        part.problems += p->plan.count > before;
    }
    part.count = p->plan.count - part.first;
    cli_at_line(list->subject_line);
    if (good && !part.count)
        good = !cli_error(EXIT_USAGE, "%s takes none of the problems", list->command->name);
    good = good && check_pairs(p, &part, r.several)
           && !unused_options_check((const cli_options *const *)p->options + part.first, part.count, 0);
    if (good)
        add_part(p, part);
    return good;
}

int planning_check_common(const planned *p)
{
    return !unused_options_check((const cli_options *const *)p->options, p->plan.count, 1);
}

void planning_free(planned *p)
{
    plan_free_results(&p->plan);
    for (int i = 0; i < p->plan.count; i++)
        drop(p->options[i]);
    kept_free(&p->texts);
    free(p->options);
    free(p->plan.item);
    free(p->plan.part);
    *p = (planned){.plan = {.title = "", .question = ""}};
}
