/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_answer.h"
#include "plan_best.h"
#include "session.h"

#include <assay/json_writer.h>
#include <stdlib.h>
#include <string.h>

/* The cells to run, in the order in which they were drawn. */
struct cells {
    size_t n;
    const size_t *templates, *items;
};

static struct cells new_cells(const struct plan_answer *answer);
static void print_csv(FILE *to, const struct plan_answer *answer);
static void print_json(FILE *to, const struct plan_answer *answer);
static assay_status print_lm_eval(FILE *to, const struct plan_answer *answer);

assay_status print_plan(FILE *to, const void *data)
{
    const struct plan_answer *answer = data;

    if (answer->layout == PLAN_LM_EVAL) return print_lm_eval(to, answer);
    if (answer->json)
        print_json(to, answer);
    else
        print_csv(to, answer);
    return ASSAY_OK;
}

static struct cells new_cells(const struct plan_answer *answer)
{
    struct cells cells;

    if (answer->round) {
        cells.n = assay_best_round_cells(answer->round, &cells.templates, &cells.items);
        return cells;
    }
    cells.n = assay_plan_cells(answer->plan, &cells.templates, &cells.items) - answer->n_have;
    if (cells.n > 0) {
        cells.templates += answer->n_have;
        cells.items += answer->n_have;
    }
    return cells;
}

/* An id as a field: quoted where CSV needs it. */
static void print_field(FILE *to, const assay_ids *ids, size_t index)
{
    const char *id = assay_ids_text(ids, index);

    if (!id) {
        fprintf(to, "%zu", index);
        return;
    }
    if (!id[strcspn(id, ",;\t\"\r\n")]) {
        fputs(id, to);
        return;
    }
    fputc('"', to);
    for (; *id; id++) {
        if (*id == '"') fputc('"', to);
        fputc(*id, to);
    }
    fputc('"', to);
}

static void print_csv(FILE *to, const struct plan_answer *answer)
{
    struct cells cells = new_cells(answer);

    fputs("template,item\n", to);
    for (size_t k = 0; k < cells.n; k++) {
        print_field(to, answer->templates, cells.templates[k]);
        fputc(',', to);
        print_field(to, answer->items, cells.items[k]);
        fputc('\n', to);
    }
}

static void write_id(assay_json *json, const assay_ids *ids, size_t index)
{
    const char *id = assay_ids_text(ids, index);

    if (id)
        assay_json_text(json, id);
    else
        assay_json_count(json, index);
}

static void write_count(assay_json *json, const char *key, uint64_t value)
{
    assay_json_key(json, key);
    assay_json_count(json, value);
}

static void write_head(assay_json *json, const struct plan_answer *answer)
{
    assay_input inputs[PLAN_MOST_INPUTS];

    for (size_t k = 0; k < answer->n_inputs; k++)
        inputs[k] = (assay_input){ answer->inputs[k].path, answer->inputs[k].file.sha256,
                                   answer->inputs[k].file.rows, answer->inputs[k].sha256_of };
    cli_json_head_of(json, "assay.plan/1", "plan templates", answer->seed, inputs, answer->n_inputs,
                     answer->coverage);
}

static void print_json(FILE *to, const struct plan_answer *answer)
{
    struct cells cells = new_cells(answer);
    assay_json json;

    assay_json_start(&json, to, 1);
    assay_json_begin_object(&json);
    write_head(&json, answer);
    write_count(&json, "templates", assay_ids_n(answer->templates));
    write_count(&json, "items", assay_ids_n(answer->items));
    write_count(&json, "budget", answer->budget);
    write_count(&json, "have", answer->n_have);
    if (answer->round) json_plan_best(&json, answer);
    assay_json_key(&json, "cells");
    assay_json_begin_array(&json);
    for (size_t k = 0; k < cells.n; k++) {
        assay_json_begin_array_in_line(&json);
        write_id(&json, answer->templates, cells.templates[k]);
        write_id(&json, answer->items, cells.items[k]);
        assay_json_end_array(&json);
    }
    assay_json_end_array(&json);
    assay_json_end_object(&json);
    putc('\n', to);
}

/* The pattern with {task} and {template} filled in, allocated; NULL when there is no memory. */
static char *name_task(const struct plan_answer *answer, size_t template_index)
{
    char *name = NULL, position[24];
    const char *id = assay_ids_text(answer->templates, template_index);
    size_t size = 0;
    FILE *to = open_memstream(&name, &size);

    if (!to) return NULL;
    snprintf(position, sizeof position, "%zu", template_index);
    for (const char *p = answer->task_name; *p;) {
        const int is_template = strncmp(p, "{template}", 10) == 0;
        const int is_task = strncmp(p, "{task}", 6) == 0;

        if (is_template)
            fputs(id ? id : position, to);
        else if (is_task)
            fputs(answer->task, to);
        else
            fputc(*p, to);
        p += is_template ? 10 : is_task ? 6 : 1;
    }
    if (fclose(to) == 0) return name;
    free(name);
    return NULL;
}

static int by_index(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return (x > y) - (x < y);
}

/* One key: the items of a template, as the harness counts a task's documents; ascending, because it
   logs wrong document ids otherwise. */
static int write_task(assay_json *json, const struct plan_answer *answer, size_t template_index,
                      size_t *items, size_t n)
{
    char *name = name_task(answer, template_index);

    if (!name) return -1;
    qsort(items, n, sizeof *items, by_index);
    assay_json_key(json, name);
    assay_json_begin_array_in_line(json);
    for (size_t k = 0; k < n; k++) assay_json_count(json, items[k]);
    assay_json_end_array(json);
    free(name);
    return 0;
}

/* Templates without a cell have no key, and their tasks are not to be named to the harness: it runs
   in full what has none. */
static assay_status print_lm_eval(FILE *to, const struct plan_answer *answer)
{
    struct cells cells = new_cells(answer);
    size_t n_templates = assay_ids_n(answer->templates);
    size_t *end = calloc(n_templates + 1, sizeof *end); /* of a template's items in rows */
    size_t *rows = malloc((cells.n ? cells.n : 1) * sizeof *rows);
    int failed = !end || !rows;
    assay_json json;

    assay_json_start(&json, to, 1);
    assay_json_begin_object(&json);
    if (!failed) {
        for (size_t k = 0; k < cells.n; k++) end[cells.templates[k] + 1]++;
        for (size_t i = 0; i < n_templates; i++) end[i + 1] += end[i];
        for (size_t k = 0; k < cells.n; k++) rows[end[cells.templates[k]]++] = cells.items[k];
    }
    for (size_t i = 0; !failed && i < n_templates; i++) {
        size_t first = i > 0 ? end[i - 1] : 0;

        if (end[i] > first) failed = write_task(&json, answer, i, rows + first, end[i] - first);
    }
    assay_json_end_object(&json);
    putc('\n', to);
    free(end);
    free(rows);
    return failed ? cli_no_memory() : ASSAY_OK;
}
