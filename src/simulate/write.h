/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a simulated benchmark. */
#ifndef ASSAY_SIMULATE_WRITE_H
#define ASSAY_SIMULATE_WRITE_H

#include "simulate/simulation.h"

#include <stdio.h>

/* The content of truth.json. Failed writes are seen by ferror(to). */
void assay_simulation_write_truth(const assay_simulation *sim, FILE *to);

#endif
