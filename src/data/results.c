/* SPDX-License-Identifier: Apache-2.0 */
#include "data/results.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "data/names.h"
#include "data/record.h"
#include "data/results_table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

assay_status assay_results_no_memory(const assay_results *results)
{
    return assay_fail(ASSAY_E_NOMEM, "no memory for a table of %zu records and %zu items",
                      results->n_records, results->items.count);
}

assay_status assay_results_new(int force, assay_results **out)
{
    assay_results *results;

    *out = NULL;
    results = assay_alloc_zero(1, sizeof *results);
    if (!results) return assay_fail(ASSAY_E_NOMEM, "no memory for an empty table");
    results->force = force;
    *out = results;
    return ASSAY_OK;
}

void assay_results_free(assay_results *results)
{
    if (!results) return;
    for (size_t i = 0; i < results->n_records; i++) assay_cells_free(&results->cells[i]);
    for (size_t i = 0; i < results->n_taken; i++) free(results->taken[i].runs);
    free(results->taken);
    free(results->cells);
    free(results->records);
    free(results->record_slots);
    assay_names_free(&results->models);
    assay_names_free(&results->items);
    assay_names_free(&results->templates);
    assay_names_free(&results->runs);
    assay_names_free(&results->tasks);
    assay_attribute_free(&results->item_text);
    assay_attribute_free(&results->item_cluster);
    assay_identity_free(&results->identity);
    for (size_t i = 0; i < results->covariates.count; i++)
        assay_attribute_free(&results->covariate_values[i]);
    free(results->covariate_values);
    assay_names_free(&results->covariates);
    for (size_t i = 0; i < results->n_inputs; i++) {
        free((char *)results->inputs[i].path);
        free((char *)results->inputs[i].sha256);
    }
    free(results->inputs);
    free(results->input_files);
    assay_names_free(&results->input_keys);
    free(results->inputs_of_keys);
    for (size_t i = 0; i < results->n_notes; i++) free(results->notes[i]);
    free(results->notes);
    free(results);
}

/* ---- names ---- */

static assay_status name(assay_results *results, assay_names *names, const char *text,
                         size_t length, size_t *index)
{
    return assay_names_add(names, text, length, index) == 0 ? ASSAY_OK
                                                            : assay_results_no_memory(results);
}

assay_status assay_results_name_model(assay_results *results, const char *text, size_t length,
                                      size_t *index)
{
    return name(results, &results->models, text, length, index);
}

assay_status assay_results_name_item(assay_results *results, const char *text, size_t length,
                                     size_t *index)
{
    return name(results, &results->items, text, length, index);
}

assay_status assay_results_name_template(assay_results *results, const char *text, size_t length,
                                         size_t *index)
{
    return name(results, &results->templates, text, length, index);
}

assay_status assay_results_name_run(assay_results *results, const char *text, size_t length,
                                    size_t *index)
{
    return name(results, &results->runs, text, length, index);
}

assay_status assay_results_name_task(assay_results *results, const char *text, size_t length)
{
    size_t index;

    return name(results, &results->tasks, text, length, &index);
}

assay_status assay_results_name_covariate(assay_results *results, const char *text, size_t length,
                                          size_t *index)
{
    size_t n = results->covariates.count;

    if (assay_grow(&results->covariate_values, &results->covariates_capacity, n + 1,
                   sizeof *results->covariate_values) != 0)
        return assay_results_no_memory(results);
    results->covariate_values[n] = (assay_attribute){ 0 }; /* in use only if the name is new */
    return name(results, &results->covariates, text, length, index);
}

/* ---- observations ---- */

void assay_results_name_cell(const assay_results *results, size_t model, size_t template_index,
                             size_t item, char out[ASSAY_CELL_NAME])
{
    const char *name = results->templates.text[template_index];

    snprintf(out, ASSAY_CELL_NAME, "model \"%.80s\", item \"%.80s\"%s%.80s%s",
             results->models.text[model], results->items.text[item], *name ? ", template \"" : "",
             name, *name ? "\"" : "");
}

static assay_status conflict(const assay_results *results, size_t record, size_t item, double score)
{
    char now[ASSAY_NUMBER_SIZE], before[ASSAY_NUMBER_SIZE]; /* in full: they may differ by little */
    char cell[ASSAY_CELL_NAME];
    double held;

    assay_cells_get(&results->cells[record], item, &held);
    assay_number_format(score, now);
    assay_number_format(held, before);
    assay_results_name_cell(results, results->records[record].model,
                            results->records[record].template_index, item, cell);
    return assay_fail(ASSAY_E_CONFLICT, "%s has score %s, and %s before", cell, now, before);
}

static void count_unscored(assay_coverage *coverage, assay_score_state state)
{
    if (state == ASSAY_ERRORED)
        coverage->errored++;
    else if (state == ASSAY_UNSCORED)
        coverage->unscored++;
    else
        coverage->missing++;
}

assay_status assay_results_put(assay_results *results, size_t record, size_t item, double score,
                               assay_score_state state)
{
    assay_coverage *coverage = &results->coverage;
    assay_put done;

    if (state == ASSAY_SCORED && !isfinite(score))
        return assay_fail(ASSAY_E_VALUE, "item \"%.80s\" has score %g, expected a finite number",
                          results->items.text[item], score);
    if (assay_cells_reserve(&results->cells[record], item + 1) != 0)
        return assay_results_no_memory(results);
    done = assay_cells_put(&results->cells[record], item, score, state);
    if (done == ASSAY_PUT_NO_MEMORY) return assay_results_no_memory(results);
    if (done == ASSAY_PUT_CONFLICT && !results->force)
        return conflict(results, record, item, score);
    coverage->rows++;
    if (done == ASSAY_PUT_SAME)
        coverage->duplicate++;
    else if (done == ASSAY_PUT_CONFLICT)
        coverage->refused++;
    else if (state == ASSAY_SCORED)
        coverage->used++;
    else
        count_unscored(coverage, state);
    return ASSAY_OK;
}

/* Eight codes as the bytes of a word, whatever the machine's byte order. */
static uint64_t eight_codes(const unsigned char *codes)
{
    uint64_t word = 0;

    for (size_t i = 0; i < 8; i++) word |= (uint64_t)codes[i] << (8 * i);
    return word;
}

/* The lowest bit of each of eight bytes, gathered into one byte. */
static uint64_t gather(uint64_t bytes)
{
    return ((bytes & 0x0101010101010101u) * 0x0102040810204080u) >> 56;
}

/* 64 codes as two masks; 0 when one of them is ASSAY_CODE_OTHER. The codes' bits make it cheap: 0,
   1 and 3 (missing) have "scored" where bit 1 is clear, and "one" in bit 0; 4 (absent) has neither.
 */
static int code_masks(const unsigned char *codes, uint64_t *scored, uint64_t *one)
{
    *scored = *one = 0;
    for (size_t i = 0; i < 8; i++) {
        uint64_t bytes = eight_codes(codes + 8 * i);
        uint64_t b0 = gather(bytes), b1 = gather(bytes >> 1), b2 = gather(bytes >> 2);

        if (b1 & ~b0) return 0;
        *scored |= (~(b1 | b2) & 0xff) << (8 * i);
        *one |= b0 << (8 * i);
    }
    return 1;
}

static assay_status put_codes(assay_results *results, size_t record, const unsigned char *codes,
                              const double *scores, size_t first, size_t end, size_t *item)
{
    for (size_t i = first; i < end; i++) {
        double score = codes[i] == ASSAY_CODE_OTHER ? scores[i] : codes[i];
        assay_score_state state = codes[i] == ASSAY_CODE_MISSING ? ASSAY_MISSING : ASSAY_SCORED;
        assay_status status;

        if (codes[i] == ASSAY_CODE_ABSENT) continue;
        status = assay_results_put(results, record, i, score, state);
        if (status != ASSAY_OK) {
            *item = i;
            return status;
        }
    }
    return ASSAY_OK;
}

assay_status assay_results_put_row(assay_results *results, size_t record,
                                   const unsigned char *codes, const double *scores, size_t n_items,
                                   size_t *item)
{
    assay_cells *cells = &results->cells[record];
    assay_status status = ASSAY_OK;

    if (assay_cells_reserve(cells, n_items) != 0) return assay_results_no_memory(results);
    for (size_t i = 0; i < n_items && status == ASSAY_OK; i += 64) {
        size_t word = i / 64;
        uint64_t scored, one;

        if (i + 64 <= n_items && !cells->scores && !cells->reason &&
            !(cells->scored[word] | cells->one[word]) && code_masks(codes + i, &scored, &one)) {
            uint64_t n_used = (uint64_t)__builtin_popcountll(scored);
            uint64_t n_missing = (uint64_t)__builtin_popcountll(one & ~scored);

            assay_cells_put_word(cells, word, scored, one);
            results->coverage.rows += n_used + n_missing;
            results->coverage.used += n_used;
            results->coverage.missing += n_missing;
        } else {
            size_t end = i + 64 < n_items ? i + 64 : n_items;
            status = put_codes(results, record, codes, scores, i, end, item);
        }
    }
    return status;
}

static assay_status name_all(assay_results *results, const assay_observation *observation,
                             assay_record *key, size_t *item)
{
    const char *template_id = observation->template_id ? observation->template_id : "";
    const char *run = observation->run ? observation->run : "";
    const struct {
        assay_names *names;
        const char *text;
        size_t *index;
    } parts[] = {
        { &results->models, observation->model, &key->model },
        { &results->items, observation->item, item },
        { &results->templates, template_id, &key->template_index },
        { &results->runs, run, &key->run },
    };

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        assay_status status =
            name(results, parts[i].names, parts[i].text, strlen(parts[i].text), parts[i].index);
        if (status != ASSAY_OK) return status;
    }
    return ASSAY_OK;
}

assay_status assay_results_add(assay_results *results, const assay_observation *observation)
{
    const assay_results_mark before = assay_results_here(results);
    assay_record key;
    assay_status status;
    size_t item, record;

    if (!observation->model || !*observation->model || !observation->item || !*observation->item)
        return assay_fail(ASSAY_E_VALUE, "an observation needs a model and an item");
    if ((unsigned)observation->state > ASSAY_UNSCORED)
        return assay_fail(ASSAY_E_VALUE, "an observation cannot be in state %d",
                          (int)observation->state);
    status = name_all(results, observation, &key, &item);
    if (status == ASSAY_OK)
        status =
            assay_results_find_record(results, key.model, key.template_index, key.run, &record);
    if (status == ASSAY_OK)
        status = assay_results_put(results, record, item, observation->score, observation->state);
    if (status != ASSAY_OK) assay_results_go_back(results, before);
    return status;
}

/* ---- what items and models carry ---- */

assay_status assay_results_set_item_text(assay_results *results, size_t item, const char *text,
                                         size_t length)
{
    return assay_attribute_set(&results->item_text, item, text, length) == 0
               ? ASSAY_OK
               : assay_results_no_memory(results);
}

assay_status assay_results_set_item_cluster(assay_results *results, size_t item, const char *label,
                                            size_t length)
{
    return assay_attribute_set(&results->item_cluster, item, label, length) == 0
               ? ASSAY_OK
               : assay_results_no_memory(results);
}

assay_status assay_results_set_covariate(assay_results *results, size_t covariate, size_t model,
                                         const char *text, size_t length)
{
    assay_attribute *values = &results->covariate_values[covariate];

    return assay_attribute_set(values, model, text, length) == 0 ? ASSAY_OK
                                                                 : assay_results_no_memory(results);
}

/* ---- notes ---- */

assay_status assay_results_add_note(assay_results *results, const char *format, ...)
{
    char safe[1024], raw[sizeof safe + 1]; /* a byte more than fits, so that a cut shows */
    char *copy;
    va_list args;

    va_start(args, format);
    vsnprintf(raw, sizeof raw, format, args);
    va_end(args);
    assay_printable(safe, sizeof safe, raw, strlen(raw));
    copy = assay_copy_text(safe, strlen(safe));
    if (!copy || assay_grow(&results->notes, &results->notes_capacity, results->n_notes + 1,
                            sizeof *results->notes) != 0) {
        free(copy);
        return assay_results_no_memory(results);
    }
    results->notes[results->n_notes++] = copy;
    return ASSAY_OK;
}

void assay_results_mark_damaged(assay_results *results)
{
    results->damaged = 1;
}

void assay_results_mark_rows(assay_results *results)
{
    results->has_rows = 1;
}
