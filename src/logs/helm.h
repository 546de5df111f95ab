/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of a HELM run (benchmark_output/runs/SUITE/RUN), by its per_instance_stats.json. */
#ifndef ASSAY_LOGS_HELM_H
#define ASSAY_LOGS_HELM_H

#include "logs/head.h"
#include "read/table.h"

/* Whether a log is per_instance_stats.json, or display_predictions.json, which holds the main scores
   again; and which of the files beside them, that hold no scores of instances. */
int assay_helm_is_scores(const assay_log_head *head);
int assay_helm_is_run_spec(const assay_log_head *head);
int assay_helm_is_state(const assay_log_head *head);
int assay_helm_is_stats(const assay_log_head *head);
int assay_helm_is_instances(const assay_log_head *head);
int assay_helm_is_requests(const assay_log_head *head);
int assay_helm_is_scenario(const assay_log_head *head);

/**
 * Read the scores of a run, to the end of the input. display_predictions.json is read only where no
 * per_instance_stats.json lies beside it.
 *
 * Model: adapter_spec.model of run_spec.json, else of scenario_state.json, beside it; else what the
 * run's name says (model=...), else the name of the folder. The run's name is run_spec.json's, else
 * the folder's. Task: that name without what belongs to the model or the adapter; item:
 * "TASK/instance_id". Template: the adapter's variant in the name (method=, instructions=, prompt=,
 * and so on), and the perturbation's name; with data_augmentation=X in the name "X:PERTURBATION",
 * unless X is canonical. Run: train_trial_index. Cluster: sub_split, else the task. Text and content:
 * the input, and a hash of it and its references, of instances.json, else of scenario_state.json.
 *
 * Rows of one instance, perturbation and trial are one: HELM writes a row a group of metrics. Score:
 * the mean of the statistic that the metric names, NULL: the first there is of the scenario's main
 * metric and a list of usual ones (docs/formats.md), else the first that is no count, time, price or
 * likelihood. A statistic of count 0 is missing; an instance without it is unscored. Filter: the
 * split, NULL: test, else valid, else the first. Other metrics and splits are noted.
 *
 * @return what assay_read() returns; ASSAY_E_VALUE when no instance has the metric or the split (the
 *         sentence lists those there are).
 * Cost: O(bytes), those of the files beside it included; memory for the texts, and 40 bytes a
 * statistic.
 */
assay_status assay_helm_read(assay_table *table, const assay_log_head *head);

#endif
