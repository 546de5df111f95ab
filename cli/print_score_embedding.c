/* SPDX-License-Identifier: Apache-2.0 */
/* What the answer of `assay score` says of the vectors that prompts are compared by. */
#include "embedder.h"
#include "print_score.h"
#include "session.h"

#include <assay/embed.h>
#include <math.h>
#include <string.h>

void print_score_embedding(FILE *to, const struct score_answer *answer)
{
    static const char *const fate[] = {
        [ASSAY_LONG_CUT] = "cut: what differs after that is not seen (:windows sees all)",
        [ASSAY_LONG_WINDOWS] = "averaged over windows",
        [ASSAY_LONG_HEAD_TAIL] = "seen at head and tail alone",
    };
    const struct score_embedded *by = &answer->embedded;

    if (answer->request->embed_by_default && score_is_tfidf(answer->request->embed))
        fputs("compared word by word: no sentence encoder is at hand, which \"assay embed "
              "--download\" would bring\n",
              to);
    if (by->n_unknown > 0)
        fprintf(
            to,
            "%zu text%s mostly of what the encoder does not know (another script, say), and look "
            "alike to it: see --embed tfidf\n",
            by->n_unknown, by->n_unknown == 1 ? " is" : "s are");
    if (by->n_truncated > 0)
        fprintf(to, "%zu prompt%s longer than the encoder's %zu tokens, and %s\n", by->n_truncated,
                by->n_truncated == 1 ? " is" : "s are", by->max_tokens, fate[by->long_texts]);
}

static void text(assay_json *json, const char *key, const char *value)
{
    assay_json_key(json, key);
    assay_json_text(json, value);
}

static void json_encoder(assay_json *json, const struct score_embedded *by)
{
    if (!*by->kind) {
        cli_json_estimate(json, "encoder", NAN, "the vectors are not an encoder's, or were given");
        return;
    }
    assay_json_key(json, "encoder");
    assay_json_begin_object(json);
    text(json, "kind", by->kind);
    if (*by->sha256)
        text(json, "sha256", by->sha256);
    else
        cli_json_estimate(json, "sha256", NAN, "a server does not tell");
    cli_json_estimate(json, "max_tokens", by->max_tokens ? (double)by->max_tokens : NAN,
                      "no limit, or not known");
    if (*by->sha256)
        text(json, "long", cli_long_name(by->long_texts));
    else
        cli_json_estimate(json, "long", NAN, "the server's own affair");
    assay_json_end_object(json);
}

void print_score_embedding_json(assay_json *json, const struct score_answer *answer)
{
    char shown[CLI_URL_SIZE];

    text(json, "embedding", cli_url_shown(answer->request->embed, shown));
    assay_json_key(json, "embedding_by_default");
    assay_json_bool(json, answer->request->embed_by_default);
    json_encoder(json, &answer->embedded);
}

void print_score_truncated_json(assay_json *json, const struct score_answer *answer)
{
    const struct score_embedded *by = &answer->embedded;
    int is_known = score_is_tfidf(answer->request->embed) || *by->sha256;

    cli_json_estimate(
        json, "unknown", is_known ? (double)by->n_unknown : NAN,
        "the vectors were made elsewhere, perhaps by a model that does not know the words");
    cli_json_estimate(json, "truncated", is_known ? (double)by->n_truncated : NAN,
                      "the vectors were made elsewhere, perhaps of truncated texts");
}
