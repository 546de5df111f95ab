/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/page.h"

#include "core/error.h"
#include "core/memory.h"
#include "report/page_files.h"

#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>

enum { DIGEST_TEXT_SIZE = 4 * ((SHA256_DIGEST_LENGTH + 2) / 3) + 1 };

static char *join_scripts(size_t *length);
static void digest_text(const char *script, size_t length, char out[DIGEST_TEXT_SIZE]);
static void write_head(FILE *to, const char *charts_digest, const char *script_digest);
static void write_data(FILE *to, const char *json, size_t length);
static void write_script(FILE *to, const char *script, size_t length);

assay_status assay_page_write(const assay_output *output, const char *json, size_t length)
{
    const char *charts = assay_page_charts.start;
    size_t charts_length = (size_t)(assay_page_charts.end - charts), script_length;
    char charts_digest[DIGEST_TEXT_SIZE], script_digest[DIGEST_TEXT_SIZE];
    char *script = join_scripts(&script_length);

    if (!script) return assay_fail(ASSAY_E_NOMEM, "no memory for the page's scripts");
    digest_text(charts, charts_length, charts_digest);
    digest_text(script, script_length, script_digest);
    write_head(output->to, charts_digest, script_digest);
    write_data(output->to, json, length);
    write_script(output->to, charts, charts_length);
    write_script(output->to, script, script_length);
    fputs("</body>\n</html>\n", output->to);
    free(script);
    if (ferror(output->to))
        return assay_fail(ASSAY_E_WRITE, "%s: cannot be written",
                          output->path ? output->path : "the report");
    return ASSAY_OK;
}

/* One script, so that its files share a scope and none is visible elsewhere. */
static char *join_scripts(size_t *length)
{
    static const char opening[] = "\"use strict\";\n{\n", closing[] = "}\n";
    size_t n = sizeof opening + sizeof closing;
    char *script, *end;

    for (size_t k = 0; k < ASSAY_PAGE_N_SCRIPTS; k++)
        n += (size_t)(assay_page_scripts[k].end - assay_page_scripts[k].start);
    if (!(script = assay_alloc(n, 1))) return NULL;
    memcpy(script, opening, sizeof opening - 1);
    end = script + sizeof opening - 1;
    for (size_t k = 0; k < ASSAY_PAGE_N_SCRIPTS; k++) {
        size_t size = (size_t)(assay_page_scripts[k].end - assay_page_scripts[k].start);

        memcpy(end, assay_page_scripts[k].start, size);
        end += size;
    }
    memcpy(end, closing, sizeof closing);
    *length = (size_t)(end - script) + sizeof closing - 1;
    return script;
}

static void digest_text(const char *script, size_t length, char out[DIGEST_TEXT_SIZE])
{
    unsigned char digest[SHA256_DIGEST_LENGTH];

    SHA256((const unsigned char *)script, length, digest);
    EVP_EncodeBlock((unsigned char *)out, digest, sizeof digest);
}

static void write_head(FILE *to, const char *charts_digest, const char *script_digest)
{
    fprintf(to,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "script-src 'sha256-%s' 'sha256-%s'; style-src 'unsafe-inline'; img-src data: blob:; "
            "base-uri 'none'; form-action 'none'\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta name=\"generator\" content=\"assay\">\n<title>assay audit</title>\n<style>\n",
            charts_digest, script_digest);
    fwrite(assay_page_style.start, 1, (size_t)(assay_page_style.end - assay_page_style.start), to);
    fputs("</style>\n</head>\n<body>\n<noscript><p>This report draws itself by a script, which is "
          "not allowed here. Its numbers are in the output of assay audit --json.</p></noscript>\n",
          to);
}

/* In JSON a '<' stands in strings alone, where an escape says the same: so no "</script" and no
   "<!--" can end or change the element. */
static void write_data(FILE *to, const char *json, size_t length)
{
    const char *at = json, *end = json + length;

    fputs("<script type=\"application/json\" id=\"audit\">", to);
    while (at < end) {
        const char *bracket = memchr(at, '<', (size_t)(end - at));
        size_t n = (size_t)((bracket ? bracket : end) - at);

        fwrite(at, 1, n, to);
        at += n;
        if (bracket) {
            fputs("\\u003c", to);
            at++;
        }
    }
    fputs("</script>\n", to);
}

static void write_script(FILE *to, const char *script, size_t length)
{
    fputs("<script>", to);
    fwrite(script, 1, length, to);
    fputs("</script>\n", to);
}
