// Xapian for Swift: plain C, no exception ever crosses. Every call that can fail returns a status and fills an error.
#ifndef MAGNUM_CXAPIAN_H
#define MAGNUM_CXAPIAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum magnum_index_status {
  MAGNUM_INDEX_OK = 0,
  // A writer has gone on twice since the database was opened: open it again and start over.
  MAGNUM_INDEX_MODIFIED,
  // Another process holds the writer's lock.
  MAGNUM_INDEX_LOCKED,
  // There is no database, or it cannot be opened.
  MAGNUM_INDEX_OPENING,
  // The file on disk is damaged.
  MAGNUM_INDEX_CORRUPT,
  // Made by another version of Xapian.
  MAGNUM_INDEX_VERSION,
  // No such document.
  MAGNUM_INDEX_NO_DOCUMENT,
  // More words than the limit begin so.
  MAGNUM_INDEX_TOO_MANY,
  // No memory.
  MAGNUM_INDEX_MEMORY,
  // Everything else, a full disk among it: the text says what.
  MAGNUM_INDEX_FAILED,
} magnum_index_status;

typedef struct magnum_index_error {
  magnum_index_status status;
  // The errno that the failure came from; 0 where there is none.
  int code;
  char message[512];
} magnum_index_error;

// Octets that the caller gives back with magnum_index_octets_free.
typedef struct magnum_index_octets {
  uint8_t *data;
  size_t size;
} magnum_index_octets;

typedef struct magnum_index_database magnum_index_database;
typedef struct magnum_index_document magnum_index_document;
typedef struct magnum_index_query magnum_index_query;
typedef struct magnum_index_stemmer magnum_index_stemmer;

void magnum_index_octets_free(magnum_index_octets octets);

// -- Databases. One thread at a time may use one.

typedef enum magnum_index_mode {
  MAGNUM_INDEX_READ,
  // The writer's lock is held until the database is closed.
  MAGNUM_INDEX_WRITE,
  // A new database that replaces whatever is there; written without any care for crashes.
  MAGNUM_INDEX_DISPOSABLE,
} magnum_index_mode;

magnum_index_database *magnum_index_open(const char *path, magnum_index_mode mode, magnum_index_error *error);
void magnum_index_close(magnum_index_database *database);

// A database may have smaller ones of later documents beside it: all are parts of one, and are read as one. No number is used
// twice: a document that is added goes to the newest part, with a number behind all others; all else happens to a document
// where it is.

// Adds the database at a path as the newest part; opened for writing, it is made where there is none, and nothing cares for
// crashes.
bool magnum_index_join(magnum_index_database *database, const char *path, magnum_index_mode mode,
                       magnum_index_error *error);
// Parts with the newest part, unless it is the main one; nothing of it is written.
bool magnum_index_part_with_newest(magnum_index_database *database, magnum_index_error *error);
// Goes on to the newest version of the main database; whether there was one.
bool magnum_index_reopen(magnum_index_database *database, bool *is_changed, magnum_index_error *error);
// How many parts there are; the main one is the first.
size_t magnum_index_part_count(magnum_index_database *database);
// Whether anything of a part has been changed since it was opened.
bool magnum_index_is_changed(magnum_index_database *database, size_t part);
// How many documents the newest part has.
bool magnum_index_newest_count(magnum_index_database *database, uint32_t *count, magnum_index_error *error);

// What is there. A writer sees its own changes.
bool magnum_index_count(magnum_index_database *database, uint32_t *count, uint32_t *last, magnum_index_error *error);
bool magnum_index_frequency(magnum_index_database *database, const uint8_t *term, size_t size, uint32_t *frequency,
                            magnum_index_error *error);
// The documents that have a term, as uint32_t in ascending order; all documents for the empty term.
bool magnum_index_postings(magnum_index_database *database, const uint8_t *term, size_t size,
                           magnum_index_octets *documents, magnum_index_error *error);
// The terms that begin so, each with its length (uint16_t, as the machine has it) before it, in ascending order.
bool magnum_index_terms(magnum_index_database *database, const uint8_t *prefix, size_t size, size_t limit,
                        magnum_index_octets *terms, magnum_index_error *error);
// The terms of one document that begin so, in the same form.
bool magnum_index_document_terms(magnum_index_database *database, uint32_t document, const uint8_t *prefix,
                                 size_t size, magnum_index_octets *terms, magnum_index_error *error);
bool magnum_index_data(magnum_index_database *database, uint32_t document, magnum_index_octets *data,
                       magnum_index_error *error);
bool magnum_index_value(magnum_index_database *database, uint32_t document, uint32_t slot,
                        magnum_index_octets *value, magnum_index_error *error);
// The values of documents, whose numbers ascend, each of at most 65,535 octets behind its length (uint16_t); empty where one
// has none.
bool magnum_index_values(magnum_index_database *database, const uint32_t *documents, size_t count, uint32_t slot,
                         magnum_index_octets *values, magnum_index_error *error);
// How many documents have a value in a slot.
bool magnum_index_value_frequency(magnum_index_database *database, uint32_t slot, uint32_t *frequency,
                                  magnum_index_error *error);
// The documents that have a value in a slot, as uint32_t in ascending order.
bool magnum_index_valued(magnum_index_database *database, uint32_t slot, magnum_index_octets *documents,
                         magnum_index_error *error);

typedef enum magnum_index_part {
  // The main database.
  MAGNUM_INDEX_MAIN,
  // The newest part.
  MAGNUM_INDEX_NEWEST,
  // Any part: in whichever it is.
  MAGNUM_INDEX_ANY,
} magnum_index_part;

bool magnum_index_metadata(magnum_index_database *database, magnum_index_part part, const char *key,
                           magnum_index_octets *value, magnum_index_error *error);

// The keys of metadata that begin so, each with its length (uint16_t) before it; each part's in ascending order.
bool magnum_index_metadata_keys(magnum_index_database *database, const char *prefix, magnum_index_octets *keys,
                                magnum_index_error *error);
// The same, and what each part keeps under each of them, in the same form and order.
bool magnum_index_metadata_entries(magnum_index_database *database, const char *prefix, magnum_index_octets *keys,
                                   magnum_index_octets *values, magnum_index_error *error);

// Changes; they can be seen by others, and last, after the commit.
bool magnum_index_begin(magnum_index_database *database, magnum_index_error *error);
bool magnum_index_commit(magnum_index_database *database, magnum_index_error *error);
bool magnum_index_cancel(magnum_index_database *database, magnum_index_error *error);
// Writes what was changed in all parts except the main one; without others, in the main one.
bool magnum_index_flush(magnum_index_database *database, magnum_index_error *error);
// An empty value takes the key away.
bool magnum_index_set_metadata(magnum_index_database *database, magnum_index_part part, const char *key,
                               const uint8_t *value, size_t size, magnum_index_error *error);
// Keeps something under a key in the database where a document is.
bool magnum_index_set_document_key(magnum_index_database *database, const char *key, uint32_t document,
                                   const uint8_t *value, size_t size, magnum_index_error *error);
bool magnum_index_add(magnum_index_database *database, magnum_index_document *document, uint32_t *number,
                      magnum_index_error *error);
bool magnum_index_replace(magnum_index_database *database, uint32_t number, magnum_index_document *document,
                          magnum_index_error *error);
bool magnum_index_delete(magnum_index_database *database, uint32_t number, magnum_index_error *error);

// Databases made one, compact; documents are numbered anew, in the order of the paths.
bool magnum_index_compact(const char *const *paths, size_t count, const char *output, magnum_index_error *error);
// The parts of a database from one on made one, compact; every document keeps its number. Of what several keep under a key,
// one is kept.
bool magnum_index_compact_parts(magnum_index_database *database, size_t first, const char *output,
                                magnum_index_error *error);
// Looks for damage; the number of faults found, and what was said about them.
bool magnum_index_check(const char *path, size_t *faults, magnum_index_octets *report, magnum_index_error *error);

// -- Documents.

magnum_index_document *magnum_index_document_new(magnum_index_error *error);
magnum_index_document *magnum_index_document_load(magnum_index_database *database, uint32_t number,
                                                  magnum_index_error *error);
void magnum_index_document_free(magnum_index_document *document);
bool magnum_index_document_add_term(magnum_index_document *document, const uint8_t *term, size_t size,
                                    magnum_index_error *error);
bool magnum_index_document_remove_term(magnum_index_document *document, const uint8_t *term, size_t size,
                                       magnum_index_error *error);
// Words, each with its length (one octet) before it, behind one prefix; the first one gets the position behind
// *position, which becomes that of the last. Without positions where has_positions is false.
bool magnum_index_document_add_words(magnum_index_document *document, char prefix, const uint8_t *words, size_t size,
                                     bool has_positions, uint32_t *position, magnum_index_error *error);
bool magnum_index_document_set_value(magnum_index_document *document, uint32_t slot, const uint8_t *value,
                                     size_t size, magnum_index_error *error);
bool magnum_index_document_set_data(magnum_index_document *document, const uint8_t *data, size_t size,
                                    magnum_index_error *error);

// -- Queries.

typedef enum magnum_index_operator {
  MAGNUM_INDEX_AND,
  MAGNUM_INDEX_OR,
  MAGNUM_INDEX_XOR,
  // The first, and none of the others.
  MAGNUM_INDEX_AND_NOT,
  MAGNUM_INDEX_PHRASE,
  MAGNUM_INDEX_NEAR,
} magnum_index_operator;

magnum_index_query *magnum_index_query_all(magnum_index_error *error);
magnum_index_query *magnum_index_query_none(magnum_index_error *error);
magnum_index_query *magnum_index_query_term(magnum_index_database *database, const uint8_t *term, size_t size,
                                            magnum_index_error *error);
// A term as a part of a phrase.
magnum_index_query *magnum_index_query_word(const uint8_t *term, size_t size, magnum_index_error *error);
// Any term that begins so.
magnum_index_query *magnum_index_query_prefix(magnum_index_database *database, const uint8_t *prefix, size_t size,
                                              size_t limit, magnum_index_error *error);
// Values between two bounds, in the order of their octets; an empty bound is none.
magnum_index_query *magnum_index_query_range(uint32_t slot, const uint8_t *low, size_t low_size, const uint8_t *high,
                                             size_t high_size, magnum_index_error *error);
// These documents, in ascending order.
magnum_index_query *magnum_index_query_documents(magnum_index_database *database, const uint32_t *documents,
                                                 size_t count, magnum_index_error *error);
// The parts stay the caller's; the window is that of phrases and neighbourhoods.
magnum_index_query *magnum_index_query_combine(magnum_index_operator how, magnum_index_query *const *parts,
                                               size_t count, uint32_t window, magnum_index_error *error);
void magnum_index_query_free(magnum_index_query *query);

typedef enum magnum_index_order {
  MAGNUM_INDEX_UNSORTED,
  MAGNUM_INDEX_ASCENDING,
  MAGNUM_INDEX_DESCENDING,
} magnum_index_order;

// The documents found, as uint32_t; by the value of one slot, and only the first of those that have the same value in
// another one (collapse; -1 for all).
bool magnum_index_search(magnum_index_database *database, magnum_index_query *query, magnum_index_order order,
                         uint32_t slot, int64_t collapse, uint32_t offset, uint32_t limit,
                         magnum_index_octets *documents, magnum_index_error *error);
// How many are found; only one of those that have the same value in the collapse slot (-1 for all).
bool magnum_index_search_count(magnum_index_database *database, magnum_index_query *query, int64_t collapse,
                               uint32_t *count, magnum_index_error *error);

// -- Words and their forms.

// NULL where the language is not known.
magnum_index_stemmer *magnum_index_stemmer_new(const char *language, magnum_index_error *error);
void magnum_index_stemmer_free(magnum_index_stemmer *stemmer);

// The words of a field that have the same stem as a word, as terms, each with its length (uint16_t) before it. They
// begin with what the word and its stem have in common.
bool magnum_index_forms(magnum_index_database *database, magnum_index_stemmer *stemmer, char prefix,
                        const uint8_t *word, size_t size, magnum_index_octets *terms, magnum_index_error *error);

#ifdef __cplusplus
}
#endif

#endif
