/* SPDX-License-Identifier: Apache-2.0 */
/* Running many sequences: packed into blocks with little left over, blocks shared among threads. */
#ifndef ASSAY_EMBED_BLOCKS_H
#define ASSAY_EMBED_BLOCKS_H

#include "embed/encoder.h"

/* Fill the vectors of n sequences. ASSAY_OK; ASSAY_E_CANCELLED, with the vectors of some not filled;
   ASSAY_E_NOMEM. is_done (n) tells which are. */
assay_status assay_run_sequences(const assay_encoder *encoder,
                                 const assay_sequence *const *sequences, size_t n, int threads,
                                 assay_progress progress, unsigned char *is_done);

#endif
