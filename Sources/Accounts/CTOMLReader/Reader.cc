#include "CTOMLReader.h"

#include <exception>

namespace {

// toml++ met what it does not expect. It would end the program: "[#" in a file is enough.
struct Unexpected : std::exception {
  const char *what() const noexcept override { return "a name or a value is missing here"; }
};

[[noreturn]] void stop() { throw Unexpected(); }

} // namespace

#undef NDEBUG
#define TOML_EXCEPTIONS 1
#define TOML_ASSERT(expectation) ((expectation) ? static_cast<void>(0) : stop())
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-literal-operator"
#include "toml++/toml.hpp"
#pragma clang diagnostic pop

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

namespace {

// Hands over a tree of values.
class Walk {
public:
  Walk(void *context, void (*take)(void *, magnum_toml_item)) : context(context), take(take) {}

  void value(const toml::key *key, const toml::node &node) const {
    magnum_toml_item item = {};
    if (key) {
      item.key = key->str().data();
      item.key_length = key->str().size();
    }
    item.line = node.source().begin.line;
    switch (node.type()) {
    case toml::node_type::table:
      item.kind = magnum_toml_table;
      take(context, item);
      entries(*node.as_table());
      return end();
    case toml::node_type::array:
      item.kind = magnum_toml_array;
      take(context, item);
      for (const toml::node &element : *node.as_array()) value(nullptr, element);
      return end();
    case toml::node_type::string: {
      item.kind = magnum_toml_string;
      const std::string &text = node.as_string()->get();
      item.text = text.data();
      item.text_length = text.size();
      break;
    }
    case toml::node_type::integer:
      item.kind = magnum_toml_integer;
      item.number = node.as_integer()->get();
      break;
    case toml::node_type::boolean:
      item.kind = magnum_toml_boolean;
      item.number = node.as_boolean()->get();
      break;
    case toml::node_type::floating_point:
      item.kind = magnum_toml_fraction;
      break;
    default:
      item.kind = magnum_toml_time;
    }
    take(context, item);
  }

private:
  void *context;
  void (*take)(void *, magnum_toml_item);

  // A table of toml++ is in the order of its keys.
  void entries(const toml::table &table) const {
    std::vector<std::pair<const toml::key *, const toml::node *>> found;
    for (auto &&[key, node] : table) found.emplace_back(&key, &node);
    std::stable_sort(found.begin(), found.end(), [](const auto &one, const auto &other) {
      const toml::source_position &a = one.second->source().begin, &b = other.second->source().begin;
      return a < b;
    });
    for (const auto &[key, node] : found) value(key, *node);
  }

  void end() const {
    magnum_toml_item item = {};
    item.kind = magnum_toml_end;
    take(context, item);
  }
};

bool is_unexpected(std::string_view text) {
  try {
    (void)toml::parse(text);
  } catch (const Unexpected &) {
    return true;
  } catch (const std::exception &) {
  }
  return false;
}

// The line that toml++ cannot read, from 1; 0 where it is none.
uint32_t unexpected_line(std::string_view text) {
  std::vector<size_t> ends;
  for (size_t place = 0; place < text.size(); place++)
    if (text[place] == '\n' || place + 1 == text.size()) ends.push_back(place + 1);
  const auto first =
      std::partition_point(ends.begin(), ends.end(), [&](size_t end) { return !is_unexpected(text.substr(0, end)); });
  return first == ends.end() ? 0 : static_cast<uint32_t>(first - ends.begin() + 1);
}

} // namespace

int magnum_toml_read(const char *text, size_t length, void *context, void (*take)(void *, magnum_toml_item),
                     magnum_toml_error *error) {
  try {
    const toml::table document = toml::parse(std::string_view(text, length));
    Walk(context, take).value(nullptr, document);
    return 1;
  } catch (const toml::parse_error &thrown) {
    error->line = thrown.source().begin.line;
    const std::string_view words = thrown.description();
    std::snprintf(error->words, sizeof error->words, "%.*s", static_cast<int>(words.size()), words.data());
  } catch (const std::exception &thrown) {
    error->line = unexpected_line(std::string_view(text, length));
    std::snprintf(error->words, sizeof error->words, "%s", thrown.what());
  }
  return 0;
}
