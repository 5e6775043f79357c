// Before Loading.h, which hides what it declares.
#include <dlfcn.h>
#include <stdio.h>
#include <sysexits.h>
#include <unistd.h>

#include "Loading.h"

#define TEXT(VALUE) #VALUE
#define FILE_NAME(NAME, VERSION) NAME ".so." TEXT(VERSION)

// Of the version whose headers this was compiled with.
magnum_library magnum_libcrypto = {FILE_NAME("libcrypto", OPENSSL_SHLIB_VERSION), NULL};
magnum_library magnum_libssl = {FILE_NAME("libssl", OPENSSL_SHLIB_VERSION), NULL};

static void *load(magnum_library *library) {
  void *handle = __atomic_load_n(&library->handle, __ATOMIC_ACQUIRE);
  if (handle) return handle;
  // Another thread gets the same handle.
  handle = dlopen(library->name, RTLD_LAZY | RTLD_LOCAL);
  __atomic_store_n(&library->handle, handle, __ATOMIC_RELEASE);
  return handle;
}

void *magnum_find(magnum_library *library, const char *function) {
  void *handle = load(library);
  void *found = handle ? dlsym(handle, function) : NULL;
  if (found) return found;
  const char *reason = dlerror();
  fprintf(stderr,
          "magnum: OpenSSL cannot be loaded: %s: install the library, or build Magnum with the one "
          "that is there\n",
          reason ? reason : library->name);
  _exit(EX_UNAVAILABLE);
}
