// Expat for Swift. The library is loaded at the first use, so that neither a build nor a program that reads no XML needs it.
#ifndef MAGNUM_EXPAT_H
#define MAGNUM_EXPAT_H

// A parser of expat.
typedef struct XML_ParserStruct *magnum_xml_parser;

// The functions of expat that are used here; libexpat.so.1 keeps their form since version 1.95 (2001). Each stands under its
// name there without XML_.
struct magnum_expat {
  magnum_xml_parser _Nullable (*_Nonnull parser_create)(const char *_Nullable encoding);
  void (*_Nonnull parser_free)(magnum_xml_parser _Nonnull);
  void (*_Nonnull set_user_data)(magnum_xml_parser _Nonnull, void *_Nullable);
  void (*_Nonnull set_element_handler)(
      magnum_xml_parser _Nonnull,
      void (*_Nonnull begin)(void *_Nullable, const char *_Nullable name, const char *_Nullable *_Nullable attributes),
      void (*_Nonnull end)(void *_Nullable, const char *_Nullable name));
  void (*_Nonnull set_text_handler)(magnum_xml_parser _Nonnull,
                                    void (*_Nonnull text)(void *_Nullable, const char *_Nullable, int length));
  void (*_Nonnull set_doctype_handler)(
      magnum_xml_parser _Nonnull,
      void (*_Nonnull begin)(void *_Nullable, const char *_Nullable name, const char *_Nullable system,
                             const char *_Nullable public_id, int has_subset));
  // 1 where all was read, 0 where not.
  int (*_Nonnull parse)(magnum_xml_parser _Nonnull, const char *_Nullable octets, int length, int is_last);
  int (*_Nonnull stop_parser)(magnum_xml_parser _Nonnull, unsigned char is_resumable);
  int (*_Nonnull error_code)(magnum_xml_parser _Nonnull);
  const char *_Nullable (*_Nonnull error_string)(int code);
  unsigned long (*_Nonnull current_line)(magnum_xml_parser _Nonnull);
};

// The library; NULL where the system has none. From any thread.
const struct magnum_expat *_Nullable magnum_load_expat(void);

#endif
