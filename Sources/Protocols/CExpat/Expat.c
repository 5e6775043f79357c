#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#include "CExpat.h"

static struct magnum_expat expat;
static int is_loaded;

static void load(void) {
  static const struct {
    size_t place;
    const char *name;
  } functions[] = {
      {offsetof(struct magnum_expat, parser_create), "XML_ParserCreate"},
      {offsetof(struct magnum_expat, parser_free), "XML_ParserFree"},
      {offsetof(struct magnum_expat, set_user_data), "XML_SetUserData"},
      {offsetof(struct magnum_expat, set_element_handler), "XML_SetElementHandler"},
      {offsetof(struct magnum_expat, set_text_handler), "XML_SetCharacterDataHandler"},
      {offsetof(struct magnum_expat, set_doctype_handler), "XML_SetStartDoctypeDeclHandler"},
      {offsetof(struct magnum_expat, parse), "XML_Parse"},
      {offsetof(struct magnum_expat, stop_parser), "XML_StopParser"},
      {offsetof(struct magnum_expat, error_code), "XML_GetErrorCode"},
      {offsetof(struct magnum_expat, error_string), "XML_ErrorString"},
      {offsetof(struct magnum_expat, current_line), "XML_GetCurrentLineNumber"},
  };
  void *library = dlopen("libexpat.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *function = dlsym(library, functions[i].name);
    if (!function) return;
    *(void **)((char *)&expat + functions[i].place) = function;
  }
  is_loaded = 1;
}

const struct magnum_expat *magnum_load_expat(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded ? &expat : NULL;
}
