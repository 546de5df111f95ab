/* SPDX-License-Identifier: Apache-2.0 */
/* A value as Python prints it becomes JSON, which is understood as the same value. */
#include "logs/python_literal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds)
{
    if (!holds) __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_log_text once = { 0 }, twice = { 0 };

    if (assay_python_literal((const char *)data, size, &once) == ASSAY_OK) {
        check(assay_python_literal(once.text, once.length, &twice) == ASSAY_OK);
        check(once.length == twice.length && memcmp(once.text, twice.text, once.length) == 0);
    }
    free(once.text);
    free(twice.text);
    return 0;
}
