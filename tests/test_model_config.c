/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/base.h"
#include "embed/config.h"
#include "failing_memory.h"

#include "tiny_bert.h"

#define MAIN_MODULE "{\"path\":\"\",\"type\":\"sentence_transformers.models.Transformer\"}"
#define BERT(more)                                                          \
    "{\"model_type\":\"bert\",\"num_hidden_layers\":2,\"hidden_size\":32,"  \
    "\"num_attention_heads\":4,\"intermediate_size\":48,\"vocab_size\":20," \
    "\"max_position_embeddings\":24" more "}"

/* The files of a folder; NULL is not there. */
typedef struct files {
    const char *config, *modules, *pooling, *length, *tokenizer;
} files;

static void write_files(tiny_folder *folder, files f)
{
    tiny_make(folder);
    if (f.config) tiny_write(folder, "config.json", f.config);
    if (f.modules) tiny_write(folder, "modules.json", f.modules);
    if (f.length) tiny_write(folder, "sentence_bert_config.json", f.length);
    if (f.tokenizer) tiny_write(folder, "tokenizer_config.json", f.tokenizer);
    if (!f.pooling) return;
    tiny_make_folder(folder, "1_Pooling");
    tiny_write(folder, "1_Pooling/config.json", f.pooling);
}

static assay_model_config read_ok(files f)
{
    assay_model_config config;
    tiny_folder folder;
    assay_status status;

    write_files(&folder, f);
    status = assay_model_config_read(folder.path, &config);
    tiny_remove(&folder);
    if (status != ASSAY_OK) fail_msg("%s", assay_last_error());
    return config;
}

/* The sentence is FOLDER/ and this. */
static void refused(files f, assay_status expected, const char *sentence)
{
    assay_model_config config;
    tiny_folder folder;
    assay_status status;
    char whole[512];

    write_files(&folder, f);
    status = assay_model_config_read(folder.path, &config);
    snprintf(whole, sizeof whole, "%s/%s", folder.path, sentence);
    tiny_remove(&folder);
    assert_int_equal(status, expected);
    assert_string_equal(assay_last_error(), whole);
}

/* ---- what is understood ---- */

static void test_a_bare_bert(void **state)
{
    const assay_model_config c = read_ok((files){ .config = BERT(",\"layer_norm_eps\":1e-5") });

    (void)state;
    assert_true(c.kind == ASSAY_MODEL_BERT && c.pooling == ASSAY_POOLING_MEAN && !c.normalise);
    assert_int_equal(c.bert.n_layers, 2);
    assert_int_equal(c.bert.width, 32);
    assert_int_equal(c.bert.n_heads, 4);
    assert_int_equal(c.bert.inner, 48);
    assert_int_equal(c.bert.n_vocabulary, 20);
    assert_int_equal(c.bert.n_positions, 24);
    assert_int_equal(c.bert.n_types, 2);
    assert_int_equal(c.max_tokens, 24);
    assert_true(c.bert.epsilon == 1e-5f);
    assert_string_equal(c.weights, "");
}

static void test_members_that_are_null_are_not_there(void **state)
{
    const assay_model_config c =
        read_ok((files){ .config = BERT(",\"hidden_act\":null,\"position_embedding_type\":null"),
                         .length = "{\"max_seq_length\":null,\"do_lower_case\":false}" });

    (void)state;
    assert_true(c.bert.epsilon == 1e-12f && c.max_tokens == 24);
}

static void test_ways_of_pooling(void **state)
{
    static const struct {
        const char *text;
        assay_pooling pooling;
    } known[] = {
        { TINY_MEAN, ASSAY_POOLING_MEAN },
        { TINY_CLS_FLAG, ASSAY_POOLING_CLS },
        { TINY_CLS_NAME, ASSAY_POOLING_CLS },
        { "{\"pooling_mode\":\"mean\"}", ASSAY_POOLING_MEAN },
        { "{\"pooling_mode_cls_token\":true,\"pooling_mode_mean_tokens\":false,"
          "\"pooling_mode_max_tokens\":false,\"pooling_mode_lasttoken\":false}",
          ASSAY_POOLING_CLS },
    };

    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const assay_model_config c = read_ok(
            (files){ .config = BERT(""), .modules = TINY_MODULES(""), .pooling = known[k].text });

        assert_int_equal(c.pooling, known[k].pooling);
        assert_int_equal(c.normalise, 0);
    }
}

static void test_normalising_is_a_module(void **state)
{
    const assay_model_config c = read_ok((files){
        .config = BERT(""), .modules = TINY_MODULES(TINY_NORMALISE), .pooling = TINY_MEAN });

    (void)state;
    assert_int_equal(c.normalise, 1);
}

static size_t length_of(const char *length, const char *tokenizer)
{
    return read_ok((files){ .config = BERT(""), .length = length, .tokenizer = tokenizer })
        .max_tokens;
}

static void test_how_long_a_text_may_be(void **state)
{
    (void)state;
    assert_int_equal(length_of(NULL, NULL), 24);
    assert_int_equal(length_of("{\"max_seq_length\":12}", NULL), 12);
    assert_int_equal(length_of("{\"max_seq_length\":512}", NULL), 24);
    assert_int_equal(length_of("{}", "{\"model_max_length\":16}"), 16);
    assert_int_equal(length_of(NULL, "{\"model_max_length\":16}"), 16);
    assert_int_equal(length_of("{\"max_seq_length\":20}", "{\"model_max_length\":16}"), 20);
    assert_int_equal(length_of(NULL, "{\"model_max_length\":1000000000000000019884624838656}"), 24);
    assert_int_equal(length_of("{\"max_seq_length\":3.9}", NULL), 3);
    assert_int_equal(length_of("{\"max_seq_length\":NaN}", NULL), 24);
}

static void test_weights_in_a_folder_of_their_own(void **state)
{
    tiny_folder folder;
    assay_model_config c;

    (void)state;
    tiny_make(&folder);
    tiny_write(&folder, "modules.json", "[{\"path\":\"0_Transformer\",\"type\":\"Transformer\"}]");
    tiny_make_folder(&folder, "0_Transformer");
    tiny_write(&folder, "0_Transformer/config.json", BERT(""));
    tiny_write(&folder, "0_Transformer/sentence_bert_config.json", "{\"max_seq_length\":9}");
    assert_int_equal(assay_model_config_read(folder.path, &c), ASSAY_OK);
    tiny_remove(&folder);
    assert_string_equal(c.weights, "0_Transformer");
    assert_int_equal(c.max_tokens, 9);
}

/* ---- what is refused ---- */

static void test_kinds_that_are_not_run_are_named(void **state)
{
    static const char *const kinds[] = { "distilbert", "roberta", "nomic_bert", "t5", "mpnet" };

    (void)state;
    for (size_t k = 0; k < 5; k++) {
        char config[100], sentence[200];

        snprintf(config, sizeof config, "{\"model_type\":\"%s\",\"hidden_size\":32}", kinds[k]);
        snprintf(sentence, sizeof sentence,
                 "config.json: a model of type \"%s\", expected bert or model2vec", kinds[k]);
        refused((files){ .config = config }, ASSAY_E_FORMAT, sentence);
    }
    refused((files){ .config = "{}" }, ASSAY_E_FORMAT,
            "config.json: a model of type \"\", expected bert or model2vec");
}

static void test_activations_and_positions_are_named(void **state)
{
    (void)state;
    refused((files){ .config = BERT(",\"hidden_act\":\"relu\"") }, ASSAY_E_FORMAT,
            "config.json: hidden_act is \"relu\", expected gelu");
    refused((files){ .config = BERT(",\"position_embedding_type\":\"relative_key\"") },
            ASSAY_E_FORMAT,
            "config.json: position_embedding_type is \"relative_key\", expected absolute");
}

static void test_sizes_that_are_not_those_of_a_bert(void **state)
{
    static const struct {
        const char *text, *sizes;
    } wrong[] = {
        { BERT(",\"num_hidden_layers\":0"), "0 layers of width 32, 4 heads, inner width 48, 20" },
        { BERT(",\"num_hidden_layers\":1e6"),
          "1e+06 layers of width 32, 4 heads, inner width 48, 20" },
        { BERT(",\"hidden_size\":33"), "2 layers of width 33, 4 heads, inner width 48, 20" },
        { BERT(",\"hidden_size\":NaN"), "2 layers of width nan, 4 heads, inner width 48, 20" },
        { BERT(",\"hidden_size\":1e18"), "2 layers of width 1e+18, 4 heads, inner width 48, 20" },
        { BERT(",\"num_attention_heads\":64"),
          "2 layers of width 32, 64 heads, inner width 48, 20" },
        { BERT(",\"intermediate_size\":2.5"),
          "2 layers of width 32, 4 heads, inner width 2.5, 20" },
        { BERT(",\"vocab_size\":-1"), "2 layers of width 32, 4 heads, inner width 48, -1" },
        { BERT(",\"type_vocab_size\":0"), "2 layers of width 32, 4 heads, inner width 48, 20" },
        { BERT(",\"layer_norm_eps\":-1"), "2 layers of width 32, 4 heads, inner width 48, 20" },
    };

    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char sentence[300];

        snprintf(sentence, sizeof sentence,
                 "config.json: the sizes are not those of a BERT: %s tokens, 24 positions",
                 wrong[k].sizes);
        refused((files){ .config = wrong[k].text }, ASSAY_E_FORMAT, sentence);
    }
    refused((files){ .config = BERT(",\"max_position_embeddings\":2") }, ASSAY_E_FORMAT,
            "config.json: the sizes are not those of a BERT: 2 layers of width 32, 4 heads, inner "
            "width 48, 20 tokens, 2 positions");
}

static void test_modules_that_are_not_run_are_named(void **state)
{
#define MODULE(type, path) "[{\"type\":\"" type "\",\"path\":\"" path "\"}]"
    (void)state;
    refused((files){ .modules = MODULE("sentence_transformers.models.Dense", "2_Dense") },
            ASSAY_E_FORMAT,
            "modules.json: a module of type \"sentence_transformers.models.Dense\", expected "
            "Transformer, StaticEmbedding, Pooling or Normalize");
    refused((files){ .modules = "[{}]" }, ASSAY_E_FORMAT,
            "modules.json: a module of type \"\", expected Transformer, StaticEmbedding, Pooling "
            "or Normalize");
}

static void test_modules_stay_within_the_folder(void **state)
{
    static const char *const paths[] = { "../x", "/etc", "a/../../b", ".." };

    (void)state;
    for (size_t k = 0; k < 4; k++) {
        char modules[100], sentence[200];

        snprintf(modules, sizeof modules, "[{\"type\":\"Transformer\",\"path\":\"%s\"}]", paths[k]);
        snprintf(sentence, sizeof sentence,
                 "modules.json: a module is at \"%s\", expected a folder within the model's",
                 paths[k]);
        refused((files){ .modules = modules }, ASSAY_E_FORMAT, sentence);
    }
}

static void test_ways_of_pooling_that_are_not_run(void **state)
{
    static const char *const ways[] = {
        "{\"pooling_mode_max_tokens\":true}",
        "{\"pooling_mode_mean_tokens\":true,\"pooling_mode_max_tokens\":true}",
        "{\"pooling_mode_mean_tokens\":true,\"pooling_mode_cls_token\":true}",
        "{\"pooling_mode_mean_sqrt_len_tokens\":true,\"pooling_mode_mean_tokens\":false}",
        "{\"pooling_mode_weightedmean_tokens\":true,\"pooling_mode_mean_tokens\":false}",
        "{\"pooling_mode_lasttoken\":true,\"pooling_mode_mean_tokens\":false}",
        "{\"pooling_mode\":\"max\"}",
        "{\"pooling_mode\":\"lasttoken\"}",
        "{\"pooling_mode_mean_tokens\":true,\"include_prompt\":false}",
        "{\"pooling_mode_mean_tokens\":false}",
    };

    (void)state;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        refused((files){ .config = BERT(""), .modules = TINY_MODULES(""), .pooling = ways[k] },
                ASSAY_E_FORMAT,
                "1_Pooling/config.json: a way of pooling that is not run here, expected the mean "
                "of all tokens or [CLS] alone");
}

static void test_lengths_without_room_for_a_token(void **state)
{
    (void)state;
    refused((files){ .config = BERT(""), .length = "{\"max_seq_length\":2}" }, ASSAY_E_FORMAT,
            "sentence_bert_config.json: max_seq_length leaves no room for a token beside [CLS] and "
            "[SEP]");
}

static void test_files_that_are_missing(void **state)
{
    assay_model_config config;

    (void)state;
    refused((files){ 0 }, ASSAY_E_READ, "config.json: cannot be read: No such file or directory");
    refused((files){ .config = BERT(""), .modules = TINY_MODULES("") }, ASSAY_E_READ,
            "1_Pooling/config.json: cannot be read: No such file or directory");
    assert_int_equal(assay_model_config_read("no_such_folder", &config), ASSAY_E_READ);
}

static void test_files_that_are_malformed(void **state)
{
    (void)state;
    refused((files){ .config = "[]" }, ASSAY_E_FORMAT,
            "config.json:1: \"settings\" is something else, expected an object");
    refused((files){ .config = "" }, ASSAY_E_FORMAT,
            "config.json:1: \"settings\" is something else, expected an object");
    refused((files){ .config = "{} {}" }, ASSAY_E_FORMAT,
            "config.json:1: the file goes on behind its object, expected its end");
    refused((files){ .modules = "{}" }, ASSAY_E_FORMAT,
            "modules.json:1: \"settings\" is something else, expected an array");
    refused((files){ .modules = "[" MAIN_MODULE "][]" }, ASSAY_E_FORMAT,
            "modules.json:1: the file goes on behind its object, expected its end");
    refused((files){ .modules = "[3]" }, ASSAY_E_FORMAT,
            "modules.json:1: \"settings\" is something else, expected an array of objects");
    refused((files){ .config = "{\"model_type\":\n3}" }, ASSAY_E_FORMAT,
            "config.json:2: \"model_type\" is something else, expected text");
    refused((files){ .config = BERT(",\"hidden_size\":\"32\"") }, ASSAY_E_FORMAT,
            "config.json:1: \"hidden_size\" is something else, expected a number");
    refused((files){ .config = "{\"normalize\":1}" }, ASSAY_E_FORMAT,
            "config.json:1: \"normalize\" is something else, expected true or false");
}

static void test_folders_with_a_name_that_is_too_long(void **state)
{
    static char name[5000];
    assay_model_config config;

    (void)state;
    memset(name, 'x', sizeof name - 1);
    assert_int_equal(assay_model_config_read(name, &config), ASSAY_E_READ);
    assert_non_null(strstr(assay_last_error(), "xxx...: the path is too long"));
}

static assay_status read_folder(void *context)
{
    assay_model_config config;

    return assay_model_config_read(context, &config);
}

static void test_every_allocation_may_fail(void **state)
{
    tiny_folder folder;

    (void)state;
    write_files(&folder, (files){ BERT(""), TINY_MODULES(TINY_NORMALISE), TINY_MEAN,
                                  "{\"max_seq_length\":9}", "{\"model_max_length\":9}" });
    assert_true(fail_every_allocation(read_folder, folder.path) > 5);
    tiny_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_bare_bert),
        cmocka_unit_test(test_members_that_are_null_are_not_there),
        cmocka_unit_test(test_ways_of_pooling),
        cmocka_unit_test(test_normalising_is_a_module),
        cmocka_unit_test(test_how_long_a_text_may_be),
        cmocka_unit_test(test_weights_in_a_folder_of_their_own),
        cmocka_unit_test(test_kinds_that_are_not_run_are_named),
        cmocka_unit_test(test_activations_and_positions_are_named),
        cmocka_unit_test(test_sizes_that_are_not_those_of_a_bert),
        cmocka_unit_test(test_modules_that_are_not_run_are_named),
        cmocka_unit_test(test_modules_stay_within_the_folder),
        cmocka_unit_test(test_ways_of_pooling_that_are_not_run),
        cmocka_unit_test(test_lengths_without_room_for_a_token),
        cmocka_unit_test(test_files_that_are_missing),
        cmocka_unit_test(test_files_that_are_malformed),
        cmocka_unit_test(test_folders_with_a_name_that_is_too_long),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
