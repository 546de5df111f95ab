/* SPDX-License-Identifier: Apache-2.0 */
#include "signals_short_form.h"

#include "session.h"
#include "signals_reading.h"
#include "signals_suite.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *const method_names[] = { "ranking", "ed" };

void signals_short_form_options(struct signals_short_form *form,
                                struct cli_option options[SIGNALS_N_SHORT_FORM])
{
    assay_short_form_options defaults;
    const struct cli_option all[SIGNALS_N_SHORT_FORM] = {
        { "select", 0, CLI_INTEGER, &form->n_items, "K", "choose K items that stand for all" },
        { "select-by", 0, CLI_CHOICE, &form->method, "ranking|ed",
          "so that they rank models as all do, or with the largest ED" },
        { "select-splits", 0, CLI_INTEGER, &form->splits, "N",
          "of the models into halves: chosen by one, tried on the other" },
    };

    assay_short_form_options_init(&defaults, sizeof defaults);
    *form = (struct signals_short_form){ .splits = (int64_t)defaults.splits,
                                         .method = (int)defaults.method };
    memcpy(options, all, sizeof all);
}

assay_status signals_short_form_check(const struct signals_short_form *form)
{
    if (form->n_items < 0)
        return cli_fail(ASSAY_E_VALUE, "--select is %" PRId64 ", expected 1 or more",
                        form->n_items);
    if (form->splits < 0 || form->splits > 10000)
        return cli_fail(ASSAY_E_VALUE, "--select-splits is %" PRId64 ", expected 0 to 10000",
                        form->splits);
    if (form->n_items == 0 && cli_was_said(&form->n_items))
        return cli_fail(ASSAY_E_VALUE, "--select is 0, expected 1 or more");
    if (form->n_items == 0 && (cli_was_said(&form->method) || cli_was_said(&form->splits)))
        return cli_fail(ASSAY_E_VALUE, "--%s is for --select",
                        cli_was_said(&form->method) ? "select-by" : "select-splits");
    return ASSAY_OK;
}

assay_status signals_short_form_find(struct signals_short_form *form, const assay_matrix *matrix,
                                     const assay_signals_options *given)
{
    assay_short_form_options options;

    form->matrix = matrix;
    if (form->n_items == 0) return ASSAY_OK;
    assay_short_form_options_init(&options, sizeof options);
    options.method = (assay_short_form_method)form->method;
    options.n_items = (size_t)form->n_items;
    options.seed = given->seed;
    options.level = given->level;
    options.splits = (size_t)form->splits;
    options.threads = given->threads;
    options.progress = given->progress;
    return assay_short_form_choose(matrix, &options, &form->form);
}

struct signals_short_form_advice signals_short_form_advise(const assay_short_form_quality *quality,
                                                           const struct signals_reading *reading)
{
    if (quality->reason) return (struct signals_short_form_advice){ 0, quality->reason };
    if (reading->evidence.scales_differ)
        return (struct signals_short_form_advice){
            0, "settle the columns in doubt first: the order by all items may be theirs"
        };
    if (!reading->has_signal)
        return (struct signals_short_form_advice){
            0, "choose no items yet: the order that they would keep is not told from noise"
        };
    switch (assay_read_interval(quality->gain, quality->gain_low, quality->gain_high, 0.0)) {
    case ASSAY_FINDING_ABOVE:
        return (struct signals_short_form_advice){
            1, "screen new models by these items, report by all"
        };
    case ASSAY_FINDING_BELOW:
        return (struct signals_short_form_advice){ 0, "take random items: these rank worse" };
    default:
        return (struct signals_short_form_advice){
            0, "take as many random items, if fewer are wanted: that choosing gains is not told "
               "from chance"
        };
    }
}

void print_signals_short_form(FILE *to, const struct signals_short_form *form,
                              const struct signals_reading *reading)
{
    assay_short_form_quality quality;
    const size_t *items;
    const double *ed;
    size_t n;

    if (!form->form) return;
    quality = assay_short_form_get_quality(form->form);
    items = assay_short_form_items(form->form, &n);
    ed = assay_short_form_ed(form->form, &n);
    fprintf(to, "short form: %zu of %zu items, %s\n", n, assay_matrix_n_items(form->matrix),
            form->method == ASSAY_SHORT_FORM_ED ? "for the largest ED (ED-Greedy)"
                                                : "for the models' ranking");
    print_signals_names(to, form->matrix, items, n);
    fprintf(to, "  %-34s %8.2f\n", "ED", ed[n - 1]);
    fputs("  Spearman of the models' order by them with that by all items\n", to);
    fprintf(to, "  %-34s %8.3f   too good: they were chosen by them\n", "  on these models",
            quality.spearman);
    if (quality.reason)
        fprintf(to, "  %-34s        -   (%s)\n\n", "  on models not chosen by", quality.reason);
    else
        fprintf(to,
                "  %-34s %8.3f   sd %.3f of %zu halves of the models\n  %-34s %8.3f   on the same "
                "halves\n  %-34s %8.3f   %.3f to %.3f\n  %s\n\n",
                "  on models not chosen by", quality.held_out, quality.held_out_sd,
                2 * quality.n_splits, "  of as many random items", quality.random,
                "  gained by choosing", quality.gain, quality.gain_low, quality.gain_high,
                signals_short_form_advise(&quality, reading).what);
}

static void json_names(assay_json *json, const struct signals_short_form *form)
{
    size_t n;
    const size_t *items = assay_short_form_items(form->form, &n);

    assay_json_key(json, "items");
    assay_json_begin_array(json);
    for (size_t i = 0; i < n; i++) assay_json_text(json, assay_matrix_item(form->matrix, items[i]));
    assay_json_end_array(json);
}

void json_signals_short_form(assay_json *json, const struct signals_short_form *form,
                             const struct signals_reading *reading)
{
    assay_short_form_quality quality;
    const double *ed;
    size_t n;

    if (!form->form) return;
    quality = assay_short_form_get_quality(form->form);
    ed = assay_short_form_ed(form->form, &n);
    assay_json_key(json, "selection");
    assay_json_begin_object(json);
    assay_json_key(json, "method");
    assay_json_text(json, method_names[form->method]);
    assay_json_key(json, "k");
    assay_json_count(json, n);
    json_names(json, form);
    assay_json_key(json, "ed_history");
    assay_json_begin_array_in_line(json);
    for (size_t k = 0; k < n; k++) assay_json_number(json, ed[k]);
    assay_json_end_array(json);
    assay_json_key(json, "spearman");
    assay_json_number(json, quality.spearman);
    cli_json_estimate(json, "spearman_held_out", quality.held_out, quality.reason);
    cli_json_estimate(json, "spearman_held_out_sd", quality.held_out_sd, quality.reason);
    cli_json_estimate(json, "spearman_random", quality.random, quality.reason);
    cli_json_estimate(json, "gain", quality.gain, quality.reason);
    assay_json_key(json, "gain_interval");
    if (quality.reason) {
        assay_json_null(json);
    } else {
        assay_json_begin_array_in_line(json);
        assay_json_number(json, quality.gain_low);
        assay_json_number(json, quality.gain_high);
        assay_json_end_array(json);
    }
    assay_json_key(json, "advice");
    assay_json_text(json, signals_short_form_advise(&quality, reading).what);
    assay_json_key(json, "splits");
    assay_json_count(json, quality.n_splits);
    assay_json_end_object(json);
}
