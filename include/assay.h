/* SPDX-License-Identifier: Apache-2.0 */
/* All of libassay. Each feature has a header of its own, which may be included alone. */
#ifndef ASSAY_H
#define ASSAY_H

#include "assay/base.h"
#include "assay/best_template.h"
#include "assay/cells.h"
#include "assay/covariates.h"
#include "assay/dendrogram.h"
#include "assay/embed.h"
#include "assay/families.h"
#include "assay/grid.h"
#include "assay/hopkins.h"
#include "assay/intervals.h"
#include "assay/json_writer.h"
#include "assay/matrix.h"
#include "assay/models.h"
#include "assay/output.h"
#include "assay/plot.h"
#include "assay/prompts.h"
#include "assay/read.h"
#include "assay/results.h"
#include "assay/sampling.h"
#include "assay/score.h"
#include "assay/signals.h"
#include "assay/simulate.h"
#include "assay/simulate_templates.h"
#include "assay/spread.h"
#include "assay/templates.h"
#include "assay/topics.h"
#include "assay/trials.h"
#include "assay/turns.h"
#include "assay/validation.h"
#include "assay/vectors.h"
#include "assay/write.h"

#endif
