/* SPDX-License-Identifier: Apache-2.0 */
/* How many OpenMP threads a call works with. */
#ifndef ASSAY_CORE_THREADS_H
#define ASSAY_CORE_THREADS_H

/* The number an option asks for: 0 means every processor that OpenMP would use. */
int assay_threads(int asked);

#endif
