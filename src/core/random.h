/* SPDX-License-Identifier: Apache-2.0 */
/* Counter-based random streams (Philox4x64-10, Salmon et al. 2011). A stream is named by (seed,
   purpose, replicate): what it yields does not depend on who else draws, nor on threads. */
#ifndef ASSAY_CORE_RANDOM_H
#define ASSAY_CORE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* What a stream is for. Frozen: a changed number changes the output of a seed. */
typedef enum assay_purpose {
    ASSAY_PURPOSE_PERMUTATION = 1, /* the permutation null of signals; replicate = permutation */
    ASSAY_PURPOSE_SIMULATE_TEXT = 2,
    ASSAY_PURPOSE_SIMULATE_DESIGN =
        3, /* cluster sizes, difficulties, abilities, template effects */
    ASSAY_PURPOSE_SIMULATE_OUTCOME =
        4,                          /* replicate = the model, so that models may run side by side */
    ASSAY_PURPOSE_TIE_ORDER = 5,    /* orders of the prompts; replicate = which order */
    ASSAY_PURPOSE_HOPKINS = 6,      /* replicate = data set * 2^32 + repeat */
    ASSAY_PURPOSE_HOPKINS_NULL = 7, /* replicate = data set * 2^32 + row or column */
    ASSAY_PURPOSE_K_MEANS = 8,      /* first centres; replicate = clusters * 2^32 + restart */
    ASSAY_PURPOSE_FOLDS = 9,        /* of cross-validation */
    ASSAY_PURPOSE_PLAN = 10, /* cells of a sampling plan; block = cells that it has already */
    ASSAY_PURPOSE_TEMPLATE_SCORES = 11,    /* draws of all scores; replicate = which draw */
    ASSAY_PURPOSE_SIMULATE_TEMPLATES = 12, /* part * 2^32 + which: see simulate/template_grid.c */
    ASSAY_PURPOSE_SAMPLE_PUBLISHED = 20,   /* which tables of published scores are taken */
    ASSAY_PURPOSE_SPLIT = 21,              /* items into halves; replicate = which split */
    ASSAY_PURPOSE_BOOTSTRAP = 22,          /* items drawn again; replicate = which draw */
    ASSAY_PURPOSE_SUBSET_OF_ITEMS = 30,    /* replicate = size * 2^32 + draw */
    ASSAY_PURPOSE_SUBSET_OF_MODELS = 31,
    ASSAY_PURPOSE_MATCHED = 32,         /* items and models of a size; replicate = draw */
    ASSAY_PURPOSE_HALF_SAMPLE = 33,     /* models of an interval; replicate = draw */
    ASSAY_PURPOSE_DATES = 34,           /* dates shuffled among models; replicate = permutation */
    ASSAY_PURPOSE_WINDOW = 35,          /* models of a window drawn again; replicate = draw */
    ASSAY_PURPOSE_RESAMPLE_MODELS = 36, /* of correlations; replicate = resample */
    ASSAY_PURPOSE_HALVES = 37,          /* of the models; replicate = split */
    ASSAY_PURPOSE_RANDOM_ITEMS = 38     /* short forms without a choice; replicate = which */
} assay_purpose;

typedef struct assay_random {
    uint64_t key[2], counter[4], block[4];
    unsigned left;     /* values of block not yet handed out */
    uint64_t low_half; /* the other half of a value that gave 32 bits, and whether there is one */
    unsigned has_half;
} assay_random;

void assay_random_start(assay_random *random, uint64_t seed, assay_purpose purpose,
                        uint64_t replicate);

/* Make the next block of four values. */
void assay_random_refill(assay_random *random);

/* Go to the block-th block of the stream, 0 being the first: what it yields from there does not
   depend on what was drawn before. */
void assay_random_go_to(assay_random *random, uint64_t block);

/* 64 random bits. */
static inline uint64_t assay_random_bits(assay_random *random)
{
    if (random->left == 0) assay_random_refill(random);
    return random->block[--random->left];
}

/* 32 random bits: half of what assay_random_bits() gives. */
static inline uint32_t assay_random_half(assay_random *random)
{
    if ((random->has_half ^= 1u)) {
        random->low_half = assay_random_bits(random);
        return (uint32_t)(random->low_half >> 32);
    }
    return (uint32_t)random->low_half;
}

/* Uniform on [0, 1), 53 bits. */
double assay_random_uniform(assay_random *random);

/* Uniform on 0 .. n - 1, exactly (Lemire 2019); n >= 1. */
uint64_t assay_random_below(assay_random *random, uint64_t n);

/* The same for n below 2^32, at half the cost: from 32 bits. */
static inline uint32_t assay_random_below_32(assay_random *random, uint32_t n)
{
    uint64_t product = (uint64_t)assay_random_half(random) * n;

    if ((uint32_t)product < n) {
        uint32_t smallest = -n % n;
        while ((uint32_t)product < smallest) product = (uint64_t)assay_random_half(random) * n;
    }
    return (uint32_t)(product >> 32);
}

/* Standard normal (Box and Muller 1958; two uniforms a draw, the second value is not kept). */
double assay_random_normal(assay_random *random);

#endif
