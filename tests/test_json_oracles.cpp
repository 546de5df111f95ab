// SPDX-License-Identifier: Apache-2.0
// The JSON pull reader against json-c and simdjson. Each one's view of a document is written as the
// same words: brackets, quoted strings, and numbers as the double they are.
extern "C" {
#include "read/json.h"
}
#include "json_documents.hpp"
#include "json_strict.hpp"

#include <json-c/json.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

extern "C" {
#include <cmocka.h> // last: it makes fail() a macro
}

namespace
{

// ---- three views of a document ----

void write_text(std::string &to, char mark, const char *text, size_t length)
{
    to += mark;
    to += std::to_string(length) + ":";
    to.append(text, length);
}

// json-c and simdjson give whole numbers as integers, where -0 has no sign; tests/test_json.c
// checks ours.
void write_number(std::string &to, double value)
{
    char text[64];
    std::snprintf(text, sizeof text, "%a", std::isnan(value) ? std::fabs(value) : value + 0.0);
    to += text;
    to += ' ';
}

struct source {
    const char *text;
    size_t length, chunk;
};

assay_status from_text(void *user, char *buffer, size_t size, size_t *got)
{
    auto *from = static_cast<source *>(user);
    *got = std::min({ size, from->length, from->chunk });
    std::memcpy(buffer, from->text, *got);
    from->text += *got;
    from->length -= *got;
    return ASSAY_OK;
}

struct view {
    bool taken;
    std::string words;
};

view view_of_assay(const std::string &text)
{
    static const char *const marks[] = { "", "{", "}", "[", "]", "", "", "", "T ", "F ", "N " };
    source from = { text.data(), text.size(), 1 + text.size() / 3 };
    view out = { false, "" };
    assay_json_reader *reader;

    if (assay_json_open("f", from_text, &from, &reader) != ASSAY_OK) return out;
    for (;;) {
        assay_json_event event;
        const char *token;
        size_t length;
        double number;
        assay_status status = assay_json_next(reader, &event, &token, &length, &number);
        if (status != ASSAY_OK) assert_int_equal(status, ASSAY_E_FORMAT);
        out.taken = status == ASSAY_OK && event == ASSAY_JSON_END;
        if (status != ASSAY_OK || event == ASSAY_JSON_END) break;
        out.words += marks[event];
        if (event == ASSAY_JSON_KEY) write_text(out.words, 'K', token, length);
        if (event == ASSAY_JSON_STRING) write_text(out.words, 'S', token, length);
        if (event == ASSAY_JSON_NUMBER) write_number(out.words, number);
    }
    assay_json_close(reader);
    return out;
}

void walk_simdjson(std::string &to, simdjson::dom::element element)
{
    using simdjson::dom::element_type;

    switch (element.type()) {
    case element_type::OBJECT:
        to += '{';
        for (auto field : simdjson::dom::object(element)) {
            write_text(to, 'K', field.key.data(), field.key.size());
            walk_simdjson(to, field.value);
        }
        to += '}';
        break;
    case element_type::ARRAY:
        to += '[';
        for (auto item : simdjson::dom::array(element)) walk_simdjson(to, item);
        to += ']';
        break;
    case element_type::STRING: {
        std::string_view text = element;
        write_text(to, 'S', text.data(), text.size());
        break;
    }
    case element_type::INT64: write_number(to, static_cast<double>(int64_t(element))); break;
    case element_type::UINT64: write_number(to, static_cast<double>(uint64_t(element))); break;
    case element_type::DOUBLE: write_number(to, double(element)); break;
    case element_type::BOOL: to += bool(element) ? "T " : "F "; break;
    case element_type::NULL_VALUE: to += "N "; break;
    }
}

view view_of_simdjson(const std::string &text)
{
    static simdjson::dom::parser parser;
    simdjson::dom::element element;
    view out = { parser.parse(text).get(element) == simdjson::SUCCESS, "" };

    if (out.taken) walk_simdjson(out.words, element);
    return out;
}

void walk_json_c(std::string &to, json_object *value)
{
    switch (json_object_get_type(value)) {
    case json_type_object: {
        to += '{';
        json_object_object_foreach(value, key, member)
        {
            write_text(to, 'K', key, std::strlen(key));
            walk_json_c(to, member);
        }
        to += '}';
        break;
    }
    case json_type_array:
        to += '[';
        for (size_t i = 0; i < json_object_array_length(value); i++)
            walk_json_c(to, json_object_array_get_idx(value, i));
        to += ']';
        break;
    case json_type_string:
        write_text(to, 'S', json_object_get_string(value),
                   static_cast<size_t>(json_object_get_string_len(value)));
        break;
    case json_type_int:
    case json_type_double: write_number(to, json_object_get_double(value)); break;
    case json_type_boolean: to += json_object_get_boolean(value) ? "T " : "F "; break;
    case json_type_null: to += "N "; break;
    }
}

view view_of_json_c(const std::string &text)
{
    json_tokener *tokener = json_tokener_new_ex(1100);
    view out = { false, "" };

    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    // The NUL at the end of the text is what tells json-c that a number there is whole.
    json_object *value =
        json_tokener_parse_ex(tokener, text.c_str(), static_cast<int>(text.size() + 1));
    out.taken = json_tokener_get_error(tokener) == json_tokener_success;
    if (out.taken) walk_json_c(out.words, value);
    json_object_put(value);
    json_tokener_free(tokener);
    return out;
}

void assert_same(const char *who, const view &theirs, const view &ours, const std::string &text)
{
    if (!ours.taken) fail_msg("%s takes it, assay not: %s", who, text.c_str());
    if (ours.words != theirs.words)
        fail_msg("%s: %s\nassay: %s\nfor %s", who, theirs.words.c_str(), ours.words.c_str(),
                 text.c_str());
}

// ---- the tests ----

void valid_documents_are_the_same_to_all_three(void **)
{
    writer from = start(0, false);

    for (int turn = 0; turn < 5000; turn++) {
        new_document(from);
        view ours = view_of_assay(from.text), simd = view_of_simdjson(from.text);
        view json_c = view_of_json_c(from.text);
        assert_true(simd.taken);
        assert_true(json_c.taken);
        assert_same("simdjson", simd, ours, from.text);
        assert_same("json-c", json_c, ours, from.text);
    }
}

// simdjson decides: json-c, even when strict, takes "00" and "1.", and cuts keys at an escaped NUL.
void what_simdjson_takes_of_broken_documents_we_take_too(void **)
{
    writer from = start(1, false);
    int n_taken = 0, n_refused = 0;

    for (int turn = 0; turn < 30000; turn++) {
        new_document(from, turn % 10);
        for (uint64_t n = 1 + from.below(2); n > 0; n--) mutate(from);
        view ours = view_of_assay(from.text), simd = view_of_simdjson(from.text);
        n_taken += simd.taken;
        n_refused += !ours.taken;
        if (!simd.taken) continue;
        assert_same("simdjson", simd, ours, from.text);
        view json_c = view_of_json_c(from.text);
        bool has_nul = from.text.find("\\u0000") != std::string::npos;
        if (json_c.taken && !has_nul) assert_same("json-c", json_c, ours, from.text);
    }
    assert_true(n_taken > 3000 && n_refused > 3000); // both sides are tested
}

void we_take_what_is_json_but_for_the_listed_tolerances(void **)
{
    writer from = start(3, true);
    int n_taken = 0, n_refused = 0;

    for (int turn = 0; turn < 40000; turn++) {
        std::string text;
        for (uint64_t n = from.below(4); n > 0; n--) {
            new_document(from, turn % 10);
            text += from.text;
        }
        from.text = text;
        for (uint64_t n = from.below(3); n > 0; n--) mutate(from);
        std::string strict = rewrite(from.text);
        bool ours = view_of_assay(from.text).taken, theirs = view_of_simdjson(strict).taken;
        if (ours != theirs)
            fail_msg("assay %s, simdjson %s\n%s\nrewritten %s", ours ? "takes" : "refuses",
                     theirs ? "takes" : "refuses", from.text.c_str(), strict.c_str());
        n_taken += ours;
        n_refused += !ours;
    }
    assert_true(n_taken > 10000 && n_refused > 10000);
}

// Each fault is put among members that are right.
void faults_that_are_no_tolerance_are_refused(void **)
{
    static const char *const faults[] = {
        "{\"a\" 1}",  "{\"a\":1,}",  "[1,]",        "[,]",       "[1 2]",      "{\"a\":1 \"b\":2}",
        "{a:1}",      "{'a':1}",     "{\"a\"}",     "{1:1}",     "[tru]",      "[True]",
        "[nulll]",    "[undefined]", "[01]",        "[-01]",     "[1.]",       "[.5]",
        "[+1]",       "[1e]",        "[0x1]",       "[-]",       "[--1]",      "[1e+-1]",
        "[\"a\"b\"]", "[\"\\x41\"]", "[\"\\u12\"]", "[\"\\'\"]", "[\"\\\n\"]", "[1}",
        "{\"a\":1]",  "[1]]",        "{}}",         "[/**/1]",   "[1;2]",      "{\"a\"::1}",
        "{\"a\":}",   "{,}",         "[1,,2]",      "[-NaN]",    "[nan]",      "[inf]",
        "[\"a\",",    "{\"a\":",     "[\"a",        "[1",        "{",          "[\"\\",
    };
    writer from = start(4, false);

    for (const char *fault : faults) {
        assert_false(view_of_simdjson(fault).taken);
        for (int turn = 0; turn < 20; turn++) {
            new_document(from);
            std::string text = "{\"before\":" + from.text + ",\"at\":" + fault;
            new_document(from);
            text += ",\"after\":" + from.text + "}";
            if (view_of_assay(text).taken) fail_msg("taken: %s", text.c_str());
            if (view_of_simdjson(text).taken) fail_msg("simdjson takes: %s", text.c_str());
        }
    }
}

// simdjson refuses all of these.
void the_tolerances_that_json_c_shares_have_its_values(void **)
{
    static const char *const pieces[] = { "\\ud800", "\\udbff", "\\udc00",       "\\udfff",
                                          "\t",      "\n",      "\x01",          "a",
                                          "\\n",     "\\u0041", "\\ud83d\\ude00" };
    static const char *const numbers[] = { "NaN", "Infinity", "-Infinity", "1e400", "-1e400" };
    writer from = start(5, false);

    for (int turn = 0; turn < 5000; turn++) {
        from.text = "[\"";
        for (uint64_t n = from.below(6); n > 0; n--) from.text += from.one_of(pieces);
        from.text += std::string("\", ") + from.one_of(numbers) + "]";
        view json_c = view_of_json_c(from.text);
        if (!json_c.taken) fail_msg("json-c refuses %s", from.text.c_str());
        assert_same("json-c", json_c, view_of_assay(from.text), from.text);
    }
}

} // namespace

int main()
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_documents_are_the_same_to_all_three),
        cmocka_unit_test(what_simdjson_takes_of_broken_documents_we_take_too),
        cmocka_unit_test(we_take_what_is_json_but_for_the_listed_tolerances),
        cmocka_unit_test(faults_that_are_no_tolerance_are_refused),
        cmocka_unit_test(the_tolerances_that_json_c_shares_have_its_values),
    };
    return cmocka_run_group_tests_name("json oracles", tests, nullptr, nullptr);
}
