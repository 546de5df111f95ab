/* SPDX-License-Identifier: Apache-2.0 */
/* RandomState(0).choice(n): the Mersenne twister MT19937 of Matsumoto and Nishimura (1998), seeded by
   their init_genrand(0); of each 32 bits as many of the low ones as n - 1 has, until that is below
   n. Half of all draws are taken at least, so that one block of 624 is plenty. */
#include "templates/design.h"

enum { STATE = 624, MIDDLE = 397 };

static void start(uint32_t state[STATE])
{
    state[0] = 0;
    for (uint32_t k = 1; k < STATE; k++)
        state[k] = 1812433253u * (state[k - 1] ^ state[k - 1] >> 30) + k;
}

static void next_block(uint32_t state[STATE])
{
    for (size_t k = 0; k < STATE; k++) {
        uint32_t bits = (state[k] & 0x80000000u) | (state[(k + 1) % STATE] & 0x7fffffffu);

        state[k] = state[(k + MIDDLE) % STATE] ^ bits >> 1 ^ (bits & 1u ? 0x9908b0dfu : 0u);
    }
}

static uint32_t tempered(uint32_t bits)
{
    bits ^= bits >> 11;
    bits ^= bits << 7 & 0x9d2c5680u;
    bits ^= bits << 15 & 0xefc60000u;
    return bits ^ bits >> 18;
}

size_t assay_numpy_choice_of_0(size_t n)
{
    uint32_t state[STATE], mask = 0;

    if (n < 2 || n - 1 > UINT32_MAX) return 0;
    while (mask < n - 1) mask = mask << 1 | 1u;
    start(state);
    next_block(state);
    for (size_t k = 0; k < STATE; k++) {
        size_t drawn = tempered(state[k]) & mask;

        if (drawn < n) return drawn;
    }
    return 0;
}
