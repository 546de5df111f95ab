/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"
#include "options.h"
#include "output.h"
#include "print_templates.h"
#include "session.h"

#include <string.h>

static const struct cli_usage usage = {
    .command = "templates",
    .arguments = "CELLS...",
    .description =
        "The score of every prompt template, and how they spread, from some of the runs\n"
        "(PromptEval). CELLS is a long table (columns template, item, score) or a wide one (a row "
        "a\n"
        "template, a column an item), CSV, TSV or JSON lines. A model or task column splits it "
        "into\n"
        "grids, an item being one of its task's.",
    .example =
        "  assay templates cells.csv --templates 100 --items 545\n"
        "  assay templates cells.csv --template-features features.csv --per-template scores.csv\n"
        "  assay templates cells.csv --templates 100 --items 545 --best\n"
        "  assay templates full.csv --study --budgets 200,400,800,1600 --plot study.svg\n"
        "  assay templates full.csv --best --study\n"
        "  assay templates --study --accuracies published.csv --tasks anatomy --seeds 5\n",
};

static int parse(int argc, char **argv, struct templates_request *request, int *first);
static int check(const struct templates_request *request);
static int check_outputs(const struct templates_request *request, int n_inputs, char **inputs);
static int answer_request(struct templates_answer *answer);

int cmd_templates(int argc, char **argv)
{
    struct templates_request request;
    struct templates_answer answer = { .request = &request };
    assay_results *results = NULL;
    int first, exit_status = parse(argc, argv, &request, &first);
    assay_status status;

    if (exit_status < 0) exit_status = check(&request);
    if (exit_status < 0) exit_status = templates_check_published(&request, argc - first);
    if (exit_status < 0) exit_status = check_outputs(&request, argc - first, argv + first);
    if (exit_status >= 0) return exit_status;
    status = templates_parse_lists(&answer);
    if (status == ASSAY_OK && request.published.accuracies)
        status = templates_read_published(&answer);
    if (status != ASSAY_OK) exit_status = cli_failed(status);
    if (status == ASSAY_OK && !answer.published)
        exit_status = cli_read_inputs(&usage, &request.common, &request.reading, argc - first,
                                      argv + first, &results);
    answer.results = results;
    if (exit_status < 0) exit_status = answer_request(&answer);
    templates_free(&answer);
    assay_results_free(results);
    return exit_status;
}

static int parse(int argc, char **argv, struct templates_request *request, int *first)
{
    struct cli_option common[CLI_N_COMMON], analysis[CLI_N_ANALYSIS];
    double level;
    struct cli_option reading[CLI_N_READING];
    const struct cli_option own[] = {
        { "templates", 0, CLI_TEXT, &request->templates, "I|FILE",
          "how many templates, or their ids, one a line; else those that come" },
        { "items", 0, CLI_TEXT, &request->items, "J|FILE", "the same of the items" },
        { "draws", 0, CLI_UNSIGNED, &request->draws, "N",
          "behind assay's intervals; 0 none, and faster" },
        { "logreg", 0, CLI_FLAG, &request->logreg, NULL,
          "also the estimate without effects of the items" },
        { "faithful", 0, CLI_FLAG, &request->faithful, NULL,
          "also what the released code does by accident" },
        { "c", 0, CLI_REAL, &request->c, "C", "weight of the data against the penalty" },
        { "quantiles", 0, CLI_TEXT, &request->quantiles, "LIST", "of the templates' scores" },
        { "convention", 0, CLI_CHOICE, &request->convention, "seed|linear|inverse",
          "which number a quantile is" },
        { "best", 0, CLI_FLAG, &request->best, NULL,
          "the best template, and its score corrected for its having been chosen" },
        { "per-template", 0, CLI_OUTPUT, &request->per_template, "FILE.csv",
          "write each template's scores" },
    };
    const struct cli_option features[] = {
        { "template-features", 0, CLI_TEXT, &request->template_features, "FILE",
          "what describes the templates: numbers or factors in CSV, or vectors in .npy" },
        { "template-texts", 0, CLI_TEXT, &request->template_texts, "FILE",
          "or their texts, in CSV or JSON rows: what they look like is counted" },
        { "item-features", 0, CLI_TEXT, &request->item_features, "FILE",
          "what describes the items, as template-features" },
        { "features", 0, CLI_CHOICE, &request->features, "auto|as-is|rotated|levels",
          "how numbers count; auto: rotated where there is text or a vector" },
        { "features-columns", 0, CLI_TEXT, &request->features_columns, "LIST",
          "only these columns, with commas between" },
        { "features-dimensions", 0, CLI_UNSIGNED, &request->features_dimensions, "D",
          "keep D rotated columns at most; 0: all, but 25 of vectors" },
    };
    const struct cli_option study[] = {
        { "study", 0, CLI_FLAG, &request->study, NULL,
          "of full grids: sample, fit, compare with the truth (with --best: regret)" },
        { "budgets", 0, CLI_TEXT, &request->budgets, "LIST", "how many cells are sampled" },
        { "seeds", 0, CLI_INTEGER, &request->seeds, "N", "samples of each budget" },
        { "plot", 0, CLI_OUTPUT, &request->plot, "FILE.svg|DIR", "draw the study" },
        { "drop-incomplete", 0, CLI_CHOICE, &request->drop_incomplete, "no|items|templates",
          "of CELLS: leave out what has a hole" },
    };
    struct templates_published *of = &request->published;
    const struct cli_option published[] = {
        { "accuracies", 0, CLI_TEXT, &of->accuracies, "FILE",
          "published scores in place of CELLS; cells are drawn behind them" },
        { "tasks", 0, CLI_TEXT, &of->tasks, "LIST", "only these, with commas between" },
        { "models", 0, CLI_TEXT, &of->models, "LIST", "only these" },
        { "sample", 0, CLI_UNSIGNED, &of->sample, "N",
          "N pairs of task and model, drawn with the seed; 0: all" },
        { "concentration", 0, CLI_REAL, &of->concentration, "A",
          "how alike items are; small: most are all right or all wrong" },
    };
    const struct cli_option task[] = {
        { "task", 0, CLI_TEXT, NULL, "COLUMN", "... the task, of which each is a grid" },
    };
    struct cli_option inputs[CLI_N_READING + 1];
    const struct cli_option_table tables[] = {
        { "templates", own, sizeof own / sizeof *own },
        { "features", features, sizeof features / sizeof *features },
        { "study", study, sizeof study / sizeof *study },
        { "study of published scores", published, sizeof published / sizeof *published },
        { "inputs", inputs, CLI_N_READING + 1 },
        { "analysis", analysis, CLI_N_ANALYSIS },
        { "all commands", common, CLI_N_COMMON },
        { NULL, NULL, 0 },
    };

    templates_request_init(request);
    level = request->analysis.level;
    cli_common_options(&request->common, common);
    cli_analysis_options(&request->analysis, analysis);
    request->analysis.level = level;
    cli_reading_options(&request->reading, reading);
    for (int k = 0; k < CLI_N_READING; k++) inputs[k] = reading[k];
    inputs[CLI_N_READING] = task[0];
    inputs[CLI_N_READING].value = &request->reading.read.task;
    request->reading.read.by_task = 1;
    return cli_parse(argc, argv, &usage, tables, first);
}

/* Returns -1 to go on, or the exit status. */
static int check(const struct templates_request *request)
{
    const char *wrong = NULL;

    if (cli_was_said(&request->budgets) && !request->study)
        wrong = "--budgets is of a study, expected --study beside it";
    if (cli_was_said(&request->seeds) && !request->study)
        wrong = "--seeds is of a study, expected --study beside it";
    if (request->drop_incomplete && !request->study)
        wrong = "--drop-incomplete is of a study, expected --study beside it";
    if (request->template_features && request->template_texts)
        wrong = "--template-features and --template-texts exclude each other";
    if (request->features_dimensions > 0 && request->features == ASSAY_FEATURES_AS_IS)
        wrong = "--features-dimensions keeps rotated columns, which --features as-is does not make";
    if (request->features_columns && !request->template_features && !request->item_features)
        wrong = "--features-columns is of a file of features, expected one beside it";
    if (request->plot && !request->study)
        wrong = "--plot draws a study, expected --study beside it";
    if (request->draws > 1000000) wrong = "--draws is out of range, expected 0 to 1000000";
    if (!(request->c > 0.0 && request->c <= 1e12))
        wrong = "--c is out of range, expected above 0, up to 1e12";
    if (!(request->analysis.level > 0.0 && request->analysis.level < 1.0))
        wrong = "--level is out of range, expected between 0 and 1";
    if (request->analysis.threads < 0 || request->analysis.threads > 1024)
        wrong = "--threads is out of range, expected 0 to 1024";
    if (!wrong) return -1;
    fprintf(stderr, "assay templates: %s; see 'assay templates --help'\n", wrong);
    return EXIT_USAGE;
}

/* Whether an output is one of the inputs, of whatever kind. */
static int is_read(const struct templates_request *request, const char *output, int n_inputs,
                   char **inputs)
{
    const char *const others[] = {
        request->template_features,    request->item_features, request->templates, request->items,
        request->published.accuracies, request->template_texts
    };

    for (int i = 0; i < n_inputs; i++)
        if (cli_output_is_input(output, inputs[i])) return 1;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (others[k] && cli_output_is_input(output, others[k])) return 1;
    return 0;
}

/* Before the work: that no input is overwritten, and that what is written can be. */
static int check_outputs(const struct templates_request *request, int n_inputs, char **inputs)
{
    const char *const outputs[] = { request->common.output, request->per_template };
    static const char *const names[] = { "-o", "--per-template" };

    if (outputs[0] && outputs[1] && strcmp(outputs[0], outputs[1]) == 0) {
        fputs("assay templates: -o and --per-template are one file, expected two\n", stderr);
        return EXIT_USAGE;
    }
    for (size_t k = 0; k < 2; k++) {
        int exit_status;

        if (outputs[k] && is_read(request, outputs[k], n_inputs, inputs)) {
            fprintf(stderr, "assay templates: %s would overwrite an input\n", names[k]);
            return EXIT_USAGE;
        }
        exit_status = cli_output_check(outputs[k]);
        if (exit_status >= 0) return exit_status;
    }
    return -1;
}

static int answer_request(struct templates_answer *answer)
{
    const struct templates_request *request = answer->request;
    assay_status status = templates_prepare(answer);
    int exit_status = status == ASSAY_OK ? -1 : cli_failed(status);

    if (exit_status < 0 && request->per_template)
        exit_status = cli_output(request->per_template, print_templates_csv, answer);
    if (exit_status < 0 && request->plot)
        exit_status = cli_plot(request->plot, request->best ? "best.svg" : "study.svg",
                               print_templates_plot, answer);
    if (exit_status < 0)
        exit_status = cli_output(
            request->common.output,
            request->analysis.json ? print_templates_json : print_templates_table, answer);
    return exit_status < 0 ? cli_finish(&request->common, answer->results) : exit_status;
}
