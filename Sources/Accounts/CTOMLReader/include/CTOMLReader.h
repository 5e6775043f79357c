// A document in TOML for Swift, with the places of its values.
#ifndef MAGNUM_TOML_READER_H
#define MAGNUM_TOML_READER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum magnum_toml_kind {
  magnum_toml_table,
  magnum_toml_array,
  // Behind all that is in a table or an array.
  magnum_toml_end,
  magnum_toml_string,
  magnum_toml_integer,
  magnum_toml_boolean,
  magnum_toml_fraction,
  magnum_toml_time,
};

// A value, or the end of one that holds others. Its octets last as long as the call that gets it.
struct magnum_toml_item {
  enum magnum_toml_kind kind;
  // NULL for the document itself, and for what stands in an array.
  const char *_Nullable key;
  size_t key_length;
  // From 1.
  uint32_t line;
  // The content of a string in UTF-8, perhaps with NUL.
  const char *_Nullable text;
  size_t text_length;
  // An integer, or 0 and 1 for a boolean.
  int64_t number;
};

struct magnum_toml_error {
  uint32_t line;
  // In English, ends with NUL.
  char words[400];
};

// Reads a text in UTF-8, and hands over the document and all that is in it, each table in the order of the text.
//
// 1 where all of it is TOML; 0 where not, with the first error, and nothing is handed over.
int magnum_toml_read(const char *_Nonnull text, size_t length, void *_Nullable context,
                     void (*_Nonnull take)(void *_Nullable context, struct magnum_toml_item item),
                     struct magnum_toml_error *_Nonnull error);

#ifdef __cplusplus
}
#endif

#endif
