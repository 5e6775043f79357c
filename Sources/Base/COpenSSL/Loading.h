// Libraries that are loaded on first use: a program that needs none of them starts in less time.
#ifndef MAGNUM_LOADING_H
#define MAGNUM_LOADING_H

// What is defined here is for this program alone: the library must not find its own functions here.
#pragma GCC visibility push(hidden)

#include "include/shim.h"

// A library by its file name, and what dlopen gave for it; null before the first use.
typedef struct {
  const char *name;
  void *handle;
} magnum_library;

extern magnum_library magnum_libcrypto;
extern magnum_library magnum_libssl;

// The address of a function, once its library is loaded. Where either is not there, the program says so and ends.
void *magnum_find(magnum_library *library, const char *function);

// Defines a function of the header that calls the one of that name in LIBRARY. Two threads may both look it up.
#define FUNCTION(RESULT, NAME, PARAMETERS, ARGUMENTS)                                              \
  RESULT NAME PARAMETERS {                                                                         \
    static __typeof__(&NAME) found;                                                                \
    __typeof__(&NAME) function = __atomic_load_n(&found, __ATOMIC_ACQUIRE);                        \
    if (!function) {                                                                               \
      function = (__typeof__(&NAME))magnum_find(&LIBRARY, #NAME);                                  \
      __atomic_store_n(&found, function, __ATOMIC_RELEASE);                                        \
    }                                                                                              \
    return function ARGUMENTS;                                                                     \
  }

#pragma GCC visibility pop

#endif
