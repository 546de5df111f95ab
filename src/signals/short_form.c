/* SPDX-License-Identifier: Apache-2.0 */
#include "signals/short_form.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "core/threads.h"
#include "data/matrix.h"

#include <stdlib.h>
#include <string.h>

static assay_status resolve_options(const assay_short_form_options *given,
                                    assay_short_form_options *options);
static assay_status check_size(const assay_matrix *matrix);
static assay_status all_models(const assay_matrix *matrix, assay_deviations *z);
static assay_status choose(const assay_matrix *matrix, const assay_deviations *z,
                           const assay_short_form_options *options, assay_short_form *form);

assay_status assay_short_form_choose(const assay_matrix *matrix,
                                     const assay_short_form_options *given, assay_short_form **out)
{
    assay_short_form_options options;
    assay_deviations z = { 0 };
    assay_short_form *form = NULL;
    assay_status status;

    *out = NULL;
    if ((status = resolve_options(given, &options)) != ASSAY_OK) return status;
    if ((status = check_size(matrix)) != ASSAY_OK) return status;
    if ((status = all_models(matrix, &z)) != ASSAY_OK) goto done;
    if (z.n_varying == 0) {
        status = assay_fail(ASSAY_E_DEGENERATE, "no item tells two models apart");
        goto done;
    }
    if (options.n_items == 0) options.n_items = z.n_varying;
    if (options.n_items > z.n_varying) {
        status =
            assay_fail(ASSAY_E_VALUE, "%zu items were to be chosen of %zu that are not constant",
                       options.n_items, z.n_varying);
        goto done;
    }
    form = assay_alloc_zero(1, sizeof *form);
    if (!form) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory to choose among %zu items", z.n_items);
        goto done;
    }
    if ((status = choose(matrix, &z, &options, form)) != ASSAY_OK) goto done;
    *out = form;
    form = NULL;
done:
    assay_short_form_free(form);
    assay_deviations_free(&z);
    return status;
}

void assay_short_form_free(assay_short_form *form)
{
    if (!form) return;
    free(form->items);
    free(form->ed);
    free(form);
}

void assay_short_form_options_init(assay_short_form_options *options, size_t struct_size)
{
    const assay_short_form_options defaults = { .struct_size = struct_size,
                                                .method = ASSAY_SHORT_FORM_RANKING,
                                                .seed = 1,
                                                .splits = 10,
                                                .level = 0.95 };

    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

assay_status assay_short_form_options_check(const assay_short_form_options *options)
{
    assay_short_form_options resolved;

    return resolve_options(options, &resolved);
}

static assay_status resolve_options(const assay_short_form_options *given,
                                    assay_short_form_options *options)
{
    assay_status status;

    assay_short_form_options_init(options, sizeof *options);
    status = assay_options_take("short form", given, options, sizeof *options);
    if (status != ASSAY_OK) return status;
    if (options->method != ASSAY_SHORT_FORM_RANKING && options->method != ASSAY_SHORT_FORM_ED)
        return assay_fail(ASSAY_E_VALUE, "short form: method is %d, expected 0 or 1",
                          (int)options->method);
    if (options->splits > 10000)
        return assay_fail(ASSAY_E_VALUE, "short form: splits is %zu, expected 0 to 10000",
                          options->splits);
    if (!(options->level > 0.0 && options->level < 1.0))
        return assay_fail(ASSAY_E_VALUE, "short form: level is %g, expected above 0 and below 1",
                          options->level);
    if (options->threads < 0 || options->threads > 1024)
        return assay_fail(ASSAY_E_VALUE, "short form: threads is %d, expected 0 to 1024",
                          options->threads);
    return ASSAY_OK;
}

static assay_status check_size(const assay_matrix *matrix)
{
    const size_t most = ((size_t)1 << 30) / sizeof(double);

    if (matrix->n_models <= most / matrix->n_items) return ASSAY_OK;
    return assay_fail(
        ASSAY_E_SHAPE, "choosing among %zu items of %zu models would take %.1f GiB, expected 1",
        matrix->n_items, matrix->n_models,
        (double)matrix->n_models * (double)matrix->n_items * sizeof(double) / 1073741824.0);
}

static assay_status all_models(const assay_matrix *matrix, assay_deviations *z)
{
    size_t *models = assay_alloc(matrix->n_models, sizeof *models);
    assay_status status;

    if (!models)
        return assay_fail(ASSAY_E_NOMEM, "no memory for a list of %zu models", matrix->n_models);
    for (size_t m = 0; m < matrix->n_models; m++) models[m] = m;
    status = assay_deviations_new(matrix, models, matrix->n_models, z);
    free(models);
    return status;
}

assay_status assay_short_form_pick(const assay_deviations *z,
                                   const assay_short_form_options *options, size_t n_items,
                                   size_t *items, double *ed)
{
    int threads = assay_threads(options->threads);
    assay_status status;

    if (options->method == ASSAY_SHORT_FORM_ED)
        return assay_greedy_ed(z, n_items, threads, options->progress, items, ed);
    status = assay_greedy_ranking(z, n_items, threads, options->progress, items);
    return status == ASSAY_OK && ed ? assay_ed_of_first(z, items, n_items, threads, ed) : status;
}

static assay_status choose(const assay_matrix *matrix, const assay_deviations *z,
                           const assay_short_form_options *options, assay_short_form *form)
{
    assay_status status;

    form->n = options->n_items;
    form->items = assay_alloc(form->n, sizeof *form->items);
    form->ed = assay_alloc(form->n, sizeof *form->ed);
    if (!form->items || !form->ed)
        return assay_fail(ASSAY_E_NOMEM, "no memory to choose %zu items", form->n);
    status = assay_short_form_pick(z, options, form->n, form->items, form->ed);
    if (status == ASSAY_OK) status = assay_short_form_measure(matrix, z, options, form);
    return status;
}

const size_t *assay_short_form_items(const assay_short_form *form, size_t *n)
{
    *n = form->n;
    return form->items;
}

const double *assay_short_form_ed(const assay_short_form *form, size_t *n)
{
    *n = form->n;
    return form->ed;
}

assay_short_form_quality assay_short_form_get_quality(const assay_short_form *form)
{
    return form->quality;
}
