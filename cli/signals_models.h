/* SPDX-License-Identifier: Apache-2.0 */
/* What `assay signals` says of the models' dates, skill and other properties. */
#ifndef ASSAY_CLI_SIGNALS_MODELS_H
#define ASSAY_CLI_SIGNALS_MODELS_H

#include "options.h"

#include <assay/ageing.h>
#include <assay/attribute_auc.h>
#include <assay/json_writer.h>
#include <assay/model_column.h>
#include <assay/windows.h>
#include <stdio.h>

struct signals_models_request {
    const char *dates, *by, *attribute; /* columns or files, or NULL */
    int64_t window, step;
    int halves; /* by what the windows are: the audit asks for them */
};

enum { SIGNALS_MODELS_N_OPTIONS = 5 };
void signals_models_options(struct signals_models_request *request,
                            struct cli_option options[SIGNALS_MODELS_N_OPTIONS]);

/* ASSAY_OK or ASSAY_E_VALUE, before anything is read. */
assay_status signals_models_check(const struct signals_models_request *request);

/* How everything is drawn; draws 0 as usual. */
struct signals_models_setting {
    uint64_t seed;
    size_t draws;
    int threads;
    assay_progress progress;
};

struct signals_models {
    const struct signals_models_request *request;
    const assay_matrix *matrix;
    assay_model_column *date, *score,
        *property; /* NULL where not asked for; score also for "score" */
    assay_ageing ageing;
    assay_windows *windows;
    size_t n_unscored;
    int has_skill;
    assay_ageing skill; /* the weaker half of the models, and the better one, as early and late */
    assay_attribute_auc auc;
    const char *zero, *one; /* the two values of the property */
};

/* What was asked for. Free it whatever happened. */
assay_status signals_models(const assay_results *results, const assay_matrix *matrix,
                            const struct signals_models_request *request,
                            const struct signals_models_setting *setting,
                            struct signals_models *out);
void signals_models_free(struct signals_models *models);

/* What the models were sorted by. */
const char *signals_models_by(const struct signals_models *models);

/* Blocks of the table, and keys of the JSON. print_signals_models.c */
void print_signals_models(FILE *to, const struct signals_models *models);
void json_signals_models(assay_json *json, const struct signals_models *models);

#endif
