/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors in Hugging Face's safetensors format: eight bytes of length, a JSON header, the numbers. */
#ifndef ASSAY_EMBED_SAFETENSORS_H
#define ASSAY_EMBED_SAFETENSORS_H

#include "assay/base.h"

enum { ASSAY_TENSOR_DIMENSIONS = 4 };

typedef enum assay_tensor_type {
    ASSAY_TENSOR_F32,
    ASSAY_TENSOR_F16,
    ASSAY_TENSOR_BF16,
    ASSAY_TENSOR_F64,
    ASSAY_TENSOR_I64,
    ASSAY_TENSOR_I32,
    ASSAY_TENSOR_OTHER /* there, but not read: quantised weights, flags */
} assay_tensor_type;

/* Where a tensor lies. n_dimensions is larger than ASSAY_TENSOR_DIMENSIONS for one of that many, whose
   shape is not kept. */
typedef struct assay_tensor {
    char *name;
    assay_tensor_type type;
    size_t n_dimensions, shape[ASSAY_TENSOR_DIMENSIONS];
    size_t count;               /* of its numbers */
    const unsigned char *bytes; /* little-endian, at any address */
} assay_tensor;

typedef struct assay_safetensors {
    const char *path; /* borrowed */
    assay_tensor *tensors;
    size_t n, capacity;
} assay_safetensors;

/*
 * Understand a file's bytes, which must live as long as its tensors are used. Every tensor lies within
 * the file, and has as many bytes as its shape says. The path is borrowed for as long.
 * ASSAY_OK; ASSAY_E_FORMAT; ASSAY_E_NOMEM. To be freed in either case.
 */
assay_status assay_safetensors_parse(const char *path, const unsigned char *bytes, size_t size,
                                     assay_safetensors *tensors);
void assay_safetensors_free(assay_safetensors *tensors);

/* The tensor of that name, or NULL. */
const assay_tensor *assay_safetensors_find(const assay_safetensors *tensors, const char *name);

/*
 * The numbers of a tensor in single precision: where they stand, if they are that already and lie at
 * a multiple of 4 bytes; else converted into *made, which the caller frees. ASSAY_OK; ASSAY_E_FORMAT for
 * another type; ASSAY_E_NOMEM.
 */
assay_status assay_tensor_floats(const assay_safetensors *tensors, const assay_tensor *tensor,
                                 const float **values, float **made);

/* Whole numbers (I64 or I32) as they are. ASSAY_OK; ASSAY_E_FORMAT; ASSAY_E_NOMEM. made is freed by the
   caller. */
assay_status assay_tensor_integers(const assay_safetensors *tensors, const assay_tensor *tensor,
                                   int64_t **made);

#endif
