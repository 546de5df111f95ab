/* SPDX-License-Identifier: Apache-2.0 */
/* TF-IDF as `--embed` names it: "tfidf", or "tfidf:" and choices joined by "+". */
#include "score_embed.h"
#include "session.h"

#include <string.h>

static const char prefix[] = "tfidf";

static const struct {
    const char *name;
    assay_tfidf_options set; /* what it sets, 0 elsewhere */
} choices[] = {
    { "char", { .analyser = ASSAY_ANALYSER_CHAR_WB } },
    { "stop", { .stop_words = ASSAY_STOP_WORDS_ENGLISH } },
    { "sublinear", { .sublinear = 1 } },
};

int score_is_tfidf(const char *embed)
{
    size_t n = sizeof prefix - 1;

    return strncmp(embed, prefix, n) == 0 && (embed[n] == '\0' || embed[n] == ':');
}

static int add(const char *name, size_t length, assay_tfidf_options *options)
{
    for (size_t c = 0; c < sizeof choices / sizeof *choices; c++) {
        if (strlen(choices[c].name) != length || memcmp(choices[c].name, name, length) != 0)
            continue;
        if (choices[c].set.analyser) options->analyser = choices[c].set.analyser;
        if (choices[c].set.stop_words) options->stop_words = choices[c].set.stop_words;
        if (choices[c].set.sublinear) options->sublinear = 1;
        return 1;
    }
    return 0;
}

assay_status score_tfidf_options(const char *embed, assay_tfidf_options *options)
{
    const char *rest = embed + sizeof prefix - 1;

    assay_tfidf_options_init(options, sizeof *options);
    while (*rest) {
        size_t length = strcspn(++rest, "+");

        if (!add(rest, length, options))
            return cli_fail(
                ASSAY_E_VALUE,
                "score: an embedding is %s, expected tfidf: with char, stop or sublinear, "
                "joined by +",
                embed);
        rest += length;
    }
    return assay_tfidf_options_check(options);
}
