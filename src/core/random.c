/* SPDX-License-Identifier: Apache-2.0 */
#include "core/random.h"

#include <Random123/philox.h>
#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

void assay_random_start(assay_random *random, uint64_t seed, assay_purpose purpose,
                        uint64_t replicate)
{
    memset(random, 0, sizeof *random);
    random->key[0] = seed;
    random->key[1] = (uint64_t)purpose;
    random->counter[1] = replicate; /* counter[0] counts the blocks within the stream */
}

void assay_random_refill(assay_random *random)
{
    philox4x64_ctr_t counter;
    philox4x64_key_t key;

    memcpy(counter.v, random->counter, sizeof random->counter);
    memcpy(key.v, random->key, sizeof random->key);
    counter = philox4x64(counter, key);
    memcpy(random->block, counter.v, sizeof random->block);
    random->counter[0]++;
    random->left = 4;
}

void assay_random_go_to(assay_random *random, uint64_t block)
{
    random->counter[0] = block;
    random->left = 0;
    random->has_half = 0;
}

double assay_random_uniform(assay_random *random)
{
    return (double)(assay_random_bits(random) >> 11) * 0x1p-53;
}

uint64_t assay_random_below(assay_random *random, uint64_t n)
{
    wide product = (wide)assay_random_bits(random) * n;

    if ((uint64_t)product < n) {
        uint64_t smallest = -n % n; /* 2^64 mod n: low words below it would be drawn too often */
        while ((uint64_t)product < smallest) product = (wide)assay_random_bits(random) * n;
    }
    return (uint64_t)(product >> 64);
}

double assay_random_normal(assay_random *random)
{
    double u = 1.0 - assay_random_uniform(random); /* in (0, 1] */
    double v = assay_random_uniform(random);

    return sqrt(-2.0 * log(u)) * cos(2.0 * 3.14159265358979323846 * v);
}
