/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"
#include "embed_answer.h"
#include "options.h"
#include "output.h"
#include "session.h"

#include <assay/turns.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct cli_usage usage = {
    .command = "embed",
    .arguments = "PROMPTS -o VECTORS.npy",
    .description =
        "Prompts as vectors, by a sentence encoder that runs here (BERT models such as MiniLM, "
        "BGE, "
        "E5\n"
        "and GTE, and model2vec's, from a folder as Hugging Face's hub has it) or by a server "
        "that\n"
        "speaks OpenAI's embeddings protocol. PROMPTS has id and prompt, as JSON lines or CSV. "
        "The\n"
        "ids go to VECTORS.ids.csv. Vectors are kept, so that a prompt is embedded once.\n"
        "Keys come from the environment: ASSAY_API_KEY for a server, HF_TOKEN for the hub.",
    .example =
        "  assay embed --model all-MiniLM-L6-v2 --download\n"
        "  assay embed prompts.jsonl -o vectors.npy\n"
        "  assay embed prompts.jsonl --model intfloat/e5-small-v2 --prefix 'query: ' -o e5.npy\n"
        "  assay embed prompts.jsonl --server http://localhost:8080/v1 --model nomic -o "
        "nomic.npy\n",
};

static int parse(int argc, char **argv, struct embed_request *request, int *first);
static assay_status check(const struct embed_request *request, int n_paths);
static int download(const struct embed_request *request);
static int name_outputs(struct embed_answer *answer, const char *input);
static assay_status work(struct embed_answer *answer, const char *path);
static assay_status join_turns(struct embed_answer *answer);
static int tell(const struct embed_answer *answer);

int cmd_embed(int argc, char **argv)
{
    struct embed_request request;
    struct embed_answer answer = { .request = &request };
    assay_status status;
    int first, exit_status = parse(argc, argv, &request, &first);

    if (exit_status >= 0) return exit_status;
    if ((status = check(&request, argc - first)) != ASSAY_OK) return cli_failed(status);
    if (request.download) exit_status = download(&request);
    if (exit_status < 0 && argc == first) return EXIT_DONE; /* it was all that was asked for */
    if (exit_status < 0) exit_status = name_outputs(&answer, argv[first]);
    if (exit_status < 0) {
        status = work(&answer, argv[first]);
        cli_progress_done();
        exit_status = status == ASSAY_OK ? tell(&answer) : cli_failed(status);
    }
    assay_embedding_free(answer.made.embedding);
    assay_prompts_free(answer.prompts);
    free(answer.joined);
    free(answer.ids);
    return exit_status;
}

static int parse(int argc, char **argv, struct embed_request *request, int *first)
{
    struct cli_embedder *embedder = &request->embedder;
    const struct cli_option own[] = {
        { "model", 'm', CLI_TEXT, &embedder->model, "NAME|FOLDER",
          "the encoder; with --server, its name there" },
        { "download", 0, CLI_FLAG, &request->download, NULL,
          "bring it from the hub if it is not here" },
        { "server", 0, CLI_TEXT, &embedder->server, "URL",
          "ask this server, as http://localhost:8080/v1" },
        { "long", 0, CLI_CHOICE, &embedder->long_texts, "cut|windows|head-tail",
          "texts longer than the model takes" },
        { "prefix", 0, CLI_TEXT, &embedder->prefix, "TEXT",
          "before every text; E5 wants 'query: '" },
        { "turns", 0, CLI_CHOICE, &request->turns, "concat|mean|weighted|last",
          "how the turns of a prompt become one vector" },
        { "id", 0, CLI_TEXT, &request->id, "NAME", "the column or key of ids" },
        { "text", 0, CLI_TEXT, &request->text, "NAME", "the column or key of texts" },
    };
    const struct cli_option where[] = {
        { "output", 'o', CLI_OUTPUT, &request->output, "FILE.npy",
          "the vectors, a row a prompt; -: standard output" },
        { "ids", 0, CLI_OUTPUT, &request->ids, "FILE.csv", "the ids, not to FILE.ids.csv" },
        { "cache", 0, CLI_TEXT, &embedder->cache, "FOLDER",
          "of models and vectors [$XDG_CACHE_HOME/assay or ~/.cache/assay]" },
        { "no-store", 0, CLI_FLAG, &embedder->no_store, NULL,
          "neither look vectors up nor keep them" },
        { "json", 0, CLI_FLAG, &request->json, NULL, "one JSON object instead of lines" },
        { "threads", 't', CLI_INTEGER, &request->threads, "N",
          "processors to use; the result does not depend on it [all]" },
        { "quiet", 'q', CLI_FLAG, &request->quiet, NULL, "no report and no progress bar" },
    };
    const struct cli_option_table tables[] = {
        { "embed", own, sizeof own / sizeof *own },
        { "where to, and how", where, sizeof where / sizeof *where },
        { NULL, NULL, 0 },
    };
    int exit_status;

    *request = (struct embed_request){ .embedder = { .model = CLI_DEFAULT_MODEL } };
    exit_status = cli_parse(argc, argv, &usage, tables, first);
    embedder->quiet = request->quiet;
    embedder->threads = (int)request->threads;
    return exit_status;
}

static assay_status check(const struct embed_request *request, int n_paths)
{
    if (request->threads < 0 || request->threads > 1024)
        return cli_fail(ASSAY_E_VALUE, "embed: threads is %lld, expected 0 to 1024",
                        (long long)request->threads);
    if (n_paths > 1) return cli_fail(ASSAY_E_VALUE, "embed: %d inputs, expected one", n_paths);
    if (n_paths == 0 && !request->download)
        return cli_fail(ASSAY_E_VALUE,
                        "embed: no input, expected %s (- is standard input); see "
                        "'assay embed --help'",
                        usage.arguments);
    if (n_paths == 0 && request->output)
        return cli_fail(ASSAY_E_VALUE, "embed: -o %s without an input, expected %s",
                        request->output, usage.arguments);
    if (n_paths == 1 && !request->output)
        return cli_fail(ASSAY_E_VALUE, "embed: -o is missing, expected -o VECTORS.npy");
    if (request->output && request->ids && strcmp(request->output, request->ids) == 0)
        return cli_fail(ASSAY_E_VALUE, "embed: -o and --ids are both %s, expected two files",
                        request->ids);
    if (request->output && strcmp(request->output, "-") == 0 && isatty(STDOUT_FILENO))
        return cli_fail(ASSAY_E_VALUE,
                        "embed: vectors are no text for a terminal, expected -o FILE.npy "
                        "or a pipe");
    if (request->embedder.server && request->download)
        return cli_fail(ASSAY_E_VALUE, "embed: --server and --download exclude each other");
    if (request->embedder.server && request->embedder.long_texts != ASSAY_LONG_CUT)
        return cli_fail(ASSAY_E_VALUE,
                        "embed: --long is for encoders that run here: what a server does "
                        "with long texts is its own affair");
    return ASSAY_OK;
}

/* Returns -1 to go on, or an exit status. */
static int download(const struct embed_request *request)
{
    char *folder, safe[400];
    assay_status status = cli_find_model(request->embedder.model, request->embedder.cache, &folder);

    if (status == ASSAY_E_READ) status = cli_download(&request->embedder, &folder);
    cli_progress_done();
    if (status != ASSAY_OK) return cli_failed(status);
    if (!request->quiet)
        fprintf(stderr, "assay: the model is in %s\n",
                assay_printable(safe, sizeof safe, folder, strlen(folder)));
    free(folder);
    return -1;
}

static int refuse_input(const char *option)
{
    return cli_failed(
        cli_fail(ASSAY_E_VALUE, "embed: %s names the input, which would be lost", option));
}

/* The ids as asked for, or beside the vectors: VECTORS.npy has VECTORS.ids.csv. Returns -1 when both can
   be written, or an exit status. */
static int name_outputs(struct embed_answer *answer, const char *input)
{
    static const char ending[] = ".npy", beside[] = ".ids.csv";
    const char *given = answer->request->ids, *output = answer->request->output;
    size_t length = strlen(output), n = sizeof ending - 1;
    int exit_status = cli_output_check(output);

    if (exit_status < 0 && cli_output_is_input(output, input)) return refuse_input("-o");
    if (exit_status >= 0 || (!given && strcmp(output, "-") == 0)) return exit_status;
    if (length > n && strcmp(output + length - n, ending) == 0) length -= n;
    answer->ids = malloc((given ? strlen(given) : length) + sizeof beside);
    if (!answer->ids) return cli_failed(cli_no_memory());
    if (given)
        strcpy(answer->ids, given);
    else
        snprintf(answer->ids, length + sizeof beside, "%.*s%s", (int)length, output, beside);
    if (cli_output_is_input(answer->ids, input)) return refuse_input("--ids");
    return cli_output_check(answer->ids);
}

static assay_status work(struct embed_answer *answer, const char *path)
{
    const struct embed_request *request = answer->request;
    assay_prompts_options options;
    assay_status status;

    assay_prompts_options_init(&options, sizeof options);
    options.id = request->id;
    options.text = request->text;
    options.progress = cli_progress(request->quiet);
    status = assay_prompts_read(path, &options, &answer->prompts);
    if (status == ASSAY_OK)
        status =
            cli_embed(&request->embedder, assay_prompts_turns(answer->prompts),
                      assay_prompts_first_turns(answer->prompts)[assay_prompts_n(answer->prompts)],
                      &answer->made);
    return status == ASSAY_OK ? join_turns(answer) : status;
}

/* Where every prompt has one turn, the model's own numbers; else those of the joined unit vectors. */
static assay_status join_turns(struct embed_answer *answer)
{
    size_t n = assay_prompts_n(answer->prompts);
    assay_vectors *turns = NULL, *prompts = NULL;
    double *row = NULL;
    assay_status status;

    answer->d = assay_embedding_dimensions(answer->made.embedding);
    answer->rows = assay_embedding_rows(answer->made.embedding);
    if (assay_prompts_most_turns(answer->prompts) == 1) return ASSAY_OK;
    status = assay_vectors_from_embedding(answer->made.embedding, &turns);
    if (status == ASSAY_OK)
        status = assay_vectors_join_turns(turns, assay_prompts_first_turns(answer->prompts), n,
                                          (assay_turns)answer->request->turns, &prompts);
    if (status == ASSAY_OK) {
        answer->d = assay_vectors_dimensions(prompts);
        answer->rows = answer->joined = calloc(n, answer->d * sizeof *answer->joined);
        row = calloc(answer->d, sizeof *row);
        if (!answer->joined || !row) status = cli_no_memory();
    }
    for (size_t i = 0; i < n && status == ASSAY_OK; i++) {
        assay_vectors_row(prompts, i, row);
        for (size_t k = 0; k < answer->d; k++) answer->joined[i * answer->d + k] = (float)row[k];
    }
    free(row);
    assay_vectors_free(turns);
    assay_vectors_free(prompts);
    return status;
}

/* The vectors, the ids, then what there is to say: on standard error where that is taken. */
static int tell(const struct embed_answer *answer)
{
    const struct embed_request *request = answer->request;
    int to_stdout = strcmp(request->output, "-") == 0;
    int exit_status = cli_output(request->output, print_embed_npy, answer);

    if (exit_status < 0 && answer->ids)
        exit_status = cli_output(answer->ids, print_embed_ids, answer);
    if (exit_status >= 0) return exit_status;
    if (request->json)
        print_embed_json(to_stdout ? stderr : stdout, answer);
    else if (!request->quiet)
        print_embed(to_stdout ? stderr : stdout, answer);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "assay: standard output cannot be written: %s\n", strerror(errno));
        return EXIT_SYSTEM;
    }
    return EXIT_DONE;
}
