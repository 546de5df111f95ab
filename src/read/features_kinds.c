/* SPDX-License-Identifier: Apache-2.0 */
/* Which columns of a table of features hold numbers, and which text. */
#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "read/features.h"

#include <string.h>

static assay_status no_memory(const assay_features *to)
{
    return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its rows", to->path);
}

/* The line of the first row that has this code. */
static size_t line_of(const assay_features *to, size_t column, size_t code, size_t n_rows,
                      const size_t *codes, const size_t *lines)
{
    size_t row = 0;

    while (row + 1 < n_rows && codes[row * to->d + column] != code) row++;
    return lines[row];
}

/* Its numbers go into x; odd is the first code that is none, SIZE_MAX where all are. Returns how many
   rows have a number. */
static size_t take_numbers(assay_features *to, size_t c, size_t *odd)
{
    const assay_feature_column *column = &to->columns[c];
    size_t n_numbers = 0;

    *odd = SIZE_MAX;
    for (size_t i = 0; i < to->n; i++) {
        const char *text = column->texts.text[column->codes[i]];
        double value;

        if (assay_number_parse(text, strlen(text), &value) == 0) {
            n_numbers++;
            to->x[i * to->d + c] = value;
        } else if (column->codes[i] < *odd) {
            *odd = column->codes[i];
        }
    }
    return n_numbers;
}

assay_status assay_features_find_kinds(assay_features *to, size_t n_rows, const size_t *codes,
                                       const size_t *lines)
{
    if (to->d <= SIZE_MAX / sizeof *to->x / (to->n ? to->n : 1))
        to->x = assay_alloc_zero(to->n * to->d, sizeof *to->x);
    if (!to->x) return no_memory(to);
    for (size_t c = 0; c < to->d; c++) {
        assay_feature_column *column = &to->columns[c];
        size_t odd, n_numbers = take_numbers(to, c, &odd);

        if (odd == SIZE_MAX) continue;
        column->kind = n_numbers > 0 ? ASSAY_FEATURE_MIXED : ASSAY_FEATURE_TEXT;
        column->line = line_of(to, c, odd, n_rows, codes, lines);
        column->odd = assay_copy_text(column->texts.text[odd], strlen(column->texts.text[odd]));
        if (!column->odd) return no_memory(to);
    }
    return ASSAY_OK;
}
