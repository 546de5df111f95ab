/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of a partition. */
#ifndef ASSAY_CLUSTER_LABELS_H
#define ASSAY_CLUSTER_LABELS_H

#include <stddef.h>

/* Number the n labels, all of them below n_names, anew by first appearance; number is room for n_names.
   Returns how many there are. */
size_t assay_labels_renumber(size_t *labels, size_t n, size_t *number, size_t n_names);

#endif
