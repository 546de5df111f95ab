/* SPDX-License-Identifier: Apache-2.0 */
#include "core/threads.h"

#include <omp.h>

int assay_threads(int asked)
{
    return asked > 0 ? asked : omp_get_max_threads();
}
