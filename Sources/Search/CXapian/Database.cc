#include "Guard.h"

#include <algorithm>
#include <sstream>

using namespace magnum;

namespace {

void set_metadata(magnum_index_part_database &part, const std::string &key, const std::string &value) {
  // What is there already need not be kept again, nor what is not there be taken away: that would be a change.
  if (part.database.get_metadata(key) == value) return;
  part.writable.set_metadata(key, value);
  part.is_changed = true;
}

void append_keys(std::string &result, const Xapian::Database &database, const char *prefix) {
  const auto end = database.metadata_keys_end(prefix);
  for (auto place = database.metadata_keys_begin(prefix); place != end; ++place) append_term(result, *place);
}

// What the newest part that has something keeps under a key.
std::string any_metadata(const magnum_index_database &database, const std::string &key) {
  std::string found;
  for (auto part = database.parts.rbegin(); found.empty() && part != database.parts.rend(); ++part)
    found = part->database.get_metadata(key);
  return found;
}

// The keys of all parts that begin so, each once, in the order in which each part has its own.
std::string keys_of(const magnum_index_database &database, const char *prefix) {
  std::string result;
  if (database.parts.size() == 1) {
    append_keys(result, database.parts[0].database, prefix);
    return result;
  }
  struct Place {
    Xapian::TermIterator next, end;
  };
  std::vector<Place> places;
  for (const auto &part : database.parts)
    places.push_back({part.database.metadata_keys_begin(prefix), part.database.metadata_keys_end(prefix)});
  while (true) {
    std::string least;
    bool is_found = false;
    for (const auto &place : places)
      if (place.next != place.end && (!is_found || *place.next < least)) {
        least = *place.next;
        is_found = true;
      }
    if (!is_found) return result;
    append_term(result, least);
    for (auto &place : places)
      if (place.next != place.end && *place.next == least) ++place.next;
  }
}

Xapian::docid last_number(const magnum_index_database &database) {
  Xapian::docid last = 0;
  for (const auto &part : database.parts) last = std::max(last, part.database.get_lastdocid());
  return last;
}

// Has all parts read as one.
void connect(magnum_index_database &database) {
  database.database = Xapian::Database();
  for (auto part = database.parts.begin(); part != database.parts.end(); ++part) {
    const Xapian::docid before = part == database.parts.begin() ? 0 : (part - 1)->last;
    const bool is_newest = part + 1 == database.parts.end();
    part->last = is_newest ? UINT32_MAX : std::max(before, part->database.get_lastdocid());
    database.database.add_database(part->database);
  }
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
    magnum_index_part_database part;
    if (mode == MAGNUM_INDEX_READ) {
      part.database = Xapian::Database(path);
    } else {
      const int flags = Xapian::DB_CREATE_OR_OPEN | Xapian::DB_NO_SYNC | Xapian::DB_BACKEND_GLASS;
      part.writable = Xapian::WritableDatabase(path, flags);
      part.database = part.writable;
      // What is not flushed is never written: not even by the destructor, which commits all but transactions.
      part.writable.begin_transaction();
    }
    database->parts.push_back(part);
    connect(*database);
  });
}

bool magnum_index_part_with_newest(magnum_index_database *database, magnum_index_error *error) {
  return guarded(error, [&] {
    if (database->parts.size() < 2) return;
    database->parts.pop_back();
    connect(*database);
  });
}

bool magnum_index_reopen(magnum_index_database *database, bool *is_changed, magnum_index_error *error) {
  return guarded(error, [&] { *is_changed = database->parts[0].database.reopen(); });
}

size_t magnum_index_part_count(magnum_index_database *database) { return database->parts.size(); }

bool magnum_index_is_changed(magnum_index_database *database, size_t part) { return database->parts[part].is_changed; }

bool magnum_index_newest_count(magnum_index_database *database, uint32_t *count, magnum_index_error *error) {
  return guarded(error, [&] { *count = database->parts.back().database.get_doccount(); });
}

void magnum_index_close(magnum_index_database *database) {
  guarded(nullptr, [&] { delete database; });
}

bool magnum_index_count(magnum_index_database *database, uint32_t *count, uint32_t *last, magnum_index_error *error) {
  return guarded(error, [&] {
    *count = database->database.get_doccount();
    *last = last_number(*database);
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
    const Xapian::Database &part = database->part(document).database;
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
    give(data, database->part(document).database.get_document(document, Xapian::DOC_ASSUME_VALID).get_data());
  });
}

bool magnum_index_value(magnum_index_database *database, uint32_t document, uint32_t slot, magnum_index_octets *value,
                        magnum_index_error *error) {
  return guarded(error, [&] {
    give(value, database->part(document).database.get_document(document, Xapian::DOC_ASSUME_VALID).get_value(slot));
  });
}

bool magnum_index_values(magnum_index_database *database, const uint32_t *documents, size_t count, uint32_t slot,
                         magnum_index_octets *values, magnum_index_error *error) {
  return guarded(error, [&] {
    std::string result;
    const uint32_t *document = documents, *const all = documents + count;
    for (const auto &part : database->parts) {
      if (document == all || *document > part.last) continue;
      auto place = part.database.valuestream_begin(slot);
      const auto end = part.database.valuestream_end(slot);
      for (; document != all && *document <= part.last; ++document) {
        if (place != end) place.skip_to(*document);
        append_term(result, place != end && place.get_docid() == *document ? *place : std::string());
      }
    }
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
    for (const auto &part : database->parts) {
      const auto end = part.database.valuestream_end(slot);
      for (auto place = part.database.valuestream_begin(slot); place != end; ++place)
        found.push_back(place.get_docid());
    }
    give(documents, found);
  });
}

bool magnum_index_metadata(magnum_index_database *database, magnum_index_part part, const char *key,
                           magnum_index_octets *value, magnum_index_error *error) {
  return guarded(error, [&] {
    switch (part) {
    case MAGNUM_INDEX_MAIN: return give(value, database->parts.front().database.get_metadata(key));
    case MAGNUM_INDEX_NEWEST: return give(value, database->parts.back().database.get_metadata(key));
    case MAGNUM_INDEX_ANY: return give(value, any_metadata(*database, key));
    }
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
  return guarded(error, [&] { database->parts[0].writable.begin_transaction(); });
}

bool magnum_index_commit(magnum_index_database *database, magnum_index_error *error) {
  return guarded(error, [&] { database->parts[0].writable.commit_transaction(); });
}

bool magnum_index_cancel(magnum_index_database *database, magnum_index_error *error) {
  return guarded(error, [&] { database->parts[0].writable.cancel_transaction(); });
}

bool magnum_index_flush(magnum_index_database *database, magnum_index_error *error) {
  return guarded(error, [&] {
    auto &parts = database->parts;
    if (parts.size() == 1) return parts[0].writable.commit();
    for (auto part = parts.begin() + 1; part != parts.end(); ++part) {
      if (!part->is_changed) continue;
      part->writable.commit_transaction();
      part->writable.begin_transaction();
    }
  });
}

bool magnum_index_set_metadata(magnum_index_database *database, magnum_index_part part, const char *key,
                               const uint8_t *value, size_t size, magnum_index_error *error) {
  return guarded(error, [&] {
    auto &parts = database->parts;
    const std::string octets = text(value, size);
    switch (part) {
    case MAGNUM_INDEX_MAIN: return set_metadata(parts.front(), key, octets);
    case MAGNUM_INDEX_NEWEST: return set_metadata(parts.back(), key, octets);
    case MAGNUM_INDEX_ANY:
      for (auto &each : parts) set_metadata(each, key, octets);
    }
  });
}

bool magnum_index_set_document_key(magnum_index_database *database, const char *key, uint32_t document,
                                   const uint8_t *value, size_t size, magnum_index_error *error) {
  return guarded(error, [&] { database->changing(document).set_metadata(key, text(value, size)); });
}

bool magnum_index_add(magnum_index_database *database, magnum_index_document *document, uint32_t *number,
                      magnum_index_error *error) {
  return guarded(error, [&] {
    auto &newest = database->parts.back();
    newest.is_changed = true;
    if (database->parts.size() == 1) {
      *number = newest.writable.add_document(document->document);
      return;
    }
    *number = last_number(*database) + 1;
    newest.writable.replace_document(*number, document->document);
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

bool magnum_index_compact_parts(magnum_index_database *database, size_t first, const char *output,
                                magnum_index_error *error) {
  return guarded(error, [&] {
    const auto begin = database->parts.begin() + first;
    Xapian::Database all;
    all.add_database(begin->database);
    // A further part without documents has no place among the numbers.
    for (auto part = begin + 1; part != database->parts.end(); ++part)
      if (part->database.get_doccount() > 0) all.add_database(part->database);
    all.compact(output, Xapian::DBCOMPACT_NO_RENUMBER | Xapian::Compactor::STANDARD);
  });
}

bool magnum_index_check(const char *path, size_t *faults, magnum_index_octets *report, magnum_index_error *error) {
  return guarded(error, [&] {
    std::ostringstream words;
    *faults = Xapian::Database::check(path, 0, &words);
    give(report, words.str());
  });
}
