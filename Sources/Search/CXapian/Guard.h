// What keeps exceptions on this side of the border.
#ifndef MAGNUM_CXAPIAN_GUARD_H
#define MAGNUM_CXAPIAN_GUARD_H

#include "CXapian.h"

#include <xapian.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <vector>

// One of the databases that are read as one.
struct magnum_index_part_database {
  Xapian::Database database;
  // Shares its content with the above where that is open for writing.
  Xapian::WritableDatabase writable;
  // Its documents have numbers up to this one.
  Xapian::docid last = UINT32_MAX;
  bool is_changed = false;
};

// A main database, and perhaps smaller ones of later documents that are read as one with it.
//
// A document has the same number in whichever of them it is: those of the main one come first, then those of the next.
struct magnum_index_database {
  // All of it: what queries are put to. Its numbers are Xapian's, who deals them out in turns.
  Xapian::Database database;
  // The main one first, then the smaller ones from older to newer documents.
  std::vector<magnum_index_part_database> parts;

  explicit magnum_index_database(const Xapian::Database &only) : database(only) {
    parts.emplace_back();
    parts[0].database = only;
  }
  explicit magnum_index_database(const Xapian::WritableDatabase &only) : database(only) {
    parts.emplace_back();
    parts[0].database = only;
    parts[0].writable = only;
  }

  magnum_index_part_database &part(Xapian::docid number) {
    size_t place = 0;
    while (parts[place].last < number) place++;
    return parts[place];
  }
  // The number that the document of one of Xapian's has.
  Xapian::docid number(Xapian::docid given) const { return (given - 1) / parts.size() + 1; }

  // Where a document is to be changed.
  Xapian::WritableDatabase &changing(Xapian::docid number) {
    magnum_index_part_database &found = part(number);
    found.is_changed = true;
    return found.writable;
  }
};

struct magnum_index_document {
  Xapian::Document document;
};

struct magnum_index_query {
  Xapian::Query query;
};

struct magnum_index_stemmer {
  Xapian::Stem stem;
};

namespace magnum {

struct too_many {};

inline magnum_index_status status_of(const Xapian::Error &error) {
  const char *type = error.get_type();
  const auto is = [type](const char *name) { return std::strcmp(type, name) == 0; };
  if (is("DatabaseModifiedError")) return MAGNUM_INDEX_MODIFIED;
  if (is("DatabaseLockError")) return MAGNUM_INDEX_LOCKED;
  if (is("DatabaseNotFoundError") || is("DatabaseOpeningError") || is("DatabaseClosedError"))
    return MAGNUM_INDEX_OPENING;
  if (is("DatabaseCorruptError")) return MAGNUM_INDEX_CORRUPT;
  // A file that was cut off has no error of its own.
  if (error.get_msg().compare(0, 11, "EOF reading") == 0) return MAGNUM_INDEX_CORRUPT;
  if (is("DatabaseVersionError") || is("FeatureUnavailableError")) return MAGNUM_INDEX_VERSION;
  if (is("DocNotFoundError")) return MAGNUM_INDEX_NO_DOCUMENT;
  return MAGNUM_INDEX_FAILED;
}

// Xapian keeps the error number to itself, and gives its text; of an error that led to another one in the words of that.
inline int code_of(const Xapian::Error &error) {
  const char *reason = error.get_error_string();
  for (int number : {ENOSPC, EDQUOT, EACCES, EROFS, EIO, ENOENT, EMFILE}) {
    const std::string text = std::strerror(number);
    if (reason ? text == reason : error.get_msg().find("(" + text + ")") != std::string::npos) return number;
  }
  return 0;
}

inline void fill(magnum_index_error *error, magnum_index_status status, int code, const char *kind,
                 const char *message, const char *reason) {
  if (!error) return;
  error->status = status;
  error->code = code;
  std::snprintf(error->message, sizeof error->message, "%s%s%s%s%s", kind, *kind ? ": " : "", message,
                reason && *reason ? ": " : "", reason ? reason : "");
}

// Runs a body; false, and a filled error, where it throws.
template <class Body> bool guarded(magnum_index_error *error, Body body) noexcept {
  errno = 0;
  try {
    body();
    return true;
  } catch (const too_many &) {
    fill(error, MAGNUM_INDEX_TOO_MANY, 0, "", "too many words", nullptr);
  } catch (const Xapian::Error &thrown) {
    const char *reason = thrown.get_error_string();
    fill(error, status_of(thrown), code_of(thrown), thrown.get_type(), thrown.get_msg().c_str(), reason);
  } catch (const std::bad_alloc &) {
    fill(error, MAGNUM_INDEX_MEMORY, ENOMEM, "", "no memory left", nullptr);
  } catch (const std::exception &thrown) {
    fill(error, MAGNUM_INDEX_FAILED, 0, "", thrown.what(), nullptr);
  } catch (...) {
    fill(error, MAGNUM_INDEX_FAILED, 0, "", "unknown failure", nullptr);
  }
  return false;
}

// As above, for what makes something: NULL where the body throws.
template <class Result, class Body> Result *made(magnum_index_error *error, Body body) noexcept {
  Result *result = nullptr;
  guarded(error, [&] { result = body(); });
  return result;
}

inline std::string text(const uint8_t *octets, size_t size) {
  return std::string(reinterpret_cast<const char *>(octets), size);
}

inline void give(magnum_index_octets *result, const void *data, size_t size) {
  result->data = nullptr;
  result->size = size;
  if (size == 0) return;
  result->data = static_cast<uint8_t *>(std::malloc(size));
  if (!result->data) throw std::bad_alloc();
  std::memcpy(result->data, data, size);
}

inline void give(magnum_index_octets *result, const std::string &text) { give(result, text.data(), text.size()); }

inline void give(magnum_index_octets *result, const std::vector<uint32_t> &numbers) {
  give(result, numbers.data(), numbers.size() * sizeof(uint32_t));
}

// A term behind its length.
inline void append_term(std::string &result, const std::string &term) {
  if (term.size() > UINT16_MAX) throw Xapian::RangeError("a term or value of more than 65535 octets");
  const uint16_t size = static_cast<uint16_t>(term.size());
  result.append(reinterpret_cast<const char *>(&size), sizeof size);
  result += term;
}

} // namespace magnum

#endif
