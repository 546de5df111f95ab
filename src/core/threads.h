/* SPDX-License-Identifier: Apache-2.0 */
/* How many OpenMP threads a call works with, and work in pieces shared among them. */
#ifndef ASSAY_CORE_THREADS_H
#define ASSAY_CORE_THREADS_H

#include "assay/base.h"

/* The number an option asks for: 0 means every processor that OpenMP would use. */
int assay_threads(int asked);

/* A piece of work: the k-th, on thread number thread of those asked for. */
typedef assay_status (*assay_piece)(void *user, size_t k, int thread);

/*
 * Do pieces 0 .. n - 1, in any order. The progress is asked at the start, after pieces of the
 * calling thread and at the end: its fraction is that of the pieces done. A piece that fails, or a
 * caller who cancels, makes the rest pass at once. ASSAY_OK; ASSAY_E_CANCELLED; what the first
 * piece that failed returned, with its sentence.
 */
assay_status assay_do_pieces(size_t n, int threads, const char *stage, assay_progress progress,
                             assay_piece piece, void *user);

#endif
