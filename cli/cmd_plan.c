/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"
#include "options.h"
#include "output.h"
#include "plan_answer.h"
#include "plan_best.h"
#include "session.h"

#include <assay/cells.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cli_usage usage = {
    .command = "plan",
    .arguments = "templates --templates I --items J --budget B",
    .description =
        "Which cells to run next: a plan of templates x items, balanced both ways, for\n"
        "'assay templates'. I and J are counts or files of ids. What --have lists counts towards\n"
        "the budget and is not listed again: plans of growing budgets hold each other. With "
        "--best\n"
        "the plan is the next round of a search, which drops the worse half of the templates a "
        "round.",
    .example =
        "  assay plan templates --templates 100 --items 500 --budget 800 -o cells.csv\n"
        "  assay plan templates --templates 100 --items 500 --budget 1600 --have cells.csv\n"
        "  assay plan templates --templates 100 --items 500 --budget 800 --as lm-eval \\\n"
        "      --task mmlu_anatomy -o samples.json\n"
        "  assay plan templates --templates 100 --items 500 --budget 800 --best --have cells.csv\n",
};

struct request {
    const char *templates, *items, *have, *strata, *output;
    uint64_t budget;
    int quiet, best, by;
    struct plan_answer answer;
};

static int parse(int argc, char **argv, struct request *request, int *first);
static int check_arguments(const struct request *request, int n_arguments, char **arguments);
static int check_layout(const struct request *request);
static int draw(struct request *request, assay_plan **plan);
static assay_status read_ids(assay_axis axis, const char *said, assay_ids **ids);
static void add_input(struct plan_answer *answer, const char *path, const assay_read_file *file);
static assay_status start_plan(struct request *request, assay_plan **plan);
static assay_status add_cells(struct request *request, assay_plan *plan);
static int finish(const struct request *request);
static void print_planned(const struct request *request);
static int fail(const char *sentence);

int cmd_plan(int argc, char **argv)
{
    struct request request;
    assay_plan *plan = NULL;
    int first, exit_status = parse(argc, argv, &request, &first);

    if (exit_status < 0) exit_status = check_arguments(&request, argc - first, argv + first);
    if (exit_status < 0) exit_status = check_layout(&request);
    if (exit_status < 0) exit_status = draw(&request, &plan);
    if (exit_status < 0) exit_status = cli_output_raw(request.output, print_plan, &request.answer);
    if (exit_status < 0) exit_status = finish(&request);
    assay_plan_free(plan);
    assay_best_round_free(request.answer.round);
    assay_ids_free(request.answer.templates);
    assay_ids_free(request.answer.items);
    return exit_status;
}

static int parse(int argc, char **argv, struct request *request, int *first)
{
    struct plan_answer *answer = &request->answer;
    const struct cli_option plan[] = {
        { "templates", 0, CLI_TEXT, &request->templates, "I", "how many, or a file of their ids" },
        { "items", 0, CLI_TEXT, &request->items, "J", "how many, or a file of their ids" },
        { "budget", 'b', CLI_UNSIGNED, &request->budget, "B",
          "cells in all, with those of --have" },
        { "have", 0, CLI_TEXT, &request->have, "FILE",
          "cells that were run: columns template and item (with --best also score)" },
        { "strata", 0, CLI_TEXT, &request->strata, "FILE",
          "spread each template over these: columns item and stratum" },
        { "seed", 0, CLI_UNSIGNED, &answer->seed, "N", "of the draw" },
        { "best", 0, CLI_FLAG, &request->best, NULL,
          "the next round of a search for the best template, given the scores in --have" },
        { "by", 0, CLI_CHOICE, &request->by, "pe|gse",
          "with --best: by which score templates are dropped" },
    };
    const struct cli_option output[] = {
        { "as", 0, CLI_CHOICE, &answer->layout, "csv|lm-eval",
          "template,item rows, or the samples of lm-evaluation-harness" },
        { "json", 0, CLI_FLAG, &answer->json, NULL, "print one JSON object" },
        { "task", 0, CLI_TEXT, &answer->task, "NAME", "of lm-eval: what {task} stands for" },
        { "task-name", 0, CLI_TEXT, &answer->task_name, "PATTERN",
          "of lm-eval: how a template's task is called" },
        { "output", 'o', CLI_OUTPUT, &request->output, "FILE",
          "where to, in place of standard output" },
        { "quiet", 'q', CLI_FLAG, &request->quiet, NULL, "do not say what was planned" },
    };
    const struct cli_option_table tables[] = {
        { "plan", plan, sizeof plan / sizeof *plan },
        { "output", output, sizeof output / sizeof *output },
        { NULL, NULL, 0 },
    };

    *request = (struct request){ .answer = { .seed = 1, .task_name = "{task}_{template}" } };
    return cli_parse(argc, argv, &usage, tables, first);
}

/* Returns -1 to go on, or the exit status. */
static int check_arguments(const struct request *request, int n_arguments, char **arguments)
{
    if (n_arguments == 0) return fail("what to plan is missing, expected 'templates'");
    if (strcmp(arguments[0], "templates") != 0)
        return fail("what to plan is unknown, expected 'templates'");
    if (n_arguments > 1) return fail("more than one thing to plan, expected 'templates'");
    if (!request->templates) return fail("--templates is missing, expected a count or a file");
    if (!request->items) return fail("--items is missing, expected a count or a file");
    if (request->budget == 0)
        return fail("--budget is missing, expected how many cells there may be in all");
    if (request->best && request->strata) return fail("--strata and --best exclude each other");
    if (request->by && !request->best) return fail("--by is of --best only");
    return -1;
}

static int check_layout(const struct request *request)
{
    const struct plan_answer *answer = &request->answer;
    const char *const inputs[] = { request->templates, request->items, request->have,
                                   request->strata };

    for (size_t k = 0; request->output && k < sizeof inputs / sizeof *inputs; k++)
        if (inputs[k] && cli_output_is_input(request->output, inputs[k]))
            return fail("-o names an input, which would be lost");
    if (answer->layout != PLAN_LM_EVAL)
        return answer->task ? fail("--task is of --as lm-eval only") : -1;
    if (answer->json) return fail("--json and --as lm-eval exclude each other");
    if (!strstr(answer->task_name, "{template}"))
        return fail("--task-name lacks {template}, without which all tasks are called the same");
    if (strstr(answer->task_name, "{task}") && (!answer->task || !*answer->task))
        return fail("--task is missing, which --task-name needs for {task}");
    return -1;
}

/* Returns -1 to go on, or the exit status. */
static int draw(struct request *request, assay_plan **plan)
{
    struct plan_answer *answer = &request->answer;
    assay_status status = read_ids(ASSAY_AXIS_TEMPLATES, request->templates, &answer->templates);

    if (status == ASSAY_OK) status = read_ids(ASSAY_AXIS_ITEMS, request->items, &answer->items);
    answer->budget = (size_t)request->budget;
    if (status == ASSAY_OK) {
        add_input(answer, request->templates, assay_ids_file(answer->templates));
        add_input(answer, request->items, assay_ids_file(answer->items));
    }
    if (status == ASSAY_OK && request->best) {
        status = plan_best(answer, request->have, request->by);
        return status == ASSAY_OK ? -1 : cli_failed(status);
    }
    if (status == ASSAY_OK) status = start_plan(request, plan);
    answer->plan = *plan;
    if (status == ASSAY_OK && request->have) status = add_cells(request, *plan);
    if (status == ASSAY_OK) status = assay_plan_extend(*plan, (size_t)request->budget);
    return status == ASSAY_OK ? -1 : cli_failed(status);
}

/* A count where it is digits throughout; otherwise a file. */
static assay_status read_ids(assay_axis axis, const char *said, assay_ids **ids)
{
    char *end;
    unsigned long long n;

    if (!*said || said[strspn(said, "0123456789")]) return assay_ids_read(axis, said, ids);
    errno = 0;
    n = strtoull(said, &end, 10);
    return assay_ids_count(axis, errno ? SIZE_MAX : (size_t)n, ids);
}

/* NULL for what is no file. */
static void add_input(struct plan_answer *answer, const char *path, const assay_read_file *file)
{
    if (file) answer->inputs[answer->n_inputs++] = (struct plan_input){ path, *file, NULL };
}

static assay_status start_plan(struct request *request, assay_plan **plan)
{
    struct plan_answer *answer = &request->answer;
    assay_read_file file;
    size_t n_items = assay_ids_n(answer->items), *strata = NULL;
    assay_plan_options options;
    assay_status status = ASSAY_OK;

    assay_plan_options_init(&options, sizeof options);
    options.seed = answer->seed;
    if (request->strata) {
        strata = malloc(n_items * sizeof *strata);
        if (!strata) return cli_no_memory();
        status = assay_groups_read_file(request->strata, answer->items, strata, &file);
        options.strata = strata;
        if (status == ASSAY_OK) add_input(answer, request->strata, &file);
    }
    if (status == ASSAY_OK)
        status = assay_plan_new(assay_ids_n(answer->templates), n_items, &options, plan);
    free(strata);
    return status;
}

static assay_status add_cells(struct request *request, assay_plan *plan)
{
    struct plan_answer *answer = &request->answer;
    const size_t *templates, *items;
    const assay_read_file *file;
    assay_cell_list *cells = NULL;
    assay_status status =
        assay_cell_list_read(request->have, answer->templates, answer->items, &cells);

    if (status == ASSAY_OK) {
        size_t n = assay_cell_list_get(cells, &templates, &items);

        status = assay_plan_add(plan, n, templates, items);
        answer->n_have = assay_plan_cells(plan, &templates, &items);
        file = assay_cell_list_file(cells);
        answer->coverage = (assay_coverage){ .rows = file->rows,
                                             .used = answer->n_have,
                                             .missing = file->rows - n,
                                             .duplicate = n - answer->n_have };
        add_input(answer, request->have, file);
    }
    assay_cell_list_free(cells);
    return status;
}

static int finish(const struct request *request)
{
    const struct cli_common common = { 0 };

    if (!request->quiet && request->best) print_plan_best(&request->answer);
    if (!request->quiet && !request->best) print_planned(request);
    return cli_finish(&common, NULL);
}

static void print_planned(const struct request *request)
{
    const struct plan_answer *answer = &request->answer;
    const size_t *templates, *items;
    size_t n = assay_plan_cells(answer->plan, &templates, &items), n_new = n - answer->n_have;
    size_t n_templates = assay_ids_n(answer->templates), n_empty = 0;

    for (size_t i = 0; i < n_templates; i++)
        n_empty += assay_plan_n_of_template(answer->plan, i) == 0;
    fprintf(stderr, "planned %zu cell%s of %zu templates x %zu items", n_new, n_new == 1 ? "" : "s",
            n_templates, assay_ids_n(answer->items));
    if (request->have) fprintf(stderr, ", beside the %zu that were run", answer->n_have);
    if (n < request->budget) fputs("; the grid is full", stderr);
    if (n > request->budget) fputs("; they are more than the budget", stderr);
    if (n_empty > 0)
        fprintf(stderr, "; the budget leaves %zu template%s without any", n_empty,
                n_empty == 1 ? "" : "s");
    fputc('\n', stderr);
}

static int fail(const char *sentence)
{
    fprintf(stderr, "assay plan: %s; see 'assay plan --help'\n", sentence);
    return EXIT_USAGE;
}
