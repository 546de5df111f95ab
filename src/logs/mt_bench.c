/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/mt_bench.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/names.h"
#include "data/results.h"
#include "logs/cell.h"
#include "logs/metrics.h"
#include "logs/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { QUESTION, TURN, MODEL, SCORE, FIRST, SECOND, GAME_1, GAME_2, JUDGE, N_PICKS };

typedef struct judgments {
    assay_table *table;
    assay_picker picker;
    assay_names judges;
    size_t judge; /* of the row at hand; SIZE_MAX: none yet */
    char *item, *opponent;
    size_t item_capacity, opponent_capacity;
    size_t taken, disagreements;
    int is_pair;
} judgments;

static assay_status take_judge(void *user, assay_json_reader *reader, const char *key,
                               const assay_value *value);
static assay_status put_row(void *user);
static assay_status name_item(judgments *j, assay_log_cell *cell);
static assay_status put_single(judgments *j, assay_log_cell *cell);
static assay_status put_pair(judgments *j, assay_log_cell *cell);
static double first_score(judgments *j);
static assay_status put_against(judgments *j, assay_log_cell *cell, size_t model, size_t opponent,
                                double score);
static assay_status finish(judgments *j);

int assay_mt_bench_is_single(const assay_log_head *head)
{
    static const char *const keys[] = { "question_id", "model", "judge", "score", "turn" };

    return assay_log_head_has(head, keys, 5);
}

int assay_mt_bench_is_pair(const assay_log_head *head)
{
    static const char *const keys[] = { "question_id", "model_1", "model_2", "g1_winner",
                                        "g2_winner" };

    return assay_log_head_has(head, keys, 5);
}

assay_status assay_mt_bench_read(assay_table *table, const assay_log_head *head)
{
    static const assay_pick picks[N_PICKS] = { { "question_id", NULL }, { "turn", NULL },
                                               { "model", NULL },       { "score", NULL },
                                               { "model_1", NULL },     { "model_2", NULL },
                                               { "g1_winner", NULL },   { "g2_winner", NULL },
                                               { "judge", take_judge } };
    judgments j = { .table = table, .judge = SIZE_MAX, .is_pair = assay_mt_bench_is_pair(head) };
    assay_status status = assay_picker_open(&j.picker, table->path, picks, N_PICKS, &j);

    if (status == ASSAY_OK) status = assay_log_rows(table, &j.picker, put_row);
    if (status == ASSAY_OK) status = finish(&j);
    assay_picker_close(&j.picker);
    assay_names_free(&j.judges);
    free(j.item);
    free(j.opponent);
    return status;
}

/* ["gpt-4", "single-v1-multi-turn"]: the prompt differs from turn to turn, the judge does not. */
static assay_status take_judge(void *user, assay_json_reader *reader, const char *key,
                               const assay_value *value)
{
    judgments *j = user;
    assay_json_event event = value->kind;
    const char *text = value->text;
    size_t length = value->length, depth = assay_json_depth(reader);
    double number;
    assay_status status = ASSAY_OK;

    (void)key;
    if (event == ASSAY_JSON_OBJECT) return assay_json_leave(reader);
    if (event == ASSAY_JSON_ARRAY) {
        depth--;
        status = assay_json_next(reader, &event, &text, &length, &number);
    }
    if (status == ASSAY_OK && event == ASSAY_JSON_STRING &&
        assay_names_add(&j->judges, text, length, &j->judge) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its judges", j->table->path);
    while (status == ASSAY_OK && assay_json_depth(reader) > depth)
        status = assay_json_leave(reader);
    return status;
}

static assay_status put_row(void *user)
{
    judgments *j = user;
    const char *wanted = j->table->options->metric;
    size_t judge = j->judge;
    assay_log_cell cell = { .line = j->picker.line };
    assay_status status;

    j->judge = SIZE_MAX;
    if (judge == SIZE_MAX && assay_names_add(&j->judges, "unnamed", 7, &judge) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its judges", j->table->path);
    if (wanted ? strcmp(j->judges.text[judge], wanted) != 0 : judge > 0) return ASSAY_OK;
    j->taken++;
    if ((status = name_item(j, &cell)) != ASSAY_OK) return status;
    return j->is_pair ? put_pair(j, &cell) : put_single(j, &cell);
}

static assay_status name_item(judgments *j, assay_log_cell *cell)
{
    assay_name question = assay_value_name(&j->picker.values[QUESTION]),
               turn = assay_value_name(&j->picker.values[TURN]);
    size_t length = question.length + 1 + turn.length;

    if (!question.text)
        return assay_fail_at(ASSAY_E_FORMAT, j->table->path, j->picker.line,
                             "a judgment without a \"question_id\"");
    if (assay_grow(&j->item, &j->item_capacity, length, 1) != 0)
        return assay_fail(ASSAY_E_NOMEM, "no memory for a name of %zu bytes", length);
    memcpy(j->item, question.text, question.length);
    j->item[question.length] = '/';
    if (turn.text) memcpy(j->item + question.length + 1, turn.text, turn.length);
    cell->item = (assay_name){ j->item, turn.text ? length : question.length };
    cell->cluster = question;
    return ASSAY_OK;
}

static assay_status put_single(judgments *j, assay_log_cell *cell)
{
    const assay_value *score = &j->picker.values[SCORE];

    cell->model = assay_value_name(&j->picker.values[MODEL]);
    cell->state = assay_log_score(score, &cell->score);
    if (cell->state == ASSAY_SCORED && cell->score < 0.0) { /* -1: nothing could be read */
        cell->score = NAN;
        cell->state = ASSAY_UNSCORED;
    }
    return assay_log_put(j->table, cell);
}

static assay_status put_pair(judgments *j, assay_log_cell *cell)
{
    double score = first_score(j);
    assay_status status = put_against(j, cell, FIRST, SECOND, score);

    return status == ASSAY_OK ? put_against(j, cell, SECOND, FIRST, 1.0 - score) : status;
}

/* What model_1 gets. Two winners are the judge's liking for a position, which is a tie. */
static double first_score(judgments *j)
{
    assay_name games[2] = { assay_value_name(&j->picker.values[GAME_1]),
                            assay_value_name(&j->picker.values[GAME_2]) };
    double scores[2];

    for (size_t k = 0; k < 2; k++) {
        if (!games[k].text) return NAN;
        scores[k] = assay_name_is(games[k], "model_1")   ? 1.0
                    : assay_name_is(games[k], "model_2") ? 0.0
                    : assay_name_is(games[k], "tie")     ? 0.5
                                                         : NAN;
        if (isnan(scores[k])) return NAN;
    }
    j->disagreements += scores[0] != scores[1];
    return scores[0] == scores[1] ? scores[0] : 0.5;
}

static assay_status put_against(judgments *j, assay_log_cell *cell, size_t model, size_t opponent,
                                double score)
{
    assay_name other = assay_value_name(&j->picker.values[opponent]);

    cell->model = assay_value_name(&j->picker.values[model]);
    if (!cell->model.text || !other.text)
        return assay_fail_at(ASSAY_E_FORMAT, j->table->path, j->picker.line,
                             "a pair without \"model_1\" or \"model_2\"");
    if (assay_grow(&j->opponent, &j->opponent_capacity, other.length + 3, 1) != 0)
        return assay_fail(ASSAY_E_NOMEM, "no memory for a name of %zu bytes", other.length);
    memcpy(j->opponent, "vs ", 3);
    memcpy(j->opponent + 3, other.text, other.length);
    cell->template_id = (assay_name){ j->opponent, other.length + 3 };
    cell->score = score;
    cell->state = isnan(score) ? ASSAY_UNSCORED : ASSAY_SCORED;
    return assay_log_put(j->table, cell);
}

static assay_status finish(judgments *j)
{
    assay_status status;

    if (j->taken == 0) return assay_log_fail_metric(j->table, &j->judges);
    status = assay_table_note_mapping(
        j->table,
        j->is_pair
            ? "MT-bench judgments of pairs; item = question and turn, cluster = question, template "
              "= opponent, score = 1 for a win in both games, 0.5 for a tie or two winners"
            : "MT-bench judgments; item = question and turn, cluster = question, score = the "
              "judge's (-1 is unscored)");
    if (status == ASSAY_OK)
        status = assay_log_note_metrics(j->table, &j->judges, j->judges.text[0]);
    if (status == ASSAY_OK && j->disagreements > 0)
        status = assay_results_add_note(
            j->table->results,
            "%s: pairs whose games disagree once the answers change places, counted as ties: %zu",
            j->table->path, j->disagreements);
    return status;
}
