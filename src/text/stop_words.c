/* SPDX-License-Identifier: Apache-2.0 */
#include "text/stop_words.h"

#include <string.h>

int assay_is_english_stop_word(const char *word, size_t length)
{
    static const char *const words[] = {
        /* in the order of their bytes */
        "about",     "above",     "across",   "after",      "again",     "against",    "ain",
        "all",       "almost",    "along",    "already",    "also",      "although",   "always",
        "am",        "amid",      "among",    "an",         "and",       "another",    "any",
        "anybody",   "anyone",    "anything", "are",        "aren",      "around",     "as",
        "at",        "be",        "because",  "been",       "before",    "behind",     "being",
        "below",     "beneath",   "beside",   "besides",    "between",   "beyond",     "both",
        "but",       "by",        "can",      "cannot",     "could",     "couldn",     "despite",
        "did",       "didn",      "do",       "does",       "doesn",     "doing",      "don",
        "done",      "down",      "during",   "each",       "either",    "else",       "enough",
        "even",      "ever",      "every",    "everybody",  "everyone",  "everything", "except",
        "few",       "for",       "from",     "had",        "hadn",      "has",        "hasn",
        "have",      "haven",     "having",   "he",         "hence",     "her",        "here",
        "hers",      "herself",   "him",      "himself",    "his",       "how",        "however",
        "if",        "in",        "inside",   "into",       "is",        "isn",        "it",
        "its",       "itself",    "just",     "less",       "like",      "ll",         "many",
        "may",       "me",        "might",    "mine",       "more",      "most",       "much",
        "must",      "mustn",     "my",       "myself",     "near",      "neither",    "never",
        "no",        "nobody",    "none",     "nor",        "not",       "nothing",    "now",
        "of",        "off",       "often",    "on",         "once",      "one",        "oneself",
        "only",      "onto",      "or",       "other",      "others",    "ought",      "our",
        "ours",      "ourselves", "out",      "outside",    "over",      "past",       "per",
        "quite",     "rather",    "re",       "same",       "several",   "shall",      "she",
        "should",    "shouldn",   "since",    "so",         "some",      "somebody",   "someone",
        "something", "sometimes", "still",    "such",       "than",      "that",       "the",
        "their",     "theirs",    "them",     "themselves", "then",      "there",      "therefore",
        "these",     "they",      "this",     "those",      "though",    "through",    "throughout",
        "thus",      "till",      "to",       "too",        "toward",    "towards",    "under",
        "unless",    "until",     "up",       "upon",       "us",        "ve",         "very",
        "via",       "was",       "wasn",     "we",         "were",      "weren",      "what",
        "whatever",  "when",      "where",    "whereas",    "whether",   "which",      "whichever",
        "while",     "who",       "whoever",  "whom",       "whose",     "why",        "will",
        "with",      "within",    "without",  "won",        "would",     "wouldn",     "yet",
        "you",       "your",      "yours",    "yourself",   "yourselves"
    };
    size_t low = 0, high = sizeof words / sizeof words[0];

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strncmp(words[middle], word, length);

        if (order == 0 && words[middle][length] == '\0') return 1;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}
