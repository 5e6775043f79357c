// Loaded before the C library into a program under test (LD_PRELOAD), which knows nothing of it.
//
// PRELOAD_CHANGES names a folder: every change on disk, and what was made durable, is written down there, so that a
// test can take away what a power cut would (PowerCut.swift). `log` gets a line a call that did something: its name,
// inode, size and path, and the new path of a rename or link, with tabs between. Each file that is changed is kept
// there too, by a hard link whose name is its inode.
//
// PRELOAD_CLOCK is a number of seconds that the clock is wrong by, or a file that holds it and may change.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

static const char *folder(void) { return getenv("PRELOAD_CHANGES"); }

// Keeps the content of a file that is about to lose a name, or has got one.
static void keep(const char *path) {
  struct stat status;
  char copy[PATH_MAX];
  if (!folder() || lstat(path, &status) != 0 || !S_ISREG(status.st_mode)) return;
  snprintf(copy, sizeof copy, "%s/%llu", folder(), (unsigned long long)status.st_ino);
  NEXT(link)(path, copy);
}

static void append(const char *line, size_t size) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/log", folder());
  int log = NEXT(open)(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (log < 0) return;
  ssize_t written = NEXT(write)(log, line, size);
  (void)written;
  NEXT(close)(log);
}

static void note(const char *call, const char *path, const char *target) {
  struct stat status = {0};
  char line[3 * PATH_MAX];
  if (!folder()) return;
  lstat(target ? target : path, &status);
  int size = snprintf(
      line, sizeof line, "%s\t%llu\t%lld\t%s%s%s\n", call, (unsigned long long)status.st_ino,
      (long long)status.st_size, path, target ? "\t" : "", target ? target : "");
  append(line, size);
}

static void note_descriptor(const char *call, int descriptor) {
  struct stat status;
  char link[64], path[PATH_MAX];
  if (!folder() || fstat(descriptor, &status) != 0) return;
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t size = readlink(link, path, sizeof path - 1);
  if (size < 0) return;
  path[size] = 0;
  note(call, path, NULL);
}

// A call and its note belong together, or the log would have another order than the changes.
#define CHANGE(call, before, after)      \
  pthread_mutex_lock(&order);            \
  before;                                \
  __typeof__(call) result = call;        \
  int problem = errno;                   \
  if (result >= 0) after;                \
  pthread_mutex_unlock(&order);          \
  errno = problem;                       \
  return result

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (!(flags & (O_CREAT | O_TRUNC))) return NEXT(open)(path, flags);
  CHANGE(NEXT(open)(path, flags, mode), , (keep(path), note("open", path, NULL)));
}

ssize_t write(int descriptor, const void *octets, size_t count) {
  struct stat status;
  if (!folder() || fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
    return NEXT(write)(descriptor, octets, count);
  CHANGE(NEXT(write)(descriptor, octets, count), , note_descriptor("write", descriptor));
}

int ftruncate(int descriptor, off_t size) {
  CHANGE(NEXT(ftruncate)(descriptor, size), , note_descriptor("ftruncate", descriptor));
}

int fsync(int descriptor) {
  CHANGE(NEXT(fsync)(descriptor), , note_descriptor("fsync", descriptor));
}

int fdatasync(int descriptor) {
  CHANGE(NEXT(fdatasync)(descriptor), , note_descriptor("fdatasync", descriptor));
}

int syncfs(int descriptor) {
  CHANGE(NEXT(syncfs)(descriptor), , note_descriptor("syncfs", descriptor));
}

int rename(const char *from, const char *to) {
  CHANGE(NEXT(rename)(from, to), (keep(from), keep(to)), note("rename", from, to));
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
  CHANGE(
      NEXT(renameat2)(from_folder, from, to_folder, to, flags), (keep(from), keep(to)),
      note("rename", from, to));
}

int link(const char *from, const char *to) {
  CHANGE(NEXT(link)(from, to), keep(from), note("link", from, to));
}

int unlink(const char *path) { CHANGE(NEXT(unlink)(path), keep(path), note("unlink", path, NULL)); }

int mkdir(const char *path, mode_t mode) {
  CHANGE(NEXT(mkdir)(path, mode), , note("mkdir", path, NULL));
}

int rmdir(const char *path) { CHANGE(NEXT(rmdir)(path), , note("rmdir", path, NULL)); }

// The seconds to add; read anew each time, since a clock may be set while a program runs.
static long clock_error(void) {
  const char *setting = getenv("PRELOAD_CLOCK");
  char text[32] = {0};
  if (!setting) return 0;
  if (*setting != '/') return atol(setting);
  int file = NEXT(open)(setting, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t size = read(file, text, sizeof text - 1);
  NEXT(close)(file);
  return size > 0 ? atol(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = NEXT(clock_gettime)(clock, time);
  if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += clock_error();
  return result;
}

// Where the clock is a file, that it is written anew is what sets the clock.
int timerfd_create(int clock, int flags) {
  const char *setting = getenv("PRELOAD_CLOCK");
  if (!setting || *setting != '/') return NEXT(timerfd_create)(clock, flags);
  int events = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (events >= 0) inotify_add_watch(events, setting, IN_CLOSE_WRITE);
  return events;
}

int timerfd_settime(
    int timer, int flags, const struct itimerspec *time, struct itimerspec *before) {
  const char *setting = getenv("PRELOAD_CLOCK");
  if (!setting || *setting != '/') return NEXT(timerfd_settime)(timer, flags, time, before);
  char events[4096];
  while (read(timer, events, sizeof events) > 0) continue;
  return 0;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}
