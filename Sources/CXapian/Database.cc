#include "Guard.h"

#include <sstream>

using namespace magnum;

void magnum_index_octets_free(magnum_index_octets octets) { std::free(octets.data); }

magnum_index_database *magnum_index_open(const char *path, magnum_index_mode mode, magnum_index_error *error) {
  return made<magnum_index_database>(error, [&] {
    if (mode == MAGNUM_INDEX_READ)
      return new magnum_index_database{Xapian::Database(path), Xapian::WritableDatabase()};
    const int flags = mode == MAGNUM_INDEX_WRITE
                          ? Xapian::DB_OPEN
                          : Xapian::DB_CREATE_OR_OVERWRITE | Xapian::DB_DANGEROUS | Xapian::DB_NO_SYNC;
    Xapian::WritableDatabase writable(path, flags | Xapian::DB_BACKEND_GLASS);
    return new magnum_index_database{writable, writable};
  });
}

void magnum_index_close(magnum_index_database *database) {
  guarded(nullptr, [&] { delete database; });
}

bool magnum_index_count(magnum_index_database *database, uint32_t *count, uint32_t *last, magnum_index_error *error) {
  return guarded(error, [&] {
    *count = database->database.get_doccount();
    *last = database->database.get_lastdocid();
  });
}

bool magnum_index_frequency(magnum_index_database *database, const uint8_t *term, size_t size, uint32_t *frequency,
                            magnum_index_error *error) {
  return guarded(error, [&] { *frequency = database->database.get_termfreq(text(term, size)); });
}

bool magnum_index_postings(magnum_index_database *database, const uint8_t *term, size_t size,
                           magnum_index_octets *documents, magnum_index_error *error) {
  return guarded(error, [&] {
    const std::string name = text(term, size);
    std::vector<uint32_t> found;
    const auto end = database->database.postlist_end(name);
    for (auto place = database->database.postlist_begin(name); place != end; ++place) found.push_back(*place);
    give(documents, found);
  });
}

bool magnum_index_terms(magnum_index_database *database, const uint8_t *prefix, size_t size, size_t limit,
                        magnum_index_octets *terms, magnum_index_error *error) {
  return guarded(error, [&] {
    const std::string name = text(prefix, size);
    std::string result;
    size_t count = 0;
    const auto end = database->database.allterms_end(name);
    for (auto place = database->database.allterms_begin(name); place != end && count < limit; ++place, ++count)
      append_term(result, *place);
    give(terms, result);
  });
}

bool magnum_index_document_terms(magnum_index_database *database, uint32_t document, const uint8_t *prefix,
                                 size_t size, magnum_index_octets *terms, magnum_index_error *error) {
  return guarded(error, [&] {
    const std::string name = text(prefix, size);
    std::string result;
    auto place = database->database.termlist_begin(document);
    const auto end = database->database.termlist_end(document);
    for (place.skip_to(name); place != end; ++place) {
      const std::string term = *place;
      if (term.compare(0, name.size(), name) != 0) break;
      append_term(result, term);
    }
    give(terms, result);
  });
}

bool magnum_index_data(magnum_index_database *database, uint32_t document, magnum_index_octets *data,
                       magnum_index_error *error) {
  return guarded(error, [&] {
    // Numbers come from the same version of the database: not looking for the document first halves the work.
    give(data, database->database.get_document(document, Xapian::DOC_ASSUME_VALID).get_data());
  });
}

bool magnum_index_value(magnum_index_database *database, uint32_t document, uint32_t slot, magnum_index_octets *value,
                        magnum_index_error *error) {
  return guarded(error, [&] {
    give(value, database->database.get_document(document, Xapian::DOC_ASSUME_VALID).get_value(slot));
  });
}

bool magnum_index_metadata(magnum_index_database *database, const char *key, magnum_index_octets *value,
                           magnum_index_error *error) {
  return guarded(error, [&] { give(value, database->database.get_metadata(key)); });
}

bool magnum_index_metadata_keys(magnum_index_database *database, const char *prefix, magnum_index_octets *keys,
                                magnum_index_error *error) {
  return guarded(error, [&] {
    std::string result;
    const auto end = database->database.metadata_keys_end(prefix);
    for (auto place = database->database.metadata_keys_begin(prefix); place != end; ++place)
      append_term(result, *place);
    give(keys, result);
  });
}

bool magnum_index_begin(magnum_index_database *database, magnum_index_error *error) {
  return guarded(error, [&] { database->writable.begin_transaction(); });
}

bool magnum_index_commit(magnum_index_database *database, magnum_index_error *error) {
  return guarded(error, [&] { database->writable.commit_transaction(); });
}

bool magnum_index_cancel(magnum_index_database *database, magnum_index_error *error) {
  return guarded(error, [&] { database->writable.cancel_transaction(); });
}

bool magnum_index_flush(magnum_index_database *database, magnum_index_error *error) {
  return guarded(error, [&] { database->writable.commit(); });
}

bool magnum_index_set_metadata(magnum_index_database *database, const char *key, const uint8_t *value, size_t size,
                               magnum_index_error *error) {
  return guarded(error, [&] { database->writable.set_metadata(key, text(value, size)); });
}

bool magnum_index_add(magnum_index_database *database, magnum_index_document *document, uint32_t *number,
                      magnum_index_error *error) {
  return guarded(error, [&] { *number = database->writable.add_document(document->document); });
}

bool magnum_index_replace(magnum_index_database *database, uint32_t number, magnum_index_document *document,
                          magnum_index_error *error) {
  return guarded(error, [&] { database->writable.replace_document(number, document->document); });
}

bool magnum_index_delete(magnum_index_database *database, uint32_t number, magnum_index_error *error) {
  return guarded(error, [&] { database->writable.delete_document(number); });
}

bool magnum_index_compact(const char *const *paths, size_t count, const char *output, magnum_index_error *error) {
  return guarded(error, [&] {
    Xapian::Database all;
    for (size_t number = 0; number < count; number++) all.add_database(Xapian::Database(paths[number]));
    all.compact(output, Xapian::Compactor::STANDARD);
  });
}

bool magnum_index_check(const char *path, size_t *faults, magnum_index_octets *report, magnum_index_error *error) {
  return guarded(error, [&] {
    std::ostringstream words;
    *faults = Xapian::Database::check(path, 0, &words);
    give(report, words.str());
  });
}
