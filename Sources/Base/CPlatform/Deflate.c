#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#include "CPlatform.h"

// zlib's state of a stream; libz.so.1 keeps its form since version 1.0 (1996). Its header is not needed to build.
struct z_stream {
  const unsigned char *next_in;
  unsigned avail_in;
  unsigned long total_in;
  unsigned char *next_out;
  unsigned avail_out;
  unsigned long total_out;
  const char *message;
  void *state;
  void *(*allocate)(void *, unsigned, unsigned);
  void (*release)(void *, void *);
  void *opaque;
  int data_type;
  unsigned long adler;
  unsigned long reserved;
};

enum { ok = 0, stream_end = 1, buffer_error = -5, sync_flush = 2, deflated = 8, raw_window = -15 };

// zlib compares the first digit of the version, and the size of the state.
static const char version[] = "1.2.0";

static struct {
  int (*inflate_init)(struct z_stream *, int window, const char *version, int size);
  int (*inflate)(struct z_stream *, int flush);
  int (*inflate_end)(struct z_stream *);
  int (*deflate_init)(struct z_stream *, int level, int method, int window, int memory, int strategy, const char *version,
                      int size);
  int (*deflate)(struct z_stream *, int flush);
  int (*deflate_end)(struct z_stream *);
} zlib;

static int is_loaded;

static void load(void) {
  static const struct {
    void *place;
    const char *name;
  } functions[] = {
      {&zlib.inflate_init, "inflateInit2_"}, {&zlib.inflate, "inflate"}, {&zlib.inflate_end, "inflateEnd"},
      {&zlib.deflate_init, "deflateInit2_"}, {&zlib.deflate, "deflate"}, {&zlib.deflate_end, "deflateEnd"},
  };
  void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *function = dlsym(library, functions[i].name);
    if (!function) return;
    *(void **)functions[i].place = function;
  }
  is_loaded = 1;
}

bool magnum_has_deflate(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded;
}

struct magnum_deflate {
  struct z_stream stream;
  int is_expanding;
};

struct magnum_deflate *magnum_deflate_begin(int is_expanding) {
  if (!magnum_has_deflate()) return NULL;
  struct magnum_deflate *deflate = calloc(1, sizeof *deflate);
  if (!deflate) return NULL;
  deflate->is_expanding = is_expanding;
  int size = sizeof deflate->stream;
  int result = is_expanding ? zlib.inflate_init(&deflate->stream, raw_window, version, size)
                            : zlib.deflate_init(&deflate->stream, 6, deflated, raw_window, 8, 0, version, size);
  if (result == ok) return deflate;
  free(deflate);
  return NULL;
}

void magnum_deflate_end(struct magnum_deflate *deflate) {
  if (deflate->is_expanding) zlib.inflate_end(&deflate->stream);
  else zlib.deflate_end(&deflate->stream);
  free(deflate);
}

int magnum_deflate_step(struct magnum_deflate *deflate, const void *octets, size_t *count, void *room, size_t *space) {
  struct z_stream *stream = &deflate->stream;
  unsigned given = *count < INT_MAX ? *count : INT_MAX, free_octets = *space < INT_MAX ? *space : INT_MAX;
  stream->next_in = octets;
  stream->avail_in = given;
  stream->next_out = room;
  stream->avail_out = free_octets;
  int result = deflate->is_expanding ? zlib.inflate(stream, sync_flush) : zlib.deflate(stream, sync_flush);
  *count = given - stream->avail_in;
  *space = free_octets - stream->avail_out;
  if (result == stream_end) return 1;
  return result == ok || result == buffer_error ? 0 : -1;
}
