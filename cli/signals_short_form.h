/* SPDX-License-Identifier: Apache-2.0 */
/* A short form of the items within `assay signals`: --select. */
#ifndef ASSAY_CLI_SIGNALS_SHORT_FORM_H
#define ASSAY_CLI_SIGNALS_SHORT_FORM_H

#include "options.h"

#include <assay/json_writer.h>
#include <assay/short_form.h>
#include <assay/signals.h>
#include <stdio.h>

struct signals_reading;

enum { SIGNALS_N_SHORT_FORM = 3 };

struct signals_short_form {
    int64_t n_items, splits; /* n_items 0: not asked for */
    int method;
    const assay_matrix *matrix;
    assay_short_form *form; /* NULL where not asked for */
};

void signals_short_form_options(struct signals_short_form *form,
                                struct cli_option options[SIGNALS_N_SHORT_FORM]);
assay_status signals_short_form_check(const struct signals_short_form *form);
assay_status signals_short_form_find(struct signals_short_form *form, const assay_matrix *matrix,
                                     const assay_signals_options *given);

/* What to do with a short form: it is worth it where choosing gains more than its uncertainty, and
   where there is an order to keep. */
struct signals_short_form_advice {
    int is_worth_it;
    const char *what;
};
struct signals_short_form_advice signals_short_form_advise(const assay_short_form_quality *quality,
                                                           const struct signals_reading *reading);

/* A block of the table, and "selection" of the JSON: nothing where it was not asked for. */
void print_signals_short_form(FILE *to, const struct signals_short_form *form,
                              const struct signals_reading *reading);
void json_signals_short_form(assay_json *json, const struct signals_short_form *form,
                             const struct signals_reading *reading);

#endif
