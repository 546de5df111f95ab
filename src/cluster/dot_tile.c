/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/dot_tile.h"

#include <string.h>

/* Eight doubles that the compiler splits into whatever registers there are. */
typedef double eight __attribute__((vector_size(64)));

static inline __attribute__((always_inline)) void tile(const double *const a[ASSAY_TILE_ROWS],
                                                       const double *panel, size_t d,
                                                       double out[ASSAY_TILE_ROWS][ASSAY_PANEL])
{
    eight sum[ASSAY_TILE_ROWS] = { 0 };

    for (size_t k = 0; k < d; k++) {
        eight column;

        memcpy(&column, panel + k * ASSAY_PANEL, sizeof column);
        for (size_t r = 0; r < ASSAY_TILE_ROWS; r++) sum[r] += column * a[r][k];
    }
    memcpy(out, sum, sizeof sum);
}

static void tile_plain(const double *const a[ASSAY_TILE_ROWS], const double *panel, size_t d,
                       double out[ASSAY_TILE_ROWS][ASSAY_PANEL])
{
    tile(a, panel, d, out);
}

#if defined(__x86_64__)
/* Wider registers, the same roundings: contraction into fused operations is off everywhere. */
__attribute__((target("avx2"))) static void tile_avx2(const double *const a[ASSAY_TILE_ROWS],
                                                      const double *panel, size_t d,
                                                      double out[ASSAY_TILE_ROWS][ASSAY_PANEL])
{
    tile(a, panel, d, out);
}

__attribute__((target("avx512f"))) static void tile_avx512(const double *const a[ASSAY_TILE_ROWS],
                                                           const double *panel, size_t d,
                                                           double out[ASSAY_TILE_ROWS][ASSAY_PANEL])
{
    tile(a, panel, d, out);
}
#endif

void assay_dot_tile(const double *const a[ASSAY_TILE_ROWS], const double *panel, size_t d,
                    double out[ASSAY_TILE_ROWS][ASSAY_PANEL])
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        tile_avx512(a, panel, d, out);
        return;
    }
    if (__builtin_cpu_supports("avx2")) {
        tile_avx2(a, panel, d, out);
        return;
    }
#endif
    tile_plain(a, panel, d, out);
}

void assay_dot_panel(const double *rows, size_t n_rows, size_t stride, size_t d, double *panel)
{
    for (size_t k = 0; k < d; k++)
        for (size_t c = 0; c < ASSAY_PANEL; c++)
            panel[k * ASSAY_PANEL + c] = c < n_rows ? rows[c * stride + k] : 0.0;
}
