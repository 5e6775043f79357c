// Loaded before the C library into the test program (LD_PRELOAD), which works on as many tests at once as there are
// cores. Most of them wait for a server or a program: TESTS_AT_ONCE is how many cores there seem to be.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

static int cores(void) {
  const char *setting = getenv("TESTS_AT_ONCE");
  int count = setting ? atoi(setting) : 0;
  return count > 0 ? count : 1;
}

int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set) {
  (void)thread;
  CPU_ZERO_S(size, set);
  for (int core = 0; core < cores(); core++) CPU_SET_S(core, size, set);
  return 0;
}

long sysconf(int name) {
  if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF) return cores();
  return ((__typeof__(&sysconf))dlsym(RTLD_NEXT, "sysconf"))(name);
}
