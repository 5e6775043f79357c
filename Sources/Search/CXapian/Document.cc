#include "Guard.h"

#include <algorithm>

using namespace magnum;

magnum_index_document *magnum_index_document_new(magnum_index_error *error) {
  return made<magnum_index_document>(error, [] { return new magnum_index_document; });
}

magnum_index_document *magnum_index_document_load(magnum_index_database *database, uint32_t number,
                                                  magnum_index_error *error) {
  return made<magnum_index_document>(
      error, [&] { return new magnum_index_document{database->part(number).database.get_document(number)}; });
}

void magnum_index_document_free(magnum_index_document *document) {
  guarded(nullptr, [&] { delete document; });
}

bool magnum_index_document_add_term(magnum_index_document *document, const uint8_t *term, size_t size,
                                    magnum_index_error *error) {
  return guarded(error, [&] { document->document.add_boolean_term(text(term, size)); });
}

bool magnum_index_document_remove_term(magnum_index_document *document, const uint8_t *term, size_t size,
                                       magnum_index_error *error) {
  return guarded(error, [&] {
    try {
      document->document.remove_term(text(term, size));
    } catch (const Xapian::InvalidArgumentError &) {
      // It was not there: as wanted.
    }
  });
}

bool magnum_index_document_add_words(magnum_index_document *document, char prefix, const uint8_t *words, size_t size,
                                     bool has_positions, uint32_t *position, magnum_index_error *error) {
  return guarded(error, [&] {
    std::string term;
    for (size_t place = 0; place < size;) {
      const size_t length = words[place];
      term.clear();
      if (prefix) term.push_back(prefix);
      term.append(reinterpret_cast<const char *>(words + place + 1), length);
      // Words are counted, though nothing is weighed here: Xapian's check takes a document of no words for none.
      if (has_positions)
        document->document.add_posting(term, ++*position);
      else
        document->document.add_boolean_term(term);
      place += 1 + length;
    }
  });
}

bool magnum_index_document_set_value(magnum_index_document *document, uint32_t slot, const uint8_t *value,
                                     size_t size, magnum_index_error *error) {
  return guarded(error, [&] { document->document.add_value(slot, text(value, size)); });
}

bool magnum_index_document_set_data(magnum_index_document *document, const uint8_t *data, size_t size,
                                    magnum_index_error *error) {
  return guarded(error, [&] { document->document.set_data(text(data, size)); });
}

magnum_index_stemmer *magnum_index_stemmer_new(const char *language, magnum_index_error *error) {
  return made<magnum_index_stemmer>(error, [&] { return new magnum_index_stemmer{Xapian::Stem(language)}; });
}

void magnum_index_stemmer_free(magnum_index_stemmer *stemmer) {
  guarded(nullptr, [&] { delete stemmer; });
}

namespace {

bool ends(const std::string &text, const char *ending) {
  const size_t size = std::strlen(ending);
  return text.size() >= size && text.compare(text.size() - size, size, ending) == 0;
}

// What all words of a stem begin with, so that each form of a word finds all others: a stem is mostly a beginning of
// its words, but English writes directori for directory, write for writing, die for dying, possibl for possibility.
std::string beginning_of_words(const Xapian::Stem &stemmer, const std::string &word, const std::string &stem) {
  size_t common = 0;
  while (common < word.size() && common < stem.size() && word[common] == stem[common]) common++;
  std::string start = word.substr(0, common);
  if (common < stem.size()) return start;
  if (start.size() > 2 && ends(start, "ie"))
    start.resize(start.size() - 2);
  else if (start.size() > 1 && (ends(start, "i") || ends(start, "e") || ends(start, "y") || ends(start, "bl")))
    start.pop_back();
  else if (start.size() > 4 && stemmer.get_description().find("english") == std::string::npos)
    start.pop_back();
  // No character in halves.
  while (!start.empty() && start.size() < word.size() && (word[start.size()] & 0xC0) == 0x80) start.pop_back();
  return start;
}

} // namespace

bool magnum_index_forms(magnum_index_database *database, magnum_index_stemmer *stemmer, char prefix,
                        const uint8_t *word, size_t size, magnum_index_octets *terms, magnum_index_error *error) {
  return guarded(error, [&] {
    const std::string wanted = text(word, size);
    const std::string stem = stemmer->stem(wanted);
    std::string start = beginning_of_words(stemmer->stem, wanted, stem);
    const size_t longest = std::max(wanted.size(), stem.size()) + 12;
    if (prefix) start.insert(start.begin(), prefix);
    std::string result;
    const Xapian::Database &all = database->database;
    const auto end = all.allterms_end(start);
    for (auto place = all.allterms_begin(start); place != end; ++place) {
      const std::string term = *place;
      // Endings are short: what is much longer is another word, and need not be taken apart.
      if (term.size() > longest || stemmer->stem(prefix ? term.substr(1) : term) != stem) continue;
      append_term(result, term);
    }
    give(terms, result);
  });
}
