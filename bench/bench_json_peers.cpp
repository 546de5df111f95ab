// SPDX-License-Identifier: Apache-2.0
// The work of bench_json by json-c and by simdjson: the whole file is in memory before the clock
// starts, and every line becomes a tree.
//
// bench_json_peers FILE.jsonl      MB/s, best of 5
#include <json-c/json.h>
#include <simdjson.h>

#include <cstdio>
#include <cstring>
#include <ctime>

static double with_json_c(const simdjson::padded_string &text, double *sum)
{
    json_tokener *tokener = json_tokener_new();
    const char *at = text.data(), *end = at + text.size();

    while (at < end) {
        const void *found = memchr(at, '\n', static_cast<size_t>(end - at));
        const char *line_end = found ? static_cast<const char *>(found) : end;
        json_object *row = json_tokener_parse_ex(tokener, at, static_cast<int>(line_end - at));
        json_object *score = nullptr, *hash = nullptr;
        if (row && json_object_object_get_ex(row, "exact_match", &score) &&
            json_object_object_get_ex(row, "doc_hash", &hash))
            *sum += json_object_get_double(score);
        json_object_put(row);
        json_tokener_reset(tokener);
        at = line_end + 1;
    }
    json_tokener_free(tokener);
    return *sum;
}

static double with_simdjson_tree(const simdjson::padded_string &text, double *sum)
{
    simdjson::dom::parser parser;
    simdjson::dom::document_stream rows;

    if (parser.parse_many(text).get(rows)) return 0;
    for (auto row : rows) {
        double score;
        std::string_view hash;
        if (!row["exact_match"].get(score) && !row["doc_hash"].get(hash)) *sum += score;
    }
    return *sum;
}

static double with_simdjson_on_demand(const simdjson::padded_string &text, double *sum)
{
    simdjson::ondemand::parser parser;
    simdjson::ondemand::document_stream rows;

    if (parser.iterate_many(text).get(rows)) return 0;
    for (auto row : rows) {
        double score;
        std::string_view hash;
        if (!row["doc_hash"].get(hash) && !row["exact_match"].get(score)) *sum += score;
    }
    return *sum;
}

static void measure(const char *name, double (*read)(const simdjson::padded_string &, double *),
                    const simdjson::padded_string &text)
{
    double best = 0, sum = 0;

    for (int run = 0; run < 5; run++) {
        std::clock_t start = std::clock();
        sum = 0;
        read(text, &sum);
        double took = double(std::clock() - start) / CLOCKS_PER_SEC;
        double speed = static_cast<double>(text.size()) / 1e6 / took;
        if (speed > best) best = speed;
    }
    std::printf("%s (sum of scores %.0f): %.0f MB/s, best of 5\n", name, sum, best);
}

int main(int argc, char **argv)
{
    simdjson::padded_string text;

    if (argc != 2 || simdjson::padded_string::load(argv[1]).get(text)) {
        std::fprintf(stderr, "usage: bench_json_peers FILE.jsonl\n");
        return 1;
    }
    measure("json-c", with_json_c, text);
    measure("simdjson, tree", with_simdjson_tree, text);
    measure("simdjson, on demand", with_simdjson_on_demand, text);
    return 0;
}
