/* SPDX-License-Identifier: Apache-2.0 */
/* One benchmark of an atlas: read, fitted, and kept as a row. */
#ifndef ASSAY_CLI_ATLAS_BENCHMARK_H
#define ASSAY_CLI_ATLAS_BENCHMARK_H

#include "atlas_answer.h"
#include "session.h"
#include "signals_replicate.h"

/* How all of them are read and fitted. */
struct atlas_request {
    const struct cli_common *common;
    const assay_read_options *read;
    const assay_signals_options *signals;
    int replicates; /* enum signals_replicate_choice */
};

/* Read and fit the benchmark at path. Notes go to standard error. On failure the row is empty, the
   sentence is the last error, and *n_rows tells how many observations were read before it. */
assay_status atlas_benchmark_fit(const struct atlas_request *request, const char *path,
                                 struct atlas_row *row, uint64_t *n_rows);
void atlas_row_free(struct atlas_row *row);

#endif
