/* SPDX-License-Identifier: Apache-2.0 */
#include "core/threads.h"

#include "core/error.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>

enum { SENTENCE_SIZE = 1024 };

/* How the pieces stand, shared by the threads. */
typedef struct pieces {
    size_t n;
    const char *stage;
    assay_progress progress;
    size_t n_told; /* of the pieces done, as the calling thread last said */
    atomic_size_t n_done;
    atomic_int stop;              /* the status of what failed first, or ASSAY_OK */
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

    all->n_told = n_done;
    if (!progress->step || progress->step(progress->user, all->stage, fraction) == 0)
        return ASSAY_OK;
    return assay_fail(ASSAY_E_CANCELLED, "cancelled in %s", all->stage);
}

static void stop_at(pieces *all, assay_status status)
{
    int none = ASSAY_OK;

    if (atomic_compare_exchange_strong(&all->stop, &none, status))
        snprintf(all->sentence, sizeof all->sentence, "%s", assay_last_error());
}

assay_status assay_do_pieces(size_t n, int threads, const char *stage, assay_progress progress,
                             assay_piece piece, void *user)
{
    pieces all = { .n = n, .stage = stage, .progress = progress };
    /* Also at the start, and at the end, since the calling thread may come to no piece at all. */
    assay_status status = tell(&all, 0);

    if (status != ASSAY_OK) return status;
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (threads > 1)
    for (size_t k = 0; k < n; k++) {
        int me = omp_get_thread_num();
        size_t done;
        assay_status went;

        if (atomic_load(&all.stop) != ASSAY_OK) continue;
        went = piece(user, k, me);
        done = atomic_fetch_add(&all.n_done, 1) + 1;
        if (went == ASSAY_OK && me == 0) went = tell(&all, done);
        if (went != ASSAY_OK) stop_at(&all, went);
    }
    status = (assay_status)all.stop;
    if (status != ASSAY_OK) return assay_fail(status, "%s", all.sentence);
    return all.n_told < n ? tell(&all, n) : ASSAY_OK;
}
