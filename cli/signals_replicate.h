/* SPDX-License-Identifier: Apache-2.0 */
/* The part of `assay signals` that removes the noise of outcomes, where there are replicates. */
#ifndef ASSAY_CLI_SIGNALS_REPLICATE_H
#define ASSAY_CLI_SIGNALS_REPLICATE_H

#include "session.h"

#include <assay/replicate_dimension.h>

enum signals_replicate_choice {
    SIGNALS_REPLICATE_AUTO,
    SIGNALS_REPLICATE_RUNS,
    SIGNALS_REPLICATE_TEMPLATES,
    SIGNALS_REPLICATE_CLUSTERS,
    SIGNALS_REPLICATE_NONE
};

struct signals_replicate {
    int choice; /* of the command line */
    const char *clusters;
    assay_replicates *table; /* NULL where there are none, or none were asked for */
    assay_replicate_dimension fit;
};

/* Options for cli_parse(): what they write to is *part, which they set to nothing chosen. */
enum { SIGNALS_N_REPLICATE = 2 };
void signals_replicate_options(struct signals_replicate *part,
                               struct cli_option options[SIGNALS_N_REPLICATE]);

/* ASSAY_OK, or ASSAY_E_VALUE for options that do not go together. */
assay_status signals_replicate_check(const struct signals_replicate *part);

/* Choose the replicates, where that is left to the data, and estimate. Free in either case. */
assay_status signals_replicate_find(struct signals_replicate *part, const assay_results *results,
                                    double level, int threads);
void signals_replicate_free(struct signals_replicate *part);

/* Where the replicates are from, NULL where there are none; and why there is no estimate or no
   interval, NULL where there is one. */
const char *signals_replicate_source(const struct signals_replicate *part);
const char *signals_replicate_reason(const struct signals_replicate *part);

/* The section of the table; the key of the JSON object. */
void signals_replicate_print(FILE *to, const struct signals_replicate *part, double level);
void signals_replicate_json(assay_json *json, const struct signals_replicate *part, double level);

#endif
