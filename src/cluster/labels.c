/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/labels.h"

#include <stdint.h>

size_t assay_labels_renumber(size_t *labels, size_t n, size_t *number, size_t n_names)
{
    size_t n_labels = 0;

    for (size_t c = 0; c < n_names; c++) number[c] = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        size_t *named = &number[labels[i]];

        if (*named == SIZE_MAX) *named = n_labels++;
        labels[i] = *named;
    }
    return n_labels;
}
