/* SPDX-License-Identifier: Apache-2.0 */
/* The three forms of a saturation curve, by least squares along their one parameter that is not
   linear. */
#include "assay/saturation.h"
#include "core/error.h"

#include <math.h>

static const char still_grows[] = "the curve grows without bending: nothing tells where it ends";
static const char falls[] = "the curve does not rise towards an end";

/* The points, and the form being fitted. Sizes are taken as shares of the largest. */
struct points {
    assay_saturation_form form;
    const double *size, *ed, *weight;
    size_t n;
    double largest;
};

/* The linear part given the shape: ed = end + slope f(n), where the forms but the power have no
   slope and f in its place is scaled by end. */
struct linear {
    double end, slope, squares;
};

static assay_status check(struct points *points);
static double rmse_of(const struct points *points, const assay_saturation_fit *fit);
static struct linear solve(const struct points *points, double log_shape);
static double search(const struct points *points, double from, double to, int *at_end);

assay_status assay_saturation_fit_form(assay_saturation_form form, const double *size,
                                       const double *ed, const double *weight, size_t n,
                                       assay_saturation_fit *out)
{
    struct points points = { form, size, ed, weight, n, 0.0 };
    /* b from a millionth to 1,000 times the largest size; c from where n^-c is all but a logarithm
       to where one step ends it. */
    const int is_power = form == ASSAY_SATURATION_POWER;
    double from = is_power ? log(1e-2) : log(1e-6), to = is_power ? log(30.0) : log(1e3), at;
    assay_status status = check(&points);
    struct linear best;
    int end;

    if (status != ASSAY_OK) return status;
    at = search(&points, from, to, &end);
    best = solve(&points, at);
    *out = (assay_saturation_fit){ NAN, NAN, NAN, NAN, NULL };
    if (is_power ? end < 0 : end > 0)
        out->reason = still_grows;
    else if (is_power && best.slope > 0.0)
        out->reason = falls;
    if (out->reason) return ASSAY_OK;
    out->ed_inf = best.end;
    out->c = is_power ? exp(at) : NAN;
    out->b = is_power ? -best.slope * pow(points.largest, exp(at)) : exp(at) * points.largest;
    out->rmse = rmse_of(&points, out);
    return ASSAY_OK;
}

static assay_status check(struct points *points)
{
    const double *size = points->size, *ed = points->ed, *weight = points->weight;

    if (points->n < 4)
        return assay_fail(ASSAY_E_SHAPE, "saturation: %zu sizes, expected 4 or more", points->n);
    if ((unsigned)points->form >= ASSAY_SATURATION_N_FORMS)
        return assay_fail(ASSAY_E_VALUE, "saturation: there is no form %d", (int)points->form);
    for (size_t i = 0; i < points->n; i++) {
        if (!(size[i] > 0.0 && isfinite(size[i]) && isfinite(ed[i])) ||
            (weight && !(weight[i] > 0.0 && isfinite(weight[i]))))
            return assay_fail(ASSAY_E_VALUE,
                              "saturation: point %zu is of size %g, ED %g and weight %g", i + 1,
                              size[i], ed[i], weight ? weight[i] : 1.0);
        points->largest = fmax(points->largest, size[i]);
    }
    return ASSAY_OK;
}

static double rmse_of(const struct points *points, const assay_saturation_fit *fit)
{
    double squares = 0.0;

    for (size_t i = 0; i < points->n; i++) {
        double off = points->ed[i] - assay_saturation_at(points->form, fit, points->size[i]);

        squares += off * off / (double)points->n;
    }
    return sqrt(squares);
}

double assay_saturation_at(assay_saturation_form form, const assay_saturation_fit *fit, double size)
{
    switch (form) {
    case ASSAY_SATURATION_HYPERBOLA: return fit->ed_inf * size / (size + fit->b);
    case ASSAY_SATURATION_EXPONENTIAL: return fit->ed_inf * -expm1(-size / fit->b);
    case ASSAY_SATURATION_POWER: return fit->ed_inf - fit->b * pow(size, -fit->c);
    case ASSAY_SATURATION_N_FORMS: break;
    }
    return NAN;
}

const char *assay_saturation_form_name(assay_saturation_form form)
{
    static const char *const names[] = { "hyperbola", "exponential", "power" };

    return (unsigned)form < ASSAY_SATURATION_N_FORMS ? names[form] : "";
}

/* f of one point, whose size is a share x of the largest. */
static double shape_at(assay_saturation_form form, double x, double shape)
{
    switch (form) {
    case ASSAY_SATURATION_HYPERBOLA: return x / (x + shape);
    case ASSAY_SATURATION_EXPONENTIAL: return -expm1(-x / shape);
    default: return pow(x, -shape) - 1.0; /* the 1 goes to the end: less cancels for a small c */
    }
}

static struct linear solve(const struct points *p, double log_shape)
{
    double shape = exp(log_shape), w_sum = 0.0, f_mean = 0.0, y_mean = 0.0, ff = 0.0, fy = 0.0;
    int is_power = p->form == ASSAY_SATURATION_POWER;
    struct linear out = { 0.0, 0.0, 0.0 };

    for (size_t i = 0; i < p->n; i++) {
        double w = p->weight ? p->weight[i] : 1.0;

        w_sum += w;
        f_mean += w * shape_at(p->form, p->size[i] / p->largest, shape);
        y_mean += w * p->ed[i];
    }
    f_mean = is_power ? f_mean / w_sum : 0.0;
    y_mean = is_power ? y_mean / w_sum : 0.0;
    for (size_t i = 0; i < p->n; i++) {
        double w = p->weight ? p->weight[i] : 1.0;
        double f = shape_at(p->form, p->size[i] / p->largest, shape) - f_mean;

        ff += w * f * f;
        fy += w * f * (p->ed[i] - y_mean);
    }
    out.slope = fy / ff;
    out.end = is_power ? y_mean - out.slope * (f_mean + 1.0) : out.slope;
    for (size_t i = 0; i < p->n; i++) {
        double f = shape_at(p->form, p->size[i] / p->largest, shape) - f_mean;
        double residual = p->ed[i] - y_mean - out.slope * f;

        out.squares += (p->weight ? p->weight[i] : 1.0) * residual * residual;
    }
    return out;
}

/* Where the sum of squares is least; *at_end is -1 or 1 where that is an end of the range. */
static double search(const struct points *points, double from, double to, int *at_end)
{
    enum { STEPS = 400, SECTIONS = 80 };
    const double golden = 0.5 * (sqrt(5.0) - 1.0), step = (to - from) / STEPS;
    double least = INFINITY, low, high, a, b, at_a, at_b;
    int best = 0;

    for (int k = 0; k <= STEPS; k++) {
        double squares = solve(points, from + k * step).squares;

        if (squares < least) {
            least = squares;
            best = k;
        }
    }
    *at_end = best == 0 ? -1 : best == STEPS ? 1 : 0;
    low = from + (best > 0 ? best - 1 : 0) * step;
    high = from + (best < STEPS ? best + 1 : STEPS) * step;
    a = high - golden * (high - low);
    b = low + golden * (high - low);
    at_a = solve(points, a).squares;
    at_b = solve(points, b).squares;
    for (int k = 0; k < SECTIONS && high - low > 1e-12; k++) {
        if (at_a <= at_b) {
            high = b;
            b = a;
            at_b = at_a;
            a = high - golden * (high - low);
            at_a = solve(points, a).squares;
        } else {
            low = a;
            a = b;
            at_a = at_b;
            b = low + golden * (high - low);
            at_b = solve(points, b).squares;
        }
    }
    return 0.5 * (low + high);
}
