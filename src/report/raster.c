/* SPDX-License-Identifier: Apache-2.0 */
#include "report/raster.h"

#include "core/base64.h"
#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

void assay_raster_free(assay_raster *raster)
{
    free(raster->bytes);
    free(raster->row);
    if (raster->column != raster->row) free(raster->column);
    *raster = (assay_raster){ 0 };
}

assay_status assay_raster_new(size_t rows, size_t columns, int is_square, assay_raster *raster)
{
    raster->bytes = assay_alloc_zero(rows * columns, 1);
    raster->row = assay_alloc(rows, sizeof *raster->row);
    raster->column = is_square ? raster->row : assay_alloc(columns, sizeof *raster->column);
    if (!raster->bytes || !raster->row || !raster->column)
        return assay_fail(ASSAY_E_NOMEM, "no memory for a picture of %zu x %zu", rows, columns);
    raster->rows = rows;
    raster->columns = columns;
    return ASSAY_OK;
}

unsigned char assay_raster_byte(const assay_raster *raster, double value)
{
    double levels = raster->none ? 254.0 : 255.0, width = 0.5 * raster->high - 0.5 * raster->low;

    if (isnan(value)) return 255;
    if (!(width > 0.0)) return (unsigned char)levels;
    return (unsigned char)lround(levels *
                                 fmin(fmax((0.5 * value - 0.5 * raster->low) / width, 0.0), 1.0));
}

char *assay_raster_base64(const assay_raster *raster)
{
    return assay_base64(raster->bytes, raster->rows * raster->columns);
}
