#include "Guard.h"

#include <algorithm>
#include <memory>

using namespace magnum;

namespace {

// A given list of documents as a part of a query. Each part of a database takes those that are in it.
class ListSource : public Xapian::PostingSource {
  // What all copies share.
  struct List {
    std::vector<uint32_t> documents;
    // The names of the parts, and the last document of each.
    std::vector<std::pair<std::string, uint32_t>> parts;
  };
  std::shared_ptr<const List> list;
  size_t place = 0;
  size_t end = 0;
  bool is_started = false;

  explicit ListSource(std::shared_ptr<const List> shared) : list(std::move(shared)), end(list->documents.size()) {}

  size_t border(uint32_t last) const {
    const auto &documents = list->documents;
    return std::upper_bound(documents.begin(), documents.end(), last) - documents.begin();
  }

public:
  ListSource(const magnum_index_database *all, std::vector<uint32_t> documents) {
    List made{std::move(documents), {}};
    // Where there is one part, its name is of no account.
    if (all->parts.size() > 1)
      for (const auto &part : all->parts) made.parts.emplace_back(part.database.get_uuid(), part.last);
    list = std::make_shared<const List>(std::move(made));
    end = list->documents.size();
  }

  Xapian::doccount get_termfreq_min() const override { return 0; }
  Xapian::doccount get_termfreq_est() const override { return end - place; }
  Xapian::doccount get_termfreq_max() const override { return list->documents.size(); }
  bool at_end() const override { return place >= end; }
  Xapian::docid get_docid() const override { return list->documents[place]; }
  ListSource *clone() const override { return new ListSource(list); }

  void next(double) override {
    if (is_started) place++;
    is_started = true;
  }

  void skip_to(Xapian::docid wanted, double) override {
    is_started = true;
    const auto first = list->documents.begin();
    place = std::lower_bound(first + static_cast<ptrdiff_t>(place), first + static_cast<ptrdiff_t>(end), wanted) -
            first;
  }

  void init(const Xapian::Database &part) override {
    place = 0;
    end = list->documents.size();
    is_started = false;
    if (list->parts.empty()) return;
    const std::string name = part.get_uuid();
    uint32_t before = 0;
    for (const auto &[uuid, last] : list->parts) {
      if (uuid == name) {
        place = before == 0 ? 0 : border(before);
        end = border(last);
        return;
      }
      before = last;
    }
  }
};

magnum_index_query *make(const Xapian::Query &query) { return new magnum_index_query{query}; }

Xapian::Query list_of(const magnum_index_database *all, std::vector<uint32_t> documents) {
  return Xapian::Query((new ListSource(all, std::move(documents)))->release());
}

// A query for all documents. Not Xapian::Query::MatchAll: all threads would share its count of references, which is not
// atomic, and a thread that reads it wrong frees what the others use.
Xapian::Query everything() { return Xapian::Query(std::string()); }

// Whether a term is on every document of a part.
bool covers(const Xapian::Database &part, const std::string &term) {
  const Xapian::doccount frequency = part.get_termfreq(term);
  return frequency > 0 && frequency >= part.get_doccount();
}

// Xapian 1.4.22 throws DatabaseCorruptError for a term of every document once documents have been deleted: a query for
// all documents, which means the same, does not; nor does a list, where only some of the parts are such.
Xapian::Query query_of(const magnum_index_database *all, const std::string &term) {
  const Xapian::Database &database = all->database;
  const Xapian::doccount frequency = database.get_termfreq(term);
  if (frequency == 0) return Xapian::Query();
  if (frequency >= database.get_doccount()) return everything();
  const auto is_covered = [&](const magnum_index_part_database &part) { return covers(part.database, term); };
  if (all->parts.size() == 1 || std::none_of(all->parts.begin(), all->parts.end(), is_covered))
    return Xapian::Query(term);
  std::vector<uint32_t> documents;
  for (const auto &part : all->parts) {
    const auto end = part.database.postlist_end(term);
    for (auto place = part.database.postlist_begin(term); place != end; ++place) documents.push_back(*place);
  }
  return list_of(all, std::move(documents));
}

Xapian::Query::op operator_of(magnum_index_operator how) {
  switch (how) {
  case MAGNUM_INDEX_AND: return Xapian::Query::OP_AND;
  case MAGNUM_INDEX_OR: return Xapian::Query::OP_OR;
  case MAGNUM_INDEX_XOR: return Xapian::Query::OP_XOR;
  case MAGNUM_INDEX_AND_NOT: return Xapian::Query::OP_AND_NOT;
  case MAGNUM_INDEX_PHRASE: return Xapian::Query::OP_PHRASE;
  case MAGNUM_INDEX_NEAR: return Xapian::Query::OP_NEAR;
  }
  return Xapian::Query::OP_AND;
}

// Weighs nothing: order is that of values.
void prepare(Xapian::Enquire &enquire, const magnum_index_query *query, int64_t collapse) {
  enquire.set_weighting_scheme(Xapian::BoolWeight());
  enquire.set_query(query->query);
  if (collapse >= 0) enquire.set_collapse_key(static_cast<Xapian::valueno>(collapse));
}

} // namespace

magnum_index_query *magnum_index_query_all(magnum_index_error *error) {
  return made<magnum_index_query>(error, [] { return make(everything()); });
}

magnum_index_query *magnum_index_query_none(magnum_index_error *error) {
  return made<magnum_index_query>(error, [] { return make(Xapian::Query()); });
}

magnum_index_query *magnum_index_query_term(magnum_index_database *database, const uint8_t *term, size_t size,
                                            magnum_index_error *error) {
  return made<magnum_index_query>(error, [&] { return make(query_of(database, text(term, size))); });
}

magnum_index_query *magnum_index_query_word(const uint8_t *term, size_t size, magnum_index_error *error) {
  return made<magnum_index_query>(error, [&] { return make(Xapian::Query(text(term, size))); });
}

magnum_index_query *magnum_index_query_prefix(magnum_index_database *database, const uint8_t *prefix, size_t size,
                                              size_t limit, magnum_index_error *error) {
  return made<magnum_index_query>(error, [&] {
    const Xapian::Database &all = database->database;
    const std::string name = text(prefix, size);
    const Xapian::doccount count = all.get_doccount();
    std::vector<Xapian::Query> parts;
    const auto end = all.allterms_end(name);
    for (auto place = all.allterms_begin(name); place != end; ++place) {
      if (place.get_termfreq() >= count) return make(everything());
      if (parts.size() == limit) throw too_many();
      parts.push_back(query_of(database, *place));
    }
    return make(Xapian::Query(Xapian::Query::OP_OR, parts.begin(), parts.end()));
  });
}

magnum_index_query *magnum_index_query_range(uint32_t slot, const uint8_t *low, size_t low_size, const uint8_t *high,
                                             size_t high_size, magnum_index_error *error) {
  return made<magnum_index_query>(error, [&] {
    if (high_size == 0) return make(Xapian::Query(Xapian::Query::OP_VALUE_GE, slot, text(low, low_size)));
    if (low_size == 0) return make(Xapian::Query(Xapian::Query::OP_VALUE_LE, slot, text(high, high_size)));
    return make(Xapian::Query(Xapian::Query::OP_VALUE_RANGE, slot, text(low, low_size), text(high, high_size)));
  });
}

magnum_index_query *magnum_index_query_documents(magnum_index_database *database, const uint32_t *documents,
                                                 size_t count, magnum_index_error *error) {
  return made<magnum_index_query>(error, [&] {
    if (count == 0) return make(Xapian::Query());
    return make(list_of(database, std::vector<uint32_t>(documents, documents + count)));
  });
}

magnum_index_query *magnum_index_query_combine(magnum_index_operator how, magnum_index_query *const *parts,
                                               size_t count, uint32_t window, magnum_index_error *error) {
  return made<magnum_index_query>(error, [&] {
    std::vector<Xapian::Query> all;
    for (size_t number = 0; number < count; number++) all.push_back(parts[number]->query);
    return make(Xapian::Query(operator_of(how), all.begin(), all.end(), window));
  });
}

void magnum_index_query_free(magnum_index_query *query) {
  guarded(nullptr, [&] { delete query; });
}

bool magnum_index_search(magnum_index_database *database, magnum_index_query *query, magnum_index_order order,
                         uint32_t slot, int64_t collapse, uint32_t offset, uint32_t limit,
                         magnum_index_octets *documents, magnum_index_error *error) {
  return guarded(error, [&] {
    Xapian::Enquire enquire(database->database);
    prepare(enquire, query, collapse);
    // Equal values, which only copies of one id have, in the order of document numbers, so that answers do not change.
    const bool is_descending = order == MAGNUM_INDEX_DESCENDING;
    if (order != MAGNUM_INDEX_UNSORTED) enquire.set_sort_by_value(slot, is_descending);
    enquire.set_docid_order(is_descending ? Xapian::Enquire::DESCENDING : Xapian::Enquire::ASCENDING);
    const Xapian::MSet found = enquire.get_mset(offset, std::min(limit, database->database.get_doccount()));
    std::vector<uint32_t> numbers;
    numbers.reserve(found.size());
    for (auto place = found.begin(); place != found.end(); ++place) numbers.push_back(database->number(*place));
    give(documents, numbers);
  });
}

bool magnum_index_search_count(magnum_index_database *database, magnum_index_query *query, int64_t collapse,
                               uint32_t *count, magnum_index_error *error) {
  return guarded(error, [&] {
    Xapian::Enquire enquire(database->database);
    prepare(enquire, query, collapse);
    enquire.set_docid_order(Xapian::Enquire::DONT_CARE);
    const Xapian::doccount all = database->database.get_doccount();
    // Collapsing counts exactly only what it keeps.
    *count = collapse >= 0 ? enquire.get_mset(0, all).size() : enquire.get_mset(0, 0, all).get_matches_estimated();
  });
}
