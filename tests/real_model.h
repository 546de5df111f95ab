/* SPDX-License-Identifier: Apache-2.0 */
/* Where the real all-MiniLM-L6-v2 is, for the tests that compare with it. */
#ifndef TESTS_REAL_MODEL_H
#define TESTS_REAL_MODEL_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { REAL_MODEL_PATH = 4096 };

/* The folder of the model: what ASSAY_TEST_MODEL says, else the cache's. 1 when it is there. */
static inline int real_model(char path[REAL_MODEL_PATH])
{
    const char *own = getenv("ASSAY_TEST_MODEL"), *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    char weights[REAL_MODEL_PATH + 32];

    if (own)
        snprintf(path, REAL_MODEL_PATH, "%s", own);
    else if (cache && *cache)
        snprintf(path, REAL_MODEL_PATH, "%s/assay/models/all-MiniLM-L6-v2", cache);
    else
        snprintf(path, REAL_MODEL_PATH, "%s/.cache/assay/models/all-MiniLM-L6-v2",
                 home ? home : "");
    snprintf(weights, sizeof weights, "%s/model.safetensors", path);
    return access(weights, R_OK) == 0;
}

#endif
