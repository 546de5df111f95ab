/* SPDX-License-Identifier: Apache-2.0 */
/* `assay signals --atlas`: every input is a benchmark of its own, and gives one row. */
#ifndef ASSAY_CLI_SIGNALS_ATLAS_H
#define ASSAY_CLI_SIGNALS_ATLAS_H

#include "atlas_benchmark.h"

struct signals_atlas {
    int is_asked, sort;
    const char *csv;
};

/* Options for cli_parse(): what they write to is *part, which they set to nothing asked. */
enum { SIGNALS_N_ATLAS = 3 };
void signals_atlas_options(struct signals_atlas *part, struct cli_option options[SIGNALS_N_ATLAS]);

/* What else the command line asks for. */
struct signals_atlas_with {
    const struct cli_common *common;
    const struct cli_analysis *analysis;
    struct cli_reading *reading;
    const struct signals_replicate *replicate;
    const assay_signals_options *signals;
    const char *plot;
    int tetrachoric;
};

/* ASSAY_OK, or ASSAY_E_VALUE for options that do not go together. */
assay_status signals_atlas_check(const struct signals_atlas *part,
                                 const struct signals_atlas_with *with);

/* Read, fit and print them all; returns the exit status. */
int signals_atlas(const struct signals_atlas *part, const struct signals_atlas_with *with,
                  int n_paths, char **paths);

#endif
