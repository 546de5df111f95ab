/* SPDX-License-Identifier: Apache-2.0 */
#include "core/threads.h"

#include "core/error.h"

#include <omp.h>
#include <stdio.h>

enum { SENTENCE_SIZE = 1024 };

/* How the pieces stand, shared by the threads. */
typedef struct pieces {
    size_t n, n_done;
    const char *stage;
    assay_progress progress;
    assay_status stop;            /* once a piece failed or the caller cancelled */
    char sentence[SENTENCE_SIZE]; /* the last error is a thread's own, so it is carried over */
} pieces;

int assay_threads(int asked)
{
    return asked > 0 ? asked : omp_get_max_threads();
}

static assay_status tell(pieces *all, size_t n_done)
{
    const assay_progress *progress = &all->progress;
    double fraction = all->n ? (double)n_done / (double)all->n : 1.0;

    if (!progress->step || progress->step(progress->user, all->stage, fraction) == 0)
        return ASSAY_OK;
    return assay_fail(ASSAY_E_CANCELLED, "cancelled in %s", all->stage);
}

static void stop_at(pieces *all, assay_status status)
{
#pragma omp critical(assay_pieces)
    {
        int so_far;

#pragma omp atomic read
        so_far = all->stop;
        if (so_far == ASSAY_OK) {
            snprintf(all->sentence, sizeof all->sentence, "%s", assay_last_error());
#pragma omp atomic write
            all->stop = status;
        }
    }
}

assay_status assay_do_pieces(size_t n, int threads, const char *stage, assay_progress progress,
                             assay_piece piece, void *user)
{
    pieces all = { .n = n, .stage = stage, .progress = progress };
    /* Once at the start, since the calling thread may come to no piece at all. */
    assay_status status = tell(&all, 0);

    if (status != ASSAY_OK) return status;
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (threads > 1)
    for (size_t k = 0; k < n; k++) {
        int me = omp_get_thread_num();
        assay_status so_far;
        size_t done;

#pragma omp atomic read
        so_far = all.stop;
        if (so_far != ASSAY_OK) continue;
        so_far = piece(user, k, me);
#pragma omp atomic capture
        done = ++all.n_done;
        if (so_far == ASSAY_OK && me == 0) so_far = tell(&all, done);
        if (so_far != ASSAY_OK) stop_at(&all, so_far);
    }
    return all.stop == ASSAY_OK ? ASSAY_OK : assay_fail(all.stop, "%s", all.sentence);
}
