/* SPDX-License-Identifier: Apache-2.0 */
/* Published accuracies of templates, as counts. */
#include "assay/simulate_templates.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/options.h"
#include "data/names.h"
#include "read/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct assay_accuracies {
    assay_names templates;
    size_t *counts, capacity, n_items;
};

/* The columns, in the order in which they are wanted. */
enum { TEMPLATE, TASK, MODEL, N_ITEMS, COUNT, ACCURACY, OF_MODEL, N_COLUMNS };

typedef struct reading {
    assay_accuracies *to;
    const char *path;
    assay_accuracies_options options;
    char *task, *model; /* of the rows so far, where the options do not say; NULL: none yet */
} reading;

static assay_status take_row(void *user, size_t line, const assay_name *fields);
static int is_wanted(const reading *r, const assay_name *fields);
static assay_status check_alike(reading *r, size_t line, const char *what, char **so_far,
                                assay_name name);
static assay_status take_n_items(reading *r, size_t line, assay_name text);
static assay_status count_correct(const reading *r, size_t line, const assay_name *fields,
                                  size_t *count);
static assay_status fail_number(const reading *r, size_t line, const char *what, assay_name text,
                                const char *expected);

void assay_accuracies_options_init(assay_accuracies_options *options, size_t struct_size)
{
    const assay_accuracies_options defaults = { .struct_size = struct_size };

    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

assay_status assay_accuracies_read(const char *path, const assay_accuracies_options *options,
                                   assay_accuracies **out)
{
    reading r = { .path = path };
    assay_status status;

    *out = NULL;
    assay_accuracies_options_init(&r.options, sizeof r.options);
    status = assay_options_take("accuracies", options, &r.options, sizeof r.options);
    if (status != ASSAY_OK) return status;
    const assay_wanted wanted[N_COLUMNS] = {
        [TEMPLATE] = { ASSAY_ROLE_TEMPLATE, "template", 0 },
        [TASK] = { ASSAY_N_ROLES, "task", r.options.task == NULL },
        [MODEL] = { ASSAY_ROLE_MODEL, "model", 1 },
        [N_ITEMS] = { ASSAY_N_ROLES, "J", 1 },
        [COUNT] = { ASSAY_ROLE_SUCCESSES, "n_correct", 1 },
        [ACCURACY] = { ASSAY_ROLE_SCORE, "accuracy", 1 },
        [OF_MODEL] = { ASSAY_N_ROLES, r.options.model ? r.options.model : "accuracy", 1 },
    };
    r.to = assay_alloc_zero(1, sizeof *r.to);
    if (!r.to) return assay_fail(ASSAY_E_NOMEM, "%s: no memory for accuracies", path);
    r.to->n_items = r.options.n_items;
    status = assay_fields_read(path, wanted, N_COLUMNS, 0, take_row, &r);
    if (status == ASSAY_OK && r.to->templates.count == 0)
        status = assay_fail_at(ASSAY_E_FORMAT, path, 0, "has no row%s, expected one a template",
                               r.options.task || r.options.model ? " of that task and model" : "");
    if (status == ASSAY_OK) {
        *out = r.to;
        r.to = NULL;
    }
    assay_accuracies_free(r.to);
    free(r.task);
    free(r.model);
    return status;
}

void assay_accuracies_free(assay_accuracies *accuracies)
{
    if (!accuracies) return;
    assay_names_free(&accuracies->templates);
    free(accuracies->counts);
    free(accuracies);
}

static assay_status take_row(void *user, size_t line, const assay_name *fields)
{
    reading *r = user;
    assay_names *names = &r->to->templates;
    assay_name name = fields[TEMPLATE];
    size_t n = names->count, index, count = 0;
    assay_status status;

    if (!is_wanted(r, fields)) return ASSAY_OK;
    if (!r->options.task) {
        status = check_alike(r, line, "task", &r->task, fields[TASK]);
        if (status != ASSAY_OK) return status;
    }
    if (!r->options.model) {
        status = check_alike(r, line, "model", &r->model, fields[MODEL]);
        if (status != ASSAY_OK) return status;
    }
    if ((status = take_n_items(r, line, fields[N_ITEMS])) != ASSAY_OK) return status;
    if ((status = count_correct(r, line, fields, &count)) != ASSAY_OK) return status;
    if (assay_grow(&r->to->counts, &r->to->capacity, n + 1, sizeof *r->to->counts) != 0 ||
        assay_names_add(names, name.text, name.length, &index) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for accuracies", r->path);
    if (index < n)
        return assay_fail_at(ASSAY_E_FORMAT, r->path, line,
                             "template \"%s\" comes twice, expected one row a template",
                             names->text[index]);
    r->to->counts[n] = count;
    return ASSAY_OK;
}

static int is_wanted(const reading *r, const assay_name *fields)
{
    return (!r->options.task || assay_name_is(fields[TASK], r->options.task)) &&
           (!r->options.model || !fields[MODEL].text ||
            assay_name_is(fields[MODEL], r->options.model));
}

/* A file of several tasks or models needs to be told which. */
static assay_status check_alike(reading *r, size_t line, const char *what, char **so_far,
                                assay_name name)
{
    if (!name.text) return ASSAY_OK;
    if (!*so_far) {
        *so_far = assay_copy_text(name.text, name.length);
        if (!*so_far) return assay_fail(ASSAY_E_NOMEM, "%s: no memory for accuracies", r->path);
    }
    if (assay_name_is(name, *so_far)) return ASSAY_OK;
    return assay_fail_at(ASSAY_E_FORMAT, r->path, line,
                         "%s \"%.*s\" after %s \"%s\", expected to be told which", what,
                         (int)name.length, name.text, what, *so_far);
}

static assay_status take_n_items(reading *r, size_t line, assay_name text)
{
    double value;
    size_t n;

    if (!text.text && r->to->n_items == 0)
        return assay_fail_at(ASSAY_E_FORMAT, r->path, 0,
                             "no column \"J\", expected one, or to be told how many items");
    if (!text.text) return ASSAY_OK;
    if (assay_number_parse(text.text, text.length, &value) != 0 || value < 1.0 ||
        value > INT32_MAX || value != floor(value))
        return fail_number(r, line, "J", text, "a whole number from 1");
    n = (size_t)value;
    if (r->to->n_items == 0) r->to->n_items = n;
    if (r->to->n_items == n) return ASSAY_OK;
    return assay_fail_at(ASSAY_E_FORMAT, r->path, line, "J is %zu, expected %zu as before", n,
                         r->to->n_items);
}

static assay_status count_correct(const reading *r, size_t line, const assay_name *fields,
                                  size_t *count)
{
    const int by_model = r->options.model && !fields[MODEL].text;
    assay_name text = by_model ? fields[OF_MODEL] : fields[COUNT];
    double value, n_items = (double)r->to->n_items;

    if (!by_model && text.text) {
        if (assay_number_parse(text.text, text.length, &value) != 0 || value < 0.0 ||
            value > n_items || value != floor(value))
            return fail_number(r, line, "n_correct", text, "a whole number from 0 to J");
        *count = (size_t)value;
        return ASSAY_OK;
    }
    if (!by_model) text = fields[ACCURACY];
    if (!text.text && by_model)
        return assay_fail_at(ASSAY_E_FORMAT, r->path, 0,
                             "no column \"model\" or \"%s\", expected one of them",
                             r->options.model);
    if (!text.text)
        return assay_fail_at(ASSAY_E_FORMAT, r->path, 0,
                             "no column \"n_correct\" or \"accuracy\", expected one, or a model");
    if (assay_number_parse(text.text, text.length, &value) != 0 || value < 0.0 || value > 1.0)
        return fail_number(r, line, "accuracy", text, "a number from 0 to 1");
    *count = (size_t)nearbyint(value * n_items); /* half to even, as NumPy rounds */
    return ASSAY_OK;
}

static assay_status fail_number(const reading *r, size_t line, const char *what, assay_name text,
                                const char *expected)
{
    return assay_fail_at(ASSAY_E_FORMAT, r->path, line, "%s \"%.*s\", expected %s", what,
                         (int)text.length, text.text, expected);
}

size_t assay_accuracies_n_templates(const assay_accuracies *accuracies)
{
    return accuracies->templates.count;
}

size_t assay_accuracies_n_items(const assay_accuracies *accuracies)
{
    return accuracies->n_items;
}

const char *assay_accuracies_template(const assay_accuracies *accuracies, size_t template_index)
{
    return accuracies->templates.text[template_index];
}

const size_t *assay_accuracies_counts(const assay_accuracies *accuracies)
{
    return accuracies->counts;
}
