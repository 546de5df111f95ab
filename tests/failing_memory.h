/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the library's n-th allocation fail, for every n in turn. */
#ifndef TESTS_FAILING_MEMORY_H
#define TESTS_FAILING_MEMORY_H

#include "assay/base.h"

/* Run call(context) again and again, its first allocation failing, then its second, and so on until
   it succeeds. Each failed run must return ASSAY_E_NOMEM, and call() must free whatever it made:
   the sanitizers see the rest. Returns how many allocations failed, at least 1 for any call that
   allocates. */
size_t fail_every_allocation(assay_status (*call)(void *context), void *context);

#endif
