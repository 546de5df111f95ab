// SPDX-License-Identifier: Apache-2.0
// A text rewritten so that what our reader takes beyond RFC 8259 is within it. Only the tolerances
// that json.h lists are rewritten, by a scan of the bytes that shares nothing with the reader. So a
// strict reader must take the rewritten text if and only if ours takes the original.
#ifndef TESTS_JSON_STRICT_HPP
#define TESTS_JSON_STRICT_HPP

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <string>

namespace
{

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

size_t surrogate_at(const std::string &text, size_t at, unsigned *value)
{
    unsigned v;
    int n = 0;
    if (text.compare(at, 2, "\\u") != 0 || at + 6 > text.size()) return 0;
    for (size_t i = at + 2; i < at + 6; i++)
        if (!std::isxdigit(static_cast<unsigned char>(text[i]))) return 0;
    if (std::sscanf(text.c_str() + at + 2, "%4x%n", &v, &n) != 1 || n != 4) return 0;
    *value = v;
    return v >= 0xd800 && v <= 0xdfff ? 6 : 0;
}

// The bytes of a string up to and with its closing quote, made valid.
size_t rewrite_string(const std::string &text, size_t at, std::string &to)
{
    while (at < text.size()) {
        unsigned char c = static_cast<unsigned char>(text[at]);
        unsigned first, second;
        if (c == '\\' && surrogate_at(text, at, &first)) {
            bool is_pair =
                first < 0xdc00 && surrogate_at(text, at + 6, &second) && second >= 0xdc00;
            to += "?";
            at += is_pair ? 12 : 6;
        } else if (c == '\\') {
            to += text.substr(at, 2);
            at += 2;
        } else if (c == '"') {
            to += '"';
            return at + 1;
        } else {
            to += c >= 0x80 || (c < 0x20 && c != 0) ? '?' : text[at];
            at++;
        }
    }
    return at;
}

// Digits beyond the fifteenth are dropped, and an exponent becomes 1: the range is ours to extend,
// the grammar is not.
size_t rewrite_digits(const std::string &text, size_t at, bool is_exponent, std::string &to)
{
    size_t end = at;
    while (end < text.size() && is_digit(text[end])) end++;
    if (is_exponent)
        to += end > at ? "1" : "";
    else
        to += text.substr(at, std::min<size_t>(end - at, 15));
    return end;
}

size_t special_length(const std::string &text, size_t at)
{
    for (std::string word : { "NaN", "Infinity", "-Infinity" })
        if (text.compare(at, word.size(), word) == 0) return word.size();
    return 0;
}

std::string rewrite(const std::string &text)
{
    static const std::string separators = " \t\r\n,:[]{}\"";
    size_t at = text.compare(0, 3, "\xef\xbb\xbf") == 0 ? 3 : 0;
    int depth = 0;
    bool has_value = false; // a value at top level has begun before
    bool in_token = false;
    std::string to = "[";

    while (at < text.size()) {
        char c = text[at];
        bool begins =
            c == '{' || c == '[' || c == '"' || (!in_token && !std::strchr(" \t\r\n,:]}", c));

        if (depth == 0 && begins) {
            if (has_value) to += ',';
            has_value = true;
        }
        // A comma, colon or bracket without an opening one is wrong whatever stands before it.
        if (depth == 0 && c && std::strchr(",:]}", c)) return "[,";
        in_token = separators.find(c) == std::string::npos;
        if (c == '"') {
            to += c;
            at = rewrite_string(text, at + 1, to);
        } else if (begins && special_length(text, at) > 0) {
            to += "null"; // unlike a number, not made longer by what follows
            at += special_length(text, at);
        } else if (is_digit(c)) {
            bool is_exponent = at >= 1 && (text[at - 1] == 'e' || text[at - 1] == 'E');
            if (at >= 2 && (text[at - 1] == '+' || text[at - 1] == '-'))
                is_exponent = text[at - 2] == 'e' || text[at - 2] == 'E';
            at = rewrite_digits(text, at, is_exponent, to);
        } else {
            depth += c == '{' || c == '[';
            depth -= c == '}' || c == ']';
            to += c;
            at++;
        }
    }
    return to + "]";
}

} // namespace

#endif
