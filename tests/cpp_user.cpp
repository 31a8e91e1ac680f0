/* cpp_user.cpp - a C++ program solves problems that are defined in C, with what the shared library exports
 *
 * pendulum.c in index 2, rows between its steps, its description, statistics and reference; bouncing_ball.c
 * with its events.
 */
#include <daelab/daelab.h>
#include <daelab/description.h>
#include <daelab/hybrid.h>
#include <daelab/reference.h>
#include <daelab/study.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

extern "C" {
extern const dae_problem dae_pendulum;
extern const dae_problem dae_bouncing_ball;
}

namespace {

int failures = 0;

void check(bool right, const char *what)
{
    if (!right) {
        std::fprintf(stderr, "cpp_user: %s\n", what);
        failures++;
    }
}

void check_close(double computed, double right, double tolerance, const char *what)
{
    if (!(std::fabs(computed - right) <= tolerance)) {
        std::fprintf(stderr, "cpp_user: %s is %.15g, not %.15g\n", what, computed, right);
        failures++;
    }
}

template <class T, void (*release)(T *)> struct releases {
    void operator()(T *p) const { release(p); }
};
using system_handle = std::unique_ptr<dae_system, releases<dae_system, dae_system_free>>;
using solver_handle = std::unique_ptr<dae_solver, releases<dae_solver, dae_solver_free>>;
using hybrid_handle = std::unique_ptr<dae_hybrid, releases<dae_hybrid, dae_hybrid_free>>;

struct path {
    dae_solver *solver;
    int steps;
    double worst;               /* | |q| - L | in the middle of a step */
};

int observe(void *context, double t, const double *)
{
    path &seen = *static_cast<path *>(context);
    const dae_statistics statistics = dae_solver_statistics(seen.solver);
    double u[5];
    if (dae_solver_interpolate(seen.solver, t, u) == DAE_OK)
        seen.worst = std::fmax(seen.worst, std::fabs(std::hypot(u[0], u[1]) - 5));
    seen.steps++;
    return statistics.steps < seen.steps;       /* what is counted is no less than what was seen */
}

/* T(2) of the pendulum with 9.81 and 0.05 as doubles: to less than 1e-15 that of test_reference.c. */
void refer(dae_system *sys, const double *u)
{
    dae_report why = {};
    dae_plain_reference reference;
    const double end = 2;
    if (dae_plain_reference_solve(&reference, sys, 0, u, &end, 1, nullptr, &why) != DAE_OK) {
        check(false, why.message);
        return;
    }
    char text[DAE_QUAD_TEXT];
    dae_double_double_text(reference.lambda[0], text, DAE_QUAD_TEXT);
    check(!std::strncmp(text, "8.7511968836209", 15) && std::strlen(text) == 33, text);
    check_close(reference.lambda[0].high, 8.75119688362091325, 2e-14, "the tension of the reference");
    check(std::fabs(reference.lambda[0].low) < 1e-15 && reference.digits > 20, "digits of the reference");
    dae_plain_reference_free(&reference);
}

void solve_pendulum()
{
    dae_report why = {};
    dae_system *sys = nullptr;
    check(dae_system_create(&sys, &dae_pendulum, dae_find_formulation("index2"), nullptr, nullptr, &why) ==
              DAE_OK, why.message);
    const system_handle owns_system(sys);
    std::vector<double> u(static_cast<std::size_t>(dae_system_size(sys)));
    check(u.size() == 5, "the pendulum has 5 unknowns in index 2");
    char name[8], unit[8];
    dae_system_unknown(sys, 4, name, unit, 8);
    check(!std::strcmp(name, "T") && !std::strcmp(unit, "N"), "the last unknown is the tension T [N]");
    check(dae_system_class(sys, 4) == DAE_MULTIPLIER, "T is a multiplier");

    const dae_problem_info info = dae_problem_describe(&dae_pendulum);
    check(!std::strcmp(info.name, "pendulum") && info.positions == 2 && info.multipliers == 1, "its record");
    check(dae_parameter_at(&dae_pendulum, dae_parameter_index(&dae_pendulum, "L"))->value == 5, "L is 5 m");

    dae_options options = dae_default_options();
    options.rtol = options.atol = 1e-10;
    check(dae_system_start(sys, u.data(), &why) == DAE_OK, why.message);
    check(dae_consistent_start(sys, info.t0, u.data(), nullptr, &why) == DAE_OK, why.message);
    refer(sys, u.data());
    dae_solver *solver = nullptr;
    check(dae_solver_create(&solver, sys, dae_find_method("radau"), &options, &why) == DAE_OK, why.message);
    const solver_handle owns_solver(solver);
    path seen = {solver, 0, 0};
    dae_solver_observe(solver, observe, &seen);
    check(dae_solver_start(solver, info.t0, u.data()) == DAE_OK, dae_solver_report(solver)->message);
    check(dae_solver_advance(solver, info.t_end, u.data()) == DAE_OK, dae_solver_report(solver)->message);
    check(dae_solver_time(solver) == 2 && seen.steps > 0, "it has come to t = 2");
    check(seen.worst < 1e-8, "the rope is 5 m long at every step");
    check_close(u[4], 8.75119688362091, 1e-7, "T(2)");
}

/* Infinitely many bounces: sqrt(2 h/g) (1 + e)/(1 - e). */
void bounce()
{
    dae_report why = {};
    dae_hybrid *run = nullptr;
    dae_options options = dae_default_options();
    options.rtol = options.atol = 1e-10;
    check(dae_hybrid_create(&run, &dae_bouncing_ball, dae_find_formulation("index1"), nullptr, nullptr,
                            dae_find_method("dopri5"), &options, &why) == DAE_OK, why.message);
    const hybrid_handle owns(run);
    check(dae_hybrid_start(run, 0, nullptr) == DAE_OK, dae_hybrid_report(run)->message);
    check(dae_hybrid_advance(run, 2) == DAE_ACCUMULATION, "the bounces accumulate");
    const dae_event_record first = dae_hybrid_event(run, 0);
    check(!std::strcmp(first.name, "floor"), "the first event is the floor");
    check_close(first.t, std::sqrt(2 / 9.81), 1e-9, "the first bounce");
    check_close(dae_hybrid_time(run), 1.35457092295719271, 2e-5, "the last bounce before the limit");
}

} // namespace

int main()
{
    solve_pendulum();
    bounce();
    check(dae_find_method("no such method") == nullptr, "an unknown method is none");
    return failures != 0;
}
