/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/bfcl.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/names.h"
#include "data/results.h"
#include "logs/bfcl_ids.h"
#include "logs/cell.h"
#include "logs/metrics.h"
#include "logs/place.h"
#include "logs/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CORRECT, TOTAL, ID, ERROR_TYPE, MODEL, VALID, N_PICKS };
enum { MOST_NUMBERED = 1000000 }; /* ids that are made of a total alone, which may be anything */

typedef struct failure {
    size_t line;
    int is_error; /* the model could not be asked */
} failure;

typedef struct scores {
    assay_table *table;
    assay_picker picker;
    double correct, total; /* of the first line; NaN: none yet */
    assay_names failing;
    failure *failures; /* by failing id */
    size_t failures_capacity, n_twice;
    char *model_name; /* as the failures say, NULL: none does */
    assay_names ids;
    char *source; /* the file they come from; NULL: they are numbers */
} scores;

static assay_status take_row(void *user);
static assay_status take_failure(scores *s, assay_name id);
static assay_status find_ids(scores *s);
static assay_status fail_unknown(const scores *s);
static assay_status put_all(scores *s);
static assay_name model_of(const scores *s);
static assay_name category_of(const char *path);
static assay_status add_notes(const scores *s);

int assay_bfcl_is_scores(const assay_log_head *head)
{
    static const char *const keys[] = { "accuracy", "correct_count", "total_count" };

    return head->kind == ASSAY_HEAD_OBJECT && assay_log_head_has(head, keys, 3);
}

int assay_bfcl_is_answers(const assay_log_head *head)
{
    return assay_log_without_end(assay_log_stem(head->path), "_result").text &&
           assay_log_head_at(head, "result") != ASSAY_JSON_END &&
           (assay_log_head_at(head, "id") != ASSAY_JSON_END ||
            assay_log_head_at(head, "idx") != ASSAY_JSON_END);
}

int assay_bfcl_is_leaderboard(const assay_log_head *head)
{
    static const char begin[] = "Rank,Overall Acc,Model,Model Link,";
    size_t skip = head->length > 3 && memcmp(head->bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    return head->kind == ASSAY_HEAD_OTHER && head->length >= skip + sizeof begin - 1 &&
           memcmp(head->bytes + skip, begin, sizeof begin - 1) == 0;
}

assay_status assay_bfcl_read(assay_table *table, const assay_log_head *head)
{
    static const assay_pick picks[N_PICKS] = {
        { "correct_count", NULL }, { "total_count", NULL }, { "id", NULL },
        { "error_type", NULL },    { "model_name", NULL },  { "valid", NULL }
    };
    scores s = { .table = table, .correct = NAN, .total = NAN };
    size_t metric;
    assay_status status =
        assay_log_choose_metric(table, (const char *const[]){ "valid" }, 1, &metric);

    (void)head;
    if (status == ASSAY_OK) status = assay_picker_open(&s.picker, table->path, picks, N_PICKS, &s);
    if (status == ASSAY_OK) status = assay_log_rows(table, &s.picker, take_row);
    if (status == ASSAY_OK) status = find_ids(&s);
    if (status == ASSAY_OK) status = put_all(&s);
    if (status == ASSAY_OK) status = add_notes(&s);
    assay_picker_close(&s.picker);
    assay_names_free(&s.failing);
    assay_names_free(&s.ids);
    free(s.failures);
    free(s.model_name);
    free(s.source);
    return status;
}

static assay_status take_row(void *user)
{
    scores *s = user;
    const assay_value *v = s->picker.values;
    assay_name id = assay_value_name(&v[ID]);

    if (v[TOTAL].kind == ASSAY_JSON_NUMBER && isnan(s->total)) {
        s->total = v[TOTAL].number;
        s->correct = v[CORRECT].kind == ASSAY_JSON_NUMBER ? v[CORRECT].number : NAN;
        return ASSAY_OK;
    }
    if (v[VALID].kind == ASSAY_JSON_TRUE) return ASSAY_OK;
    if (id.text) return take_failure(s, id);
    return assay_fail_at(ASSAY_E_FORMAT, s->table->path, s->picker.line,
                         "a failure without an \"id\"");
}

static assay_status take_failure(scores *s, assay_name id)
{
    const assay_value *type = &s->picker.values[ERROR_TYPE], *model = &s->picker.values[MODEL];
    size_t known = s->failing.count, index;

    if (assay_names_add(&s->failing, id.text, id.length, &index) != 0 ||
        assay_grow(&s->failures, &s->failures_capacity, s->failing.count, sizeof *s->failures) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its ids", s->table->path);
    if (index < known) {
        s->n_twice++;
        return ASSAY_OK;
    }
    s->failures[index] = (failure){ s->picker.line, type->kind == ASSAY_JSON_STRING &&
                                                        strstr(type->text, "inference_error") };
    if (s->model_name || model->kind != ASSAY_JSON_STRING) return ASSAY_OK;
    s->model_name = assay_copy_text(model->text, model->length);
    return s->model_name ? ASSAY_OK : assay_fail(ASSAY_E_NOMEM, "no memory for a model's name");
}

static assay_status find_ids(scores *s)
{
    double failed = s->total - s->correct;
    assay_status status;

    if (!(s->correct >= 0.0 && failed == (double)s->failing.count && floor(s->total) == s->total))
        return assay_fail_at(
            ASSAY_E_FORMAT, s->table->path, 0,
            "lists %zu failure%s, where its first line says %.15g of %.15g correct",
            s->failing.count, s->failing.count == 1 ? "" : "s", s->correct, s->total);
    status = assay_bfcl_ids_from_answers(s->table, &s->ids, &s->source);
    if (status == ASSAY_OK && !s->source && s->total <= MOST_NUMBERED)
        status = assay_bfcl_ids_from_numbers(&s->failing, (size_t)s->total, &s->ids);
    if (status != ASSAY_OK) return status;
    if (s->ids.count == 0) return fail_unknown(s);
    if ((double)s->ids.count != s->total)
        return assay_fail_at(ASSAY_E_FORMAT, s->table->path, 0,
                             "scores %.15g answers, where %s has %zu: another run's?", s->total,
                             s->source ? s->source : "", s->ids.count);
    for (size_t k = 0; k < s->failing.count; k++)
        if (assay_names_find(&s->ids, s->failing.text[k], strlen(s->failing.text[k])) < 0)
            return assay_fail_at(ASSAY_E_FORMAT, s->table->path, s->failures[k].line,
                                 "the failing id \"%.60s\" is none of %s", s->failing.text[k],
                                 s->source ? s->source : "its numbers");
    return ASSAY_OK;
}

static assay_status fail_unknown(const scores *s)
{
    return assay_fail_at(
        ASSAY_E_FORMAT, s->table->path, 0,
        "a BFCL score file names only the failures (%zu of %.15g), and which ids passed is not "
        "known: put the answers of the run (result/MODEL/..._result.json) beside score/",
        s->failing.count, s->total);
}

static assay_status put_all(scores *s)
{
    assay_log_cell cell = { .model = model_of(s), .task = category_of(s->table->path) };
    assay_status status = ASSAY_OK;

    for (size_t k = 0; status == ASSAY_OK && k < s->ids.count; k++) {
        size_t length = strlen(s->ids.text[k]);
        ptrdiff_t at = assay_names_find(&s->failing, s->ids.text[k], length);
        const failure *failed = at < 0 ? NULL : &s->failures[at];

        cell.item = (assay_name){ s->ids.text[k], length };
        cell.line = failed ? failed->line : 0;
        cell.state = failed && failed->is_error ? ASSAY_ERRORED : ASSAY_SCORED;
        cell.score = cell.state == ASSAY_ERRORED ? NAN : failed ? 0.0 : 1.0;
        status = assay_log_put(s->table, &cell);
    }
    return status;
}

/* score/MODEL/GROUP/BFCL_v4_CATEGORY_score.json */
static assay_name model_of(const scores *s)
{
    const char *path = s->table->path;
    ptrdiff_t folder = assay_bfcl_score_folder(path);
    const char *start = folder < 0 ? NULL : strchr(path + folder, '/') + 1;
    const char *end = start ? strchr(start, '/') : NULL;

    if (end) return (assay_name){ start, (size_t)(end - start) };
    return (assay_name){ s->model_name, s->model_name ? strlen(s->model_name) : 0 };
}

static assay_name category_of(const char *path)
{
    assay_name stem = assay_log_stem(path), category = assay_log_without_end(stem, "_score");

    if (!category.text) return (assay_name){ NULL, 0 };
    if (category.length > 8 && memcmp(category.text, "BFCL_v", 6) == 0 && category.text[7] == '_')
        return (assay_name){ category.text + 8, category.length - 8 };
    return category;
}

static assay_status add_notes(const scores *s)
{
    assay_results *results = s->table->results;
    const char *path = s->table->path;
    assay_status status = assay_table_note_mapping(
        s->table,
        "BFCL scores; model = folder, item = category and id, cluster = category, score = "
        "0 for the failures that are listed and 1 for the other ids");

    if (status == ASSAY_OK && s->source)
        status = assay_results_add_note(results, "%s: the ids that passed are those of %s", path,
                                        s->source);
    if (status == ASSAY_OK && !s->source)
        status = assay_results_add_note(
            results, "%s: without the answers beside it, its ids are taken to be %s to %s", path,
            s->ids.text[0], s->ids.text[s->ids.count - 1]);
    if (status == ASSAY_OK && s->n_twice > 0)
        status = assay_results_add_note(results, "%s: failures listed again, counted once: %zu",
                                        path, s->n_twice);
    return status;
}
