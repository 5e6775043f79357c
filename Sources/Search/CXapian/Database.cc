#include "Guard.h"

#include <algorithm>
#include <sstream>

using namespace magnum;

namespace {

void set_metadata(Xapian::WritableDatabase &database, const std::string &key, const std::string &value) {
  // What is not there need not be taken away: that would be a change.
  if (value.empty() && database.get_metadata(key).empty()) return;
  database.set_metadata(key, value);
}

void append_keys(std::string &result, const Xapian::Database &database, const char *prefix) {
  const auto end = database.metadata_keys_end(prefix);
  for (auto place = database.metadata_keys_begin(prefix); place != end; ++place) append_term(result, *place);
}

std::string any_metadata(const magnum_index_database &database, const std::string &key) {
  const std::string found = database.has_recent ? database.recent.get_metadata(key) : std::string();
  return found.empty() ? database.main.get_metadata(key) : found;
}

// Those of both, each once, in the order in which each database has its own.
void append_keys(std::string &result, const Xapian::Database &one, const Xapian::Database &other, const char *prefix) {
  auto left = one.metadata_keys_begin(prefix), right = other.metadata_keys_begin(prefix);
  const auto left_end = one.metadata_keys_end(prefix), right_end = other.metadata_keys_end(prefix);
  while (left != left_end && right != right_end) {
    const std::string first = *left, second = *right;
    append_term(result, std::min(first, second));
    if (first <= second) ++left;
    if (second <= first) ++right;
  }
  for (; left != left_end; ++left) append_term(result, *left);
  for (; right != right_end; ++right) append_term(result, *right);
}

std::string keys_of(const magnum_index_database &database, const char *prefix) {
  std::string result;
  if (database.has_recent)
    append_keys(result, database.main, database.recent, prefix);
  else
    append_keys(result, database.main, prefix);
  return result;
}

} // namespace

void magnum_index_octets_free(magnum_index_octets octets) { std::free(octets.data); }

magnum_index_database *magnum_index_open(const char *path, magnum_index_mode mode, magnum_index_error *error) {
  return made<magnum_index_database>(error, [&] {
    if (mode == MAGNUM_INDEX_READ)
      return new magnum_index_database(Xapian::Database(path));
    // Not DB_DANGEROUS: where a commit fails under it, as on a full disk, Xapian cannot cancel, and ends the process.
    const int flags = mode == MAGNUM_INDEX_WRITE ? Xapian::DB_OPEN
                                                 : Xapian::DB_CREATE_OR_OVERWRITE | Xapian::DB_NO_SYNC;
    Xapian::WritableDatabase writable(path, flags | Xapian::DB_BACKEND_GLASS);
    return new magnum_index_database(writable);
  });
}

bool magnum_index_join(magnum_index_database *database, const char *path, magnum_index_mode mode,
                       magnum_index_error *error) {
  return guarded(error, [&] {
    if (mode == MAGNUM_INDEX_READ) {
      database->recent = Xapian::Database(path);
    } else {
      const int flags = Xapian::DB_CREATE_OR_OPEN | Xapian::DB_NO_SYNC | Xapian::DB_BACKEND_GLASS;
      database->writable_recent = Xapian::WritableDatabase(path, flags);
      database->recent = database->writable_recent;
    }
    database->last = database->main.get_lastdocid();
    database->has_recent = true;
    database->database = Xapian::Database();
    database->database.add_database(database->main);
    database->database.add_database(database->recent);
  });
}

bool magnum_index_fold(magnum_index_database *database, magnum_index_error *error) {
  return guarded(error, [&] {
    const Xapian::Database &recent = database->recent;
    const auto end = recent.postlist_end("");
    for (auto place = recent.postlist_begin(""); place != end; ++place)
      database->writable.replace_document(*place, recent.get_document(*place));
    const auto last = recent.metadata_keys_end();
    for (auto key = recent.metadata_keys_begin(); key != last; ++key)
      database->writable.set_metadata(*key, recent.get_metadata(*key));
    database->is_main_changed = true;
    database->has_recent = false;
    database->database = database->main;
    database->recent = Xapian::Database();
    database->writable_recent = Xapian::WritableDatabase();
  });
}

bool magnum_index_reopen(magnum_index_database *database, bool *is_changed, magnum_index_error *error) {
  return guarded(error, [&] { *is_changed = database->main.reopen(); });
}

bool magnum_index_is_main_changed(magnum_index_database *database) { return database->is_main_changed; }

bool magnum_index_recent_count(magnum_index_database *database, uint32_t *count, magnum_index_error *error) {
  return guarded(error, [&] { *count = database->has_recent ? database->recent.get_doccount() : 0; });
}

void magnum_index_close(magnum_index_database *database) {
  guarded(nullptr, [&] { delete database; });
}

bool magnum_index_count(magnum_index_database *database, uint32_t *count, uint32_t *last, magnum_index_error *error) {
  return guarded(error, [&] {
    *count = database->database.get_doccount();
    *last = std::max(database->main.get_lastdocid(), database->has_recent ? database->recent.get_lastdocid() : 0);
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
    for (auto place = database->database.postlist_begin(name); place != end; ++place)
      found.push_back(database->number(*place));
    std::sort(found.begin(), found.end());
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
    const Xapian::Database &part = database->part(document);
    auto place = part.termlist_begin(document);
    const auto end = part.termlist_end(document);
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
    give(data, database->part(document).get_document(document, Xapian::DOC_ASSUME_VALID).get_data());
  });
}

bool magnum_index_value(magnum_index_database *database, uint32_t document, uint32_t slot, magnum_index_octets *value,
                        magnum_index_error *error) {
  return guarded(error, [&] {
    give(value, database->part(document).get_document(document, Xapian::DOC_ASSUME_VALID).get_value(slot));
  });
}

bool magnum_index_values(magnum_index_database *database, const uint32_t *documents, size_t count, uint32_t slot,
                         magnum_index_octets *values, magnum_index_error *error) {
  return guarded(error, [&] {
    std::string result;
    const uint32_t *document = documents, *const all = documents + count;
    const auto add = [&](const Xapian::Database &part, bool is_recent) {
      auto place = part.valuestream_begin(slot);
      const auto end = part.valuestream_end(slot);
      for (; document != all && database->is_recent(*document) == is_recent; ++document) {
        if (place != end) place.skip_to(*document);
        append_term(result, place != end && place.get_docid() == *document ? *place : std::string());
      }
    };
    add(database->main, false);
    if (database->has_recent) add(database->recent, true);
    give(values, result);
  });
}

bool magnum_index_value_frequency(magnum_index_database *database, uint32_t slot, uint32_t *frequency,
                                  magnum_index_error *error) {
  return guarded(error, [&] { *frequency = database->database.get_value_freq(slot); });
}

bool magnum_index_valued(magnum_index_database *database, uint32_t slot, magnum_index_octets *documents,
                         magnum_index_error *error) {
  return guarded(error, [&] {
    std::vector<uint32_t> found;
    const auto add = [&](const Xapian::Database &part) {
      const auto end = part.valuestream_end(slot);
      for (auto place = part.valuestream_begin(slot); place != end; ++place) found.push_back(place.get_docid());
    };
    add(database->main);
    if (database->has_recent) add(database->recent);
    give(documents, found);
  });
}

bool magnum_index_metadata(magnum_index_database *database, magnum_index_part part, const char *key,
                           magnum_index_octets *value, magnum_index_error *error) {
  return guarded(error, [&] {
    const bool is_main = part == MAGNUM_INDEX_MAIN || !database->has_recent;
    if (part == MAGNUM_INDEX_ANY)
      give(value, any_metadata(*database, key));
    else
      give(value, (is_main ? database->main : database->recent).get_metadata(key));
  });
}

bool magnum_index_metadata_keys(magnum_index_database *database, const char *prefix, magnum_index_octets *keys,
                                magnum_index_error *error) {
  return guarded(error, [&] { give(keys, keys_of(*database, prefix)); });
}

bool magnum_index_metadata_entries(magnum_index_database *database, const char *prefix, magnum_index_octets *keys,
                                   magnum_index_octets *values, magnum_index_error *error) {
  return guarded(error, [&] {
    const std::string found = keys_of(*database, prefix);
    std::string result;
    uint16_t size = 0;
    for (size_t place = 0; place < found.size(); place += sizeof size + size) {
      std::memcpy(&size, found.data() + place, sizeof size);
      append_term(result, any_metadata(*database, found.substr(place + sizeof size, size)));
    }
    give(values, result);
    give(keys, found);
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
  return guarded(error, [&] {
    if (database->has_recent)
      database->writable_recent.commit();
    else
      database->writable.commit();
  });
}

bool magnum_index_set_metadata(magnum_index_database *database, magnum_index_part part, const char *key,
                               const uint8_t *value, size_t size, magnum_index_error *error) {
  return guarded(error, [&] {
    const bool is_recent = database->has_recent && part != MAGNUM_INDEX_MAIN;
    if (is_recent) set_metadata(database->writable_recent, key, text(value, size));
    if (is_recent && part != MAGNUM_INDEX_ANY) return;
    if (part == MAGNUM_INDEX_ANY && size == 0 && database->main.get_metadata(key).empty()) return;
    set_metadata(database->writable, key, text(value, size));
    database->is_main_changed = true;
  });
}

bool magnum_index_set_document_key(magnum_index_database *database, const char *key, uint32_t document,
                                   const uint8_t *value, size_t size, magnum_index_error *error) {
  return guarded(error, [&] { database->changing(document).set_metadata(key, text(value, size)); });
}

bool magnum_index_add(magnum_index_database *database, magnum_index_document *document, uint32_t *number,
                      magnum_index_error *error) {
  return guarded(error, [&] {
    if (!database->has_recent) {
      database->is_main_changed = true;
      *number = database->writable.add_document(document->document);
      return;
    }
    *number = std::max(database->last, database->recent.get_lastdocid()) + 1;
    database->writable_recent.replace_document(*number, document->document);
  });
}

bool magnum_index_replace(magnum_index_database *database, uint32_t number, magnum_index_document *document,
                          magnum_index_error *error) {
  return guarded(error, [&] { database->changing(number).replace_document(number, document->document); });
}

bool magnum_index_delete(magnum_index_database *database, uint32_t number, magnum_index_error *error) {
  return guarded(error, [&] { database->changing(number).delete_document(number); });
}

bool magnum_index_compact(const char *const *paths, size_t count, const char *output, magnum_index_error *error) {
  return guarded(error, [&] {
    Xapian::Database all;
    for (size_t number = 0; number < count; number++) all.add_database(Xapian::Database(paths[number]));
    all.compact(output, Xapian::Compactor::STANDARD);
  });
}

bool magnum_index_compact_joined(magnum_index_database *database, const char *output, magnum_index_error *error) {
  return guarded(error, [&] {
    const int flags = Xapian::DBCOMPACT_NO_RENUMBER;
    // A part without documents has no place among the numbers.
    const bool is_empty = !database->has_recent || database->recent.get_doccount() == 0;
    (is_empty ? database->main : database->database).compact(output, flags | Xapian::Compactor::STANDARD);
  });
}

bool magnum_index_check(const char *path, size_t *faults, magnum_index_octets *report, magnum_index_error *error) {
  return guarded(error, [&] {
    std::ostringstream words;
    *faults = Xapian::Database::check(path, 0, &words);
    give(report, words.str());
  });
}
