/* SPDX-License-Identifier: Apache-2.0 */
#include "templates_answer.h"

void templates_request_init(struct templates_request *request)
{
    assay_templates_options defaults;
    assay_study_options study_defaults;
    assay_simulate_templates_options drawing_defaults;

    assay_templates_options_init(&defaults, sizeof defaults);
    assay_study_options_init(&study_defaults, sizeof study_defaults);
    assay_simulate_templates_options_init(&drawing_defaults, sizeof drawing_defaults);
    *request = (struct templates_request){ .c = defaults.c,
                                           .draws = defaults.n_draws,
                                           .seeds = (int64_t)study_defaults.n_seeds,
                                           .quantiles = "0.05,0.25,0.5,0.75,0.95",
                                           .budgets = "200,400,800,1600",
                                           .published = { .concentration =
                                                              drawing_defaults.concentration } };
    request->analysis.level = defaults.level;
}
