/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/agglomerate.h"
#include "cluster/distances.h"
#include "cluster/least.h"
#include "cluster/sums.h"
#include "cluster/twins.h"
#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

/* Rows that are compared with all clusters at once, and among how many they are looked for. */
enum { BATCH = 256, LOOK_AMONG = 1024, REPORTS = 256 };

struct due {
    double bound;
    uint32_t slot;
};

struct work {
    assay_sums sums;
    int threads;
    assay_progress progress;
    struct due due[LOOK_AMONG];
    uint32_t rows[BATCH];
};

static assay_status report(const struct work *work, const char *stage, double fraction);
static assay_status first_scan(struct work *work);
static assay_status first_of_nearest_pair(struct work *work, size_t *i);
static assay_status scan_exhausted(struct work *work);
static size_t collect_due(struct work *work);

assay_status assay_agglomerate_sums(const assay_vectors *vectors, const size_t *order, int threads,
                                    assay_progress progress, assay_slot_merge *merges)
{
    struct work *work = assay_alloc_zero(1, sizeof *work);
    assay_twins twins = { 0 };
    assay_status status;
    size_t n = vectors->n, t = 0;

    if (!work) return assay_fail(ASSAY_E_NOMEM, "no memory to cluster %zu vectors", n);
    work->threads = threads;
    work->progress = progress;
    if (n > ASSAY_NO_SLOT - 1) {
        status = assay_fail(ASSAY_E_SHAPE, "%zu vectors are more than can be clustered", n);
        goto done;
    }
    if ((status = assay_twins_new(vectors, order, &twins)) != ASSAY_OK) goto done;
    status = assay_sums_new(vectors, order, twins.first, &work->sums);
    if (status != ASSAY_OK) goto done;
    if ((status = first_scan(work)) != ASSAY_OK) goto done;
    for (t = assay_twins_merge(&twins, merges); t + 1 < n; t++) {
        size_t i, j;

        if (t % REPORTS == 0) status = report(work, "linkage", (double)t / (double)n);
        if (status == ASSAY_OK) status = first_of_nearest_pair(work, &i);
        if (status != ASSAY_OK) goto done;
        j = work->sums.nearest[i];
        merges[t] = (assay_slot_merge){ i, j, work->sums.bound[i] };
        assay_sums_unite(&work->sums, i, j);
    }
    if (twins.n_twins > 0) status = assay_twins_settle(n, merges);
done:
    assay_sums_free(&work->sums);
    assay_twins_free(&twins);
    free(work);
    return status;
}

static assay_status report(const struct work *work, const char *stage, double fraction)
{
    if (work->progress.step && work->progress.step(work->progress.user, stage, fraction) != 0)
        return assay_fail(ASSAY_E_CANCELLED, "cancelled in %s", stage);
    return ASSAY_OK;
}

static assay_status first_scan(struct work *work)
{
    assay_sums *s = &work->sums;
    assay_status status = ASSAY_OK;

    for (size_t c = 0; c < s->n_columns && s->n_columns > 1; c += BATCH) {
        size_t n_rows = s->n_columns - c < BATCH ? s->n_columns - c : BATCH;

        status = report(work, "distances", (double)c / (double)s->n_columns);
        if (status != ASSAY_OK) return status;
        status = assay_sums_scan(s, s->column_slot + c, n_rows, work->threads);
        if (status != ASSAY_OK) return status;
    }
    return status;
}

/* The first cluster that has another as near as any two are. Bounds that are out of date are low, so
   that those of the others can wait. */
static assay_status first_of_nearest_pair(struct work *work, size_t *i)
{
    assay_sums *s = &work->sums;

    for (;;) {
        double least = assay_least(s->bound, s->n);
        assay_status status;

        *i = assay_first_within(s->bound, least + ASSAY_SAME_DISTANCE);
        if (assay_sums_is_current(s, *i)) return ASSAY_OK;
        if (s->state[*i] == ASSAY_NEAR_KNOWN) {
            assay_sums_renew(s, *i);
            continue;
        }
        if ((status = scan_exhausted(work)) != ASSAY_OK) return status;
    }
}

/* Scan those clusters that will be asked for next and whose lists are no longer enough. */
static assay_status scan_exhausted(struct work *work)
{
    assay_sums *s = &work->sums;
    size_t n_due = collect_due(work), n_rows = 0;

    for (size_t p = 0; p < n_due && n_rows < BATCH; p++) {
        uint32_t slot = work->due[p].slot;

        if (s->state[slot] == ASSAY_NEAR_EXHAUSTED || !assay_sums_renew(s, slot))
            work->rows[n_rows++] = slot;
    }
    return assay_sums_scan(s, work->rows, n_rows, work->threads);
}

static int by_bound(const void *a, const void *b)
{
    const struct due *x = a, *y = b;

    if (x->bound != y->bound) return x->bound < y->bound ? -1 : 1;
    return x->slot < y->slot ? -1 : x->slot > y->slot;
}

/* Those of least bound among the clusters that are out of date, in order. The worst is thrown out
   by halves: whenever there is no room, the nearer half is kept. */
static size_t collect_due(struct work *work)
{
    const assay_sums *s = &work->sums;
    double most = INFINITY;
    size_t n_due = 0;

    for (size_t i = 0; i < s->n; i++) {
        if (s->bound[i] >= most || s->state[i] == ASSAY_NEAR_GONE || assay_sums_is_current(s, i))
            continue;
        if (n_due == LOOK_AMONG) {
            qsort(work->due, n_due, sizeof *work->due, by_bound);
            n_due = LOOK_AMONG / 2;
            most = work->due[n_due - 1].bound;
            if (s->bound[i] >= most) continue;
        }
        work->due[n_due++] = (struct due){ s->bound[i], (uint32_t)i };
    }
    qsort(work->due, n_due, sizeof *work->due, by_bound);
    return n_due;
}
