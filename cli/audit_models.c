/* SPDX-License-Identifier: Apache-2.0 */
/* The third step of the audit: what time and skill do to a benchmark. */
#include "audit_answers.h"

#include <assay/intervals.h>
#include <assay/readings.h>
#include <math.h>

static const char by_permutation[] = "a permutation p stands in the answer";

/* ---- halves of the models, by date or by skill ---- */

/* Which way ED moves: by each centring, and by both together. */
struct moves {
    assay_finding task, model, both;
};

static struct moves read_halves(const assay_ageing *halves)
{
    struct moves moves = { .task = assay_read_change(&halves->ed[0].task, ASSAY_LIMIT_P),
                           .model = assay_read_change(&halves->ed[0].model, ASSAY_LIMIT_P) };

    moves.both = assay_read_both(moves.task, moves.model);
    return moves;
}

static int can_read(const assay_ageing *halves)
{
    return read_halves(halves).both != ASSAY_FINDING_UNKNOWN;
}

static int moves_at_all(assay_finding finding)
{
    return finding == ASSAY_FINDING_ABOVE || finding == ASSAY_FINDING_BELOW;
}

/* ", 9.54 -> 11.49 with items' means out (p 0.415)". */
static void say_change(char *text, const assay_change *change, const char *centring)
{
    if (change->reason)
        audit_say(text, " none with %s (%s)", centring, change->reason);
    else
        audit_say(text, " %.2f -> %.2f with %s (p %.3f)", change->early, change->late, centring,
                  change->p);
}

static void say_halves(const assay_ageing *halves, const char *which, const char *than,
                       struct audit_answer *answer)
{
    const assay_ageing_ed *ed = &halves->ed[0];
    struct moves moves = read_halves(halves);
    int one = moves_at_all(moves.task) || moves_at_all(moves.model);

    if (!one)
        audit_say(answer->answer, "no difference in signals beyond chance between %s and %s: ED",
                  than, which);
    else if (moves_at_all(moves.both))
        audit_say(answer->answer, "%s gives %s signals than %s: ED", which,
                  moves.both == ASSAY_FINDING_BELOW ? "fewer" : "more", than);
    else if (moves_at_all(moves.task) && moves_at_all(moves.model))
        audit_say(answer->answer,
                  "undecided whether %s gives fewer or more signals than %s (the two ways of "
                  "centring say the opposite): ED",
                  which, than);
    else
        audit_say(answer->answer,
                  "undecided whether %s gives %s signals than %s (beyond chance by one way of "
                  "centring only): ED",
                  which,
                  moves.task == ASSAY_FINDING_BELOW || moves.model == ASSAY_FINDING_BELOW ? "fewer"
                                                                                          : "more",
                  than);
    say_change(answer->answer, &ed->task, "items' means out");
    audit_say(answer->answer, ",");
    say_change(answer->answer, &ed->model, "models' means out");
    answer->value = isnan(ed->task.share) ? ed->model.share : ed->task.share;
    answer->no_interval = by_permutation;
    answer->weight = moves.both == ASSAY_FINDING_BELOW   ? AUDIT_CHANGE_THE_SUITE
                     : moves.both == ASSAY_FINDING_ABOVE ? AUDIT_REPORT
                                                         : AUDIT_UNDECIDED;
}

/* What to do when there are fewer, more, or nothing is decided. */
static const char *action_of(const struct audit_answer *answer, const char *fewer, const char *more,
                             const char *undecided)
{
    return answer->weight == AUDIT_CHANGE_THE_SUITE ? fewer
           : answer->weight == AUDIT_REPORT         ? more
                                                    : undecided;
}

static void find_ageing(struct audit_work *work)
{
    static const char question[] = "What changed between the first and the last models?";
    const struct signals_models *models = work->all->models;
    const assay_ageing *ageing = &models->ageing;
    struct audit_answer *answer;

    if (!models->request->dates) {
        audit_gap(work, AUDIT_MODELS, question, "--dates FILE|COLUMN", NULL);
        return;
    }
    if (!can_read(ageing)) {
        audit_gap(work, AUDIT_MODELS, question, "items that vary in both halves",
                  ageing->ed[0].task.reason);
        return;
    }
    answer = audit_add(work, AUDIT_MODELS, question);
    say_halves(ageing, "the later half of the models by date", "the earlier half", answer);
    if (!ageing->solve_rate.reason)
        audit_say(answer->answer, "; mean score %.3f -> %.3f", ageing->solve_rate.early,
                  ageing->solve_rate.late);
    answer->assumption = "dates could be shuffled; whatever else came with them counts too";
    answer->action = action_of(answer, "renew the items that the last models agree on",
                               "keep the items, and look again with new models", "keep watching");
    audit_command(work, answer, "draws", NULL, 0, "--dates");
    audit_command_word(answer, models->request->dates);
}

static void find_skill(struct audit_work *work)
{
    static const char question[] = "Do the best models give fewer signals than the rest?";
    const struct signals_models *models = work->all->models;
    char by[AUDIT_NAME], half[AUDIT_NAME + 48];
    struct audit_answer *answer;

    if (!models->has_skill || !can_read(&models->skill)) {
        audit_gap(work, AUDIT_MODELS, question,
                  "4 models or more that differ, with items that vary in each half of them", NULL);
        return;
    }
    answer = audit_add(work, AUDIT_MODELS, question);
    snprintf(half, sizeof half, "the better half of the models by %s",
             audit_name(by, signals_models_by(models)));
    say_halves(&models->skill, half, "the other half", answer);
    answer->assumption = "beside random halves, which span more ability than halves by score do";
    answer->action =
        action_of(answer, "add items that tell the best apart",
                  "report more than one mean for the best models", "compare windows of models");
    /* Nothing beyond chance is no finding; and what is one concerns the best, not the suite. */
    answer->weight = answer->weight == AUDIT_UNDECIDED ? AUDIT_UNSAID : AUDIT_ASIDE;
    audit_command(work, answer, "window,step,draws", NULL, 0, "--by");
    audit_command_word(answer, models->request->by ? models->request->by : "score");
}

/* ---- the best ---- */

static void find_pairs_apart(struct audit_work *work)
{
    static const char question[] = "Are the best models told apart?";
    const assay_top_models *top = &work->audit->top;
    size_t not_apart = top->n_pairs - top->n_apart;
    struct audit_answer *answer;
    int most;

    if (signals_is_suite(work->all->matrix) || top->reason) {
        int is_suite = signals_is_suite(work->all->matrix);

        audit_gap(work, AUDIT_MODELS, question,
                  is_suite ? "scores of the items behind the columns" : "more items",
                  is_suite ? NULL : top->reason);
        return;
    }
    answer = audit_add(work, AUDIT_MODELS, question);
    answer->value = (double)not_apart / (double)top->n_pairs;
    most = answer->value > ASSAY_LIMIT_HALF;
    answer->no_interval = "decided by tests, and counted";
    answer->assumption = "items are independent draws, and these runs stand for the models";
    audit_say(answer->answer,
              "%zu of %zu pairs of the best %zu models are not told apart at p < %g (exact sign "
              "test over items, Holm; each pair by itself: %zu)",
              not_apart, top->n_pairs, top->n_models, ASSAY_LIMIT_P,
              top->n_pairs - top->n_apart_alone);
    answer->weight = most ? AUDIT_ORDER_IN_DOUBT : AUDIT_FINE;
    answer->action = most ? "publish ties among the best, or add items that tell them apart"
                          : "ranks among the best may stand";
    audit_command(work, answer, "admit,resamples", NULL, 0, "--audit");
}

static void find_items_left(struct audit_work *work)
{
    static const char question[] = "How many items are used up by the best models?";
    const assay_top_models *top = &work->audit->top;
    size_t n = assay_matrix_n_items(work->all->matrix), used = top->n_easy + top->n_hard;
    struct audit_answer *answer;
    assay_finding reading;
    double bounds[2] = { NAN, NAN };

    if (top->no_items || top->n_models < AUDIT_TOP) {
        audit_gap(work, AUDIT_MODELS, question,
                  top->no_items ? "outcomes of items, 0 or 1" : "10 models or more", NULL);
        return;
    }
    answer = audit_add(work, AUDIT_MODELS, question);
    assay_interval(ASSAY_INTERVAL_WILSON, (double)used, (double)n, work->options->level, bounds);
    answer->value = (double)used / (double)n;
    answer->low = bounds[0];
    answer->high = bounds[1];
    answer->assumption = "items are independent draws";
    reading = assay_read_interval(answer->value, bounds[0], bounds[1], ASSAY_LIMIT_HALF);
    audit_say(answer->answer, "%sa share of %.3f",
              reading == ASSAY_FINDING_UNDECIDED ? "undecided whether most: " : "", answer->value);
    audit_say_interval(answer, 3);
    audit_say(answer->answer,
              " of the items hardly differ among the best %zu models: %zu that at least 9 of 10 "
              "solve, %zu that at most 1 of 10 solves",
              top->n_models, top->n_easy, top->n_hard);
    answer->weight = reading == ASSAY_FINDING_ABOVE   ? AUDIT_CHANGE_THE_SUITE
                     : reading == ASSAY_FINDING_BELOW ? AUDIT_FINE
                                                      : AUDIT_UNDECIDED;
    answer->action = reading == ASSAY_FINDING_BELOW ? "keep them"
                     : top->n_easy >= top->n_hard   ? "add harder items"
                                                    : "add easier items";
    audit_command(work, answer, "admit,resamples", NULL, 0, "--audit");
}

void audit_models(struct audit_work *work)
{
    find_ageing(work);
    find_skill(work);
    find_pairs_apart(work);
    find_items_left(work);
}
