/* SPDX-License-Identifier: Apache-2.0 */
/* G: the Gram matrix of Z on its smaller side, models x models (ZZ') or items x items (Z'Z). */
#ifndef ASSAY_SIGNALS_GRAM_H
#define ASSAY_SIGNALS_GRAM_H

#include "signals/centred.h"

/**
 * The whole symmetric G, z->n_rows square.
 *
 * For complete 0/1 data it comes from integer counts, so that it is exact but for one rounding;
 * otherwise from products of blocks of fixed shape, so that it does not depend on the threads.
 *
 * @param change  what is done to Z first; all NULL for nothing.
 * @param gram   R x R, from assay_alloc_aligned(), all zero at first.
 * @return ASSAY_OK; ASSAY_E_NOMEM.
 */
assay_status assay_gram(const assay_centred *z, assay_change change, int threads, double *gram);

#endif
