/* SPDX-License-Identifier: Apache-2.0 */
/* All of libassay. Each feature has a header of its own, which may be included alone. */
#ifndef ASSAY_H
#define ASSAY_H

#include "assay/base.h"
#include "assay/json_writer.h"
#include "assay/matrix.h"
#include "assay/output.h"
#include "assay/plot.h"
#include "assay/read.h"
#include "assay/results.h"
#include "assay/signals.h"
#include "assay/simulate.h"
#include "assay/write.h"

#endif
