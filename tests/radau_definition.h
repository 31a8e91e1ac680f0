/* radau_definition.h - Radau IIA from the definition of its nodes, in quad precision
 *
 * The nodes are the zeros of R(x) = d^(s-1)/dx^(s-1) [x^(s-1) (x-1)^s]. An eigenvector of A^-1 is
 * a polynomial p of degree s with p(0) = 0 and p' - mu p = 0 at the nodes, so p' - mu p is a
 * multiple of R, and
 *
 *     p(x) = sum_k R^(k)(x) mu^(s-k),        p(0) = sum_k k! r_k mu^(s-k) = 0
 *
 * gives the eigenvectors, and the eigenvalues as zeros of the denominator of the Pade approximation
 * (s-1, s) of exp. Eigenvectors are scaled to p(1) = 1.
 *
 * Hairer, Wanner (1996), Solving Ordinary Differential Equations II, IV.5 and IV.8.
 */
#ifndef TEST_RADAU_DEFINITION_H
#define TEST_RADAU_DEFINITION_H

#include "daelab/scalar.h"
#include "stepper/radau_tableau.h"

#include <math.h>
#include <string.h>

typedef struct { dae_quad re, im; } complex_quad;

static complex_quad times(complex_quad a, complex_quad b)
{
    return (complex_quad){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static complex_quad over(complex_quad a, complex_quad b)
{
    const dae_quad d = b.re * b.re + b.im * b.im;
    return (complex_quad){(a.re * b.re + a.im * b.im) / d, (a.im * b.re - a.re * b.im) / d};
}

/* r[0 .. s] := R, divided by its leading coefficient. */
static void radau_polynomial(int s, dae_quad *r)
{
    dae_quad binomial = s % 2 ? -1 : 1;                 /* (-1)^(s-k) (s over k) */
    for (int k = 0; k <= s; k++) {
        r[k] = binomial;
        for (int j = k + 1; j <= k + s - 1; j++)
            r[k] *= j;
        binomial *= -(dae_quad)(s - k) / (k + 1);
    }
    for (int k = 0; k <= s; k++)
        r[k] /= r[s];
}

/* Newton steps for a zero of r near x, first in double, then in quad. */
static dae_quad real_zero(int s, const dae_quad *r, double x)
{
    for (int step = 0; step < 6; step++) {
        double value = 0, slope = 0;
        for (int k = s; k >= 0; k--) {
            slope = slope * x + value;
            value = value * x + (double)r[k];
        }
        x -= value / slope;
    }
    dae_quad root = x;
    for (int step = 0; step < 3; step++) {
        dae_quad value = 0, slope = 0;
        for (int k = s; k >= 0; k--) {
            slope = slope * root + value;
            value = value * root + r[k];
        }
        root -= value / slope;
    }
    return root;
}

/* c[s] := the zeros of R, increasing: zeros of a Jacobi polynomial P^(1,0) mapped to [0, 1] from
 * their asymptotic angles, and 1. */
static void find_nodes(int s, const dae_quad *r, dae_quad *c)
{
    const double pi = 3.14159265358979323846;
    for (int k = 1; k < s; k++)
        c[s - 1 - k] = real_zero(s, r, (1 + cos((k + 0.25) * pi / s)) / 2);
    c[s - 1] = 1;
}

/* All zeros of the monic polynomial q[0 .. s] to a few digits: Weierstrass' iteration. */
static void rough_zeros(int s, const double *q, double _Complex *z)
{
    const double _Complex turn = __builtin_complex(0.4, 0.9);
    double _Complex power = s + 2;
    for (int k = 0; k < s; k++) {
        z[k] = power;
        power *= turn;
    }
    for (int step = 0; step < 40; step++)
        for (int k = 0; k < s; k++) {
            double _Complex value = 1, others = 1;
            for (int j = s - 1; j >= 0; j--)
                value = value * z[k] + q[j];
            for (int j = 0; j < s; j++)
                if (j != k)
                    others *= z[k] - z[j];
            z[k] -= value / others;
        }
}

/* Newton steps for a zero of q near z. */
static complex_quad complex_zero(int s, const dae_quad *q, double _Complex z)
{
    complex_quad x = {__builtin_creal(z), __builtin_cimag(z)};
    for (int step = 0; step < 3; step++) {
        complex_quad value = {0, 0}, slope = {0, 0};
        for (int k = s; k >= 0; k--) {
            slope = times(slope, x);
            slope.re += value.re;
            slope.im += value.im;
            value = times(value, x);
            value.re += q[k];
        }
        const complex_quad correction = over(value, slope);
        x.re -= correction.re;
        x.im -= correction.im;
    }
    return x;
}

/* The eigenvalues: the real one first, then those above the real axis by falling imaginary part. */
static void find_eigenvalues(int s, const dae_quad *r, complex_quad *mu)
{
    dae_quad q[RADAU_FINE + 1], factorial = 1;
    double rough[RADAU_FINE + 1];
    double _Complex z[RADAU_FINE];
    for (int k = 0; k <= s; k++) {
        q[s - k] = factorial * r[k];
        factorial *= k + 1;
    }
    for (int k = 0; k <= s; k++) {
        q[k] /= q[s];
        rough[k] = (double)q[k];
    }
    rough_zeros(s, rough, z);
    for (int k = 0; k <= s / 2; k++) {                  /* the largest imaginary part left */
        int largest = 0;
        for (int j = 1; j < s; j++)
            if (__builtin_cimag(z[j]) > __builtin_cimag(z[largest]))
                largest = j;
        const int last = k == s / 2;
        mu[last ? 0 : k + 1] = complex_zero(s, q, last ? __builtin_creal(z[largest]) : z[largest]);
        z[largest] = __builtin_complex(__builtin_creal(z[largest]), -1e9);
    }
}

/* d[0 .. s] := R(x), R'(x), ... */
static void derivatives_at(int s, const dae_quad *r, dae_quad x, dae_quad *d)
{
    dae_quad q[RADAU_FINE + 1];
    for (int k = 0; k <= s; k++)
        q[k] = r[k];
    for (int k = 0; k <= s; k++) {
        d[k] = 0;
        for (int j = s - k; j >= 0; j--)
            d[k] = d[k] * x + q[j];
        for (int j = 0; j < s - k; j++)
            q[j] = (j + 1) * q[j + 1];
    }
}

/* sum_k d_k mu^(s-k) */
static complex_quad eigenvector_at(int s, const dae_quad *d, complex_quad mu)
{
    complex_quad sum = {d[0], 0};
    for (int k = 1; k <= s; k++) {
        sum = times(sum, mu);
        sum.re += d[k];
    }
    return sum;
}

/* z = v_0 w_0 + sum_k Re(v_k w_k): the columns of T are v_0, Re v_k, -Im v_k. */
static void fill_T(int s, const dae_quad *r, const dae_quad *c, const complex_quad *mu, dae_quad *T)
{
    complex_quad end[RADAU_PAIRS + 1];
    dae_quad d[RADAU_FINE + 1];
    for (int i = s - 1; i >= 0; i--) {                  /* c_s = 1 first: it scales the others */
        derivatives_at(s, r, c[i], d);
        for (int k = 0; k <= s / 2; k++) {
            const complex_quad v = eigenvector_at(s, d, mu[k]);
            if (i == s - 1)
                end[k] = v;
            const complex_quad scaled = over(v, end[k]);
            if (k > 0)
                T[i * s + 2 * k - 1] = scaled.re;
            T[i * s + 2 * k] = k > 0 ? -scaled.im : scaled.re;
        }
    }
}

/* X := T^-1 by Gauss-Jordan elimination with pivoting; T is destroyed. */
static void invert(int s, dae_quad *T, dae_quad *X)
{
    for (int i = 0; i < s * s; i++)
        X[i] = i % (s + 1) == 0;
    for (int k = 0; k < s; k++) {
        int p = k;
        for (int i = k + 1; i < s; i++)
            if (fabs((double)T[i * s + k]) > fabs((double)T[p * s + k]))
                p = i;
        const dae_quad d = 1 / T[p * s + k];
        for (int j = 0; j < s; j++) {
            const dae_quad t = T[p * s + j], x = X[p * s + j];
            T[p * s + j] = T[k * s + j];
            X[p * s + j] = X[k * s + j];
            T[k * s + j] = d * t;
            X[k * s + j] = d * x;
        }
        for (int i = 0; i < s; i++) {
            const dae_quad factor = T[i * s + k];
            for (int j = 0; i != k && j < s; j++) {
                T[i * s + j] -= factor * T[k * s + j];
                X[i * s + j] -= factor * X[k * s + j];
            }
        }
    }
}

/* l_j'(0) = lagrange_j prod_(m != j) (-c_m) */
static void fill_basis(radau_tableau *tableau, const dae_quad *c)
{
    for (int j = 0; j < tableau->s; j++) {
        dae_quad at_zero = 1, at_node = c[j];
        for (int m = 0; m < tableau->s; m++)
            if (m != j) {
                at_zero *= -c[m];
                at_node *= c[j] - c[m];
            }
        tableau->c[j] = (double)c[j];
        tableau->lagrange[j] = (double)(1 / at_node);
        tableau->slope[j] = (double)(at_zero / at_node);
    }
}

/* l_j = lagrange_j (x^s - sum_(m != j) c_m x^(s-1) + ..), and Legendre's P_n on [0, 1] is
 * b_n (x^n - n/2 x^(n-1) + ..), b_n = (2 n)!/n!^2. */
static void fill_last_coefficients(radau_tableau *tableau, const dae_quad *c)
{
    const int s = tableau->s;
    dae_quad sum = 0, b = 1, b_before = 1;
    for (int n = 1; n < s; n++) {
        b_before = b;
        b *= (dae_quad)(4 * n - 2) / n;
    }
    for (int j = 0; j < s; j++)
        sum += c[j];
    for (int j = 0; j < s; j++) {
        const dae_quad leading = s * (dae_quad)tableau->lagrange[j];
        const dae_quad next = -(s - 1) * (dae_quad)tableau->lagrange[j] * (sum - c[j]);
        tableau->last[j] = (double)(leading / b);
        tableau->last_but_one[j] = (double)((next + (s - 1) * leading / 2) / b_before);
    }
}

static void by_columns(int s, const dae_quad *rows, double *columns)
{
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++)
            columns[j * s + i] = (double)rows[i * s + j];
}

/* The coefficients for s = 3, 5, ... RADAU_FINE stages, correctly rounded but for the last digits of quad. */
static void radau_from_definition(radau_tableau *tableau, int s)
{
    dae_quad r[RADAU_FINE + 1], c[RADAU_FINE];
    dae_quad T[RADAU_FINE * RADAU_FINE], X[RADAU_FINE * RADAU_FINE];
    complex_quad mu[RADAU_PAIRS + 1];
    memset(tableau, 0, sizeof *tableau);
    tableau->s = s;
    radau_polynomial(s, r);
    find_nodes(s, r, c);
    find_eigenvalues(s, r, mu);
    fill_basis(tableau, c);
    fill_last_coefficients(tableau, c);
    fill_T(s, r, c, mu, T);
    by_columns(s, T, tableau->T);
    invert(s, T, X);
    by_columns(s, X, tableau->T_inverse);
    tableau->mu = (double)mu[0].re;
    for (int k = 0; k < s / 2; k++) {
        tableau->alpha[k] = (double)mu[k + 1].re;
        tableau->beta[k] = (double)mu[k + 1].im;
    }
}

#endif
