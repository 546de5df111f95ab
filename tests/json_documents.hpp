// SPDX-License-Identifier: Apache-2.0
// Random JSON documents, and random changes to them.
#ifndef TESTS_JSON_DOCUMENTS_HPP
#define TESTS_JSON_DOCUMENTS_HPP

extern "C" {
#include "core/random.h"
}

#include <algorithm>
#include <string>

namespace
{

struct writer {
    assay_random random;
    std::string text;
    bool tolerances; // also what RFC 8259 does not allow
    unsigned n_keys;

    uint64_t below(uint64_t n)
    {
        return assay_random_below(&random, n);
    }

    template <size_t N> const char *one_of(const char *const (&choices)[N])
    {
        return choices[below(N)];
    }

    void space()
    {
        static const char *const spaces[] = { "", "", "", "", " ", "\n", "\t", "\r\n", "     " };
        text += one_of(spaces);
        if (below(200) == 0) text.append(below(300), ' ');
    }

    void character()
    {
        static const char *const plain[] = { "a",
                                             "Z",
                                             "0",
                                             "{",
                                             "}",
                                             "[",
                                             "]",
                                             ",",
                                             ":",
                                             " ",
                                             "\x7f",
                                             "/",
                                             "\xc3\xa9",
                                             "\xe2\x82\xac",
                                             "\xf0\x9f\x98\x80",
                                             "\xe2\x80\xa8",
                                             "\xc2\x85" };
        static const char *const escapes[] = { "\\\"",
                                               "\\\\",
                                               "\\/",
                                               "\\b",
                                               "\\f",
                                               "\\n",
                                               "\\r",
                                               "\\t",
                                               "\\u0041",
                                               "\\u00e9",
                                               "\\u20AC",
                                               "\\uFFFF",
                                               "\\ud83d\\ude00",
                                               "\\u0001" };
        static const char *const tolerated[] = { "\n",       "\x01",    "\xff",    "\xc3",
                                                 "\xe2\x82", "\\ud800", "\\uDC00", "\xed\xa0\x80" };
        uint64_t kind = below(10);
        text += kind < 6                  ? one_of(plain)
                : kind < 9 || !tolerances ? one_of(escapes)
                                          : one_of(tolerated);
    }

    void string(const std::string &prefix)
    {
        text += '"' + prefix;
        uint64_t n = below(20) == 0 ? below(300) : below(8);
        if (below(20) == 0) text.append(below(500), 'x');
        for (uint64_t i = 0; i < n; i++) character();
        text += '"';
    }

    void digits(uint64_t n)
    {
        for (uint64_t i = 0; i < n; i++) text += static_cast<char>('0' + below(10));
    }

    void number()
    {
        static const char *const given[] = { "0",
                                             "-0",
                                             "0.0",
                                             "-0.0",
                                             "1e22",
                                             "1e23",
                                             "5e-324",
                                             "1e-400",
                                             "2.2250738585072011e-308",
                                             "1.7976931348623157e308",
                                             "9007199254740993",
                                             "9223372036854775807",
                                             "-9223372036854775808",
                                             "18446744073709551615" };
        static const char *const tolerated[] = { "NaN",
                                                 "Infinity",
                                                 "-Infinity",
                                                 "1e400",
                                                 "18446744073709551616",
                                                 "-123456789012345678901234567890" };
        if (below(5) == 0) {
            text += one_of(given);
            return;
        }
        if (tolerances && below(5) == 0) {
            text += one_of(tolerated);
            return;
        }
        if (below(2)) text += '-';
        if (below(4) == 0) {
            text += '0';
        } else {
            text += static_cast<char>('1' + below(9));
            digits(below(16));
        }
        if (below(2)) {
            text += '.';
            digits(1 + below(below(10) == 0 ? 40 : 8));
        }
        if (below(3) == 0) {
            static const char *const signs[] = { "e", "E", "e+", "e-", "E-" };
            text += one_of(signs);
            digits(1 + below(2));
        }
    }

    // Nested at most 9 - depth levels.
    void value(int depth)
    {
        static const char *const words[] = { "true", "false", "null" };
        uint64_t kind = below(depth < 8 ? 9 : 5);

        if (kind == 0) {
            text += one_of(words);
        } else if (kind < 3) {
            number();
        } else if (kind < 5) {
            string("");
        } else {
            bool is_object = kind < 7;
            uint64_t n = below(5);
            text += is_object ? '{' : '[';
            space();
            for (uint64_t i = 0; i < n; i++) {
                if (i) text += ',';
                space();
                if (is_object) {
                    string(std::to_string(n_keys++)); // json-c keeps only one of equal keys
                    space();
                    text += ':';
                    space();
                }
                value(depth + 1);
                space();
            }
            text += is_object ? '}' : ']';
        }
    }
};

writer start(uint64_t stream, bool tolerances)
{
    writer out = {};
    assay_random_start(&out.random, 7, ASSAY_PURPOSE_SIMULATE_TEXT, stream);
    out.tolerances = tolerances;
    return out;
}

void new_document(writer &from, int depth = 0)
{
    from.text.clear();
    from.space();
    from.value(depth);
    from.space();
}

// One change: bytes cut from the end or from within, put in, overwritten or doubled.
void mutate(writer &from)
{
    static const char *const pieces[] = { "\"",   "\\",  "{",       "}",    "[",
                                          "]",    ",",   ":",       "0",    "1",
                                          "-",    "+",   ".",       "e",    "u",
                                          " ",    "\n",  "tru",     "NaN",  "\xff",
                                          "\x1f", "\\u", "\\ud800", "null", "\xef\xbb\xbf" };
    std::string &text = from.text;
    size_t at = from.below(text.size() + 1);
    size_t n = std::min<size_t>(1 + from.below(3), text.size() - at);

    switch (from.below(6)) {
    case 0: text.resize(at); break;
    case 1: text.erase(at, n); break;
    case 2: text.replace(at, n, from.one_of(pieces)); break;
    case 3: text.insert(at, text.substr(at, n)); break;
    default: text.insert(at, from.one_of(pieces)); break;
    }
}

} // namespace

#endif
