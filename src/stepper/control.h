/* control.h - how long the next step of a one-step method is */
#ifndef DAE_CONTROL_H
#define DAE_CONTROL_H

/* With e_n the norm of the error estimate of step n in tolerances, of size h_n, which falls with h^k, and
 * sigma_n = e_n^(-1/k), the factor that would have made that error the tolerance:
 *
 *     h_(n+1)/h_n = safety min(sigma_n^now sigma_(n-1)^before, sigma_n^2 sigma_(n-1)^-1 h_n/h_(n-1)),
 *
 * kept between least and most. Where nothing is known of step n-1 it is safety sigma_n; so it is after a rejected
 * try, and then no more than 1. Where k < 4 a step that was tried more than once is followed by safety
 * sigma_n^now. */
typedef struct {
    double now, before;         /* 1, 0: elementary; 0.7, -0.4: PI */
    double tight, loose;        /* log10 rtol up to which these count, and from which 1, 0 do; linear between */
    double safety;
    double least, most;         /* limits of the factor */
    double first;               /* most after the first step, whose size was a guess */
    double again;               /* most after a step that was tried more than once */
    double exact;               /* ln of the error as which smaller ones of the last step count */
} dae_controller;

/* What a controller knows of the steps before the one that is tried. */
typedef struct {
    double log_rtol;            /* log10 rtol */
    int steps;                  /* kept since the start */
    int tries;                  /* of this step that were rejected */
    int known;                  /* 1: h, error and k are of the last step */
    double h, error, k;         /* error: ln e */
    double tried, ln_tried;     /* e of the last try, and its ln */
} dae_control;

/* For steps bounded by accuracy or by stability; for those of a method that is stable, whatever they are; for the
 * basic steps of extrapolation, which follow the estimate of each order for itself. */
extern const dae_controller dae_control_pi, dae_control_elementary, dae_control_extrapolation;

/* At a start; rtol 0: none counts as loose, for index 2 and 3, where methods lose order and the error does not
 * fall with h^k. forget: what comes is not the continuation of the last step. */
void dae_control_start(dae_control *control, double rtol);
void dae_control_forget(dae_control *control);

/* h_(n+1)/h_n after a try of size h: for the next step where error <= 1, else for the next try. caution: a
 * factor to the safety of all but the prediction. */
double dae_control_factor(const dae_controller *controller, dae_control *control, double h, double error, double k,
                          double caution);

/* The step of size h was kept; a try was rejected. */
void dae_control_keep(dae_control *control, double h, double error, double k);
void dae_control_reject(dae_control *control);

#endif
