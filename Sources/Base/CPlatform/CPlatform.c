#define _GNU_SOURCE
#include "CPlatform.h"

#include <arpa/nameser.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <malloc.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <resolv.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <sys/prctl.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

void magnum_close_memory(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

bool magnum_has_access_list(const char *path) {
  return lgetxattr(path, "system.posix_acl_access", NULL, 0) > 0;
}

extern char **environ;

static int argument_count;
static char **argument_vector;

// Where one of the first three descriptors is closed, the next file or connection would become it, and what
// is written to standard error would go into that. What takes its place fails when it is used, as a closed one does.
static void take_descriptor(int descriptor) {
  if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF)
    open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
}

// The loader calls it before main, as it calls that: Swift itself asks /proc, which is not everywhere.
__attribute__((constructor)) static void begin(int count, char **arguments) {
  argument_count = count;
  argument_vector = arguments;
  for (int descriptor = 0; descriptor < 3; descriptor++) take_descriptor(descriptor);
}

int magnum_argument_count(void) { return argument_count; }

const char *magnum_argument(int number) { return argument_vector[number]; }

bool magnum_has_library(const char *name) {
  void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (library) dlclose(library);
  return library != NULL;
}

// Written by `make build`; never part of the sources.
#if __has_include("Commit.h")
#include "Commit.h"
#else
#define MAGNUM_COMMIT ""
#endif

const char *magnum_commit(void) { return MAGNUM_COMMIT; }

const char *magnum_executable(void) {
  const char *path = (const char *)getauxval(AT_EXECFN);
  return path ? path : "";
}

int magnum_rename_without_replacing(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

int magnum_exchange(const char *one, const char *other) {
  return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}

int magnum_syncfs(int descriptor) { return syncfs(descriptor); }

int magnum_begin_writeback(int descriptor) {
  return sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
}

int magnum_lock_exclusively(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB); }

int magnum_unlock(int descriptor) { return flock(descriptor, LOCK_UN); }

long magnum_directory_records(int descriptor, void *buffer, size_t size) {
  return getdents64(descriptor, buffer, size);
}

int magnum_pipe(int descriptors[2]) { return pipe2(descriptors, O_CLOEXEC); }

int magnum_reserve(int file, long start, long count) { return fallocate(file, FALLOC_FL_KEEP_SIZE, start, count); }

int magnum_memory_file(void) { return memfd_create("magnum", MFD_CLOEXEC); }

int magnum_is_in_memory(const char *path) {
  struct statfs result;
  if (statfs(path, &result) < 0) return -1;
  return result.f_type == TMPFS_MAGIC || result.f_type == RAMFS_MAGIC;
}

int magnum_socket_pair(int descriptors[2]) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, descriptors);
}

// Waits of a connection are short: both ends answer at once.
static void limit_waits(int descriptor) {
  struct timeval limit = {.tv_sec = 5};
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

// Binds or connects a socket by way of its directory's descriptor, since an address holds 107 octets only.
static int local_socket(const char *directory, const char *name, int listens) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int place = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (place < 0) return -1;
  int length = snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s", place, name);
  int descriptor = -1;
  if (length < 0 || (size_t)length >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
  } else {
    descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | (listens ? SOCK_NONBLOCK : 0), 0);
  }
  if (descriptor >= 0) {
    const struct sockaddr *target = (const struct sockaddr *)&address;
    int failed;
    if (listens) {
      unlink(address.sun_path);
      failed = bind(descriptor, target, sizeof address) || listen(descriptor, 16);
    } else {
      limit_waits(descriptor);
      failed = connect(descriptor, target, sizeof address);
    }
    if (failed) {
      int problem = errno;
      close(descriptor);
      errno = problem;
      descriptor = -1;
    }
  }
  int problem = errno;
  close(place);
  errno = problem;
  return descriptor;
}

int magnum_listen_locally(const char *directory, const char *name) { return local_socket(directory, name, 1); }

int magnum_connect_locally(const char *directory, const char *name) { return local_socket(directory, name, 0); }

int magnum_accept_locally(int listener) {
  int descriptor = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  if (descriptor < 0) return -1;
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) || peer.uid != geteuid()) {
    close(descriptor);
    return -1;
  }
  limit_waits(descriptor);
  return descriptor;
}

typedef int (*domain_converter)(const char *, char **, int);

static domain_converter converter;

static void load_converter(void) {
  void *library = dlopen("libidn2.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library) converter = (domain_converter)dlsym(library, "idn2_to_ascii_8z");
}

char *magnum_domain_in_ascii(const char *domain) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  // IDN2_NFC_INPUT and IDN2_NONTRANSITIONAL.
  const int flags = 1 | 8;
  char *result = NULL;
  pthread_once(&once, load_converter);
  return converter && converter(domain, &result, flags) == 0 ? result : NULL;
}

typedef const void *(*suffix_loader)(const char *);
typedef const char *(*suffix_finder)(const void *, const char *);

static const void *suffixes;
static suffix_finder find_registered;

static void load_suffixes(void) {
  void *library = dlopen("libpsl.so.5", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  suffix_loader load = (suffix_loader)dlsym(library, "psl_latest");
  find_registered = (suffix_finder)dlsym(library, "psl_registrable_domain");
  if (load && find_registered) suffixes = load(NULL);
}

char *magnum_registered_domain(const char *host) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load_suffixes);
  const char *found = suffixes ? find_registered(suffixes, host) : NULL;
  return found ? strdup(found) : NULL;
}

int magnum_ask_dns(const char *name, int type, unsigned char *answer, int size) {
  struct __res_state state;
  memset(&state, 0, sizeof state);
  if (res_ninit(&state) != 0) return -1;
  state.retrans = 2;
  state.retry = 2;
  int length = res_nquery(&state, name, C_IN, type, answer, size);
  int cause = state.res_h_errno;
  res_nclose(&state);
  if (length >= 0) return length > size ? -1 : length;
  return cause == HOST_NOT_FOUND || cause == NO_DATA ? 0 : -1;
}

int magnum_event(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int magnum_raise_event(int descriptor) { return eventfd_write(descriptor, 1); }

void magnum_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

static atomic_int caught_signal;
static atomic_int signal_event = -1;
static atomic_int postponements;
static atomic_int end_status = -1;

void magnum_postpone_end(int change) { atomic_fetch_add(&postponements, change); }

void magnum_set_end_status(int status) { atomic_store(&end_status, status); }

static _Noreturn void end_at_signal(int number) {
  int status = atomic_load(&end_status);
  if (status >= 0) _exit(status);
  magnum_end_by_signal(number);
}

// Only what is allowed in a handler: lock-free atomics, write(2), kill(2), _exit(2).
static void catch_signal(int number) {
  int saved = errno;
  int none = 0;
  if (!atomic_compare_exchange_strong(&caught_signal, &none, number) &&
      atomic_load(&postponements) == 0)
    end_at_signal(number);
  uint64_t one = 1;
  ssize_t written = write(atomic_load(&signal_event), &one, sizeof one);
  (void)written;
  errno = saved;
}

void magnum_watch_signal(int number, int event) {
  struct sigaction action;
  atomic_store(&signal_event, event);
  if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_IGN) return;
  action.sa_handler = catch_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

int magnum_caught_signal(void) { return atomic_load(&caught_signal); }

void magnum_ignore_signal(int number) { signal(number, SIG_IGN); }

_Noreturn void magnum_end_by_signal(int number) {
  sigset_t set;
  signal(number, SIG_DFL);
  sigemptyset(&set);
  sigaddset(&set, number);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  kill(getpid(), number);
  raise(number);
  _exit(128 + number);
}

_Noreturn void magnum_kill_self(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

static int prepare_attributes(posix_spawnattr_t *attributes, bool blocks_signals, bool is_apart) {
  sigset_t blocked, defaults;
  sigemptyset(&blocked);
  sigemptyset(&defaults);
  if (blocks_signals) {
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGHUP);
  }
  // Those which this process ignores or waits for itself. What its own parent ignored (nohup)
  // stays ignored in the child.
  sigaddset(&defaults, SIGPIPE);
  sigaddset(&defaults, SIGXFSZ);
  int problem = posix_spawnattr_setsigmask(attributes, &blocked);
  if (problem == 0) problem = posix_spawnattr_setsigdefault(attributes, &defaults);
  if (problem == 0 && is_apart) problem = posix_spawnattr_setpgroup(attributes, 0);
  const short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (is_apart ? POSIX_SPAWN_SETPGROUP : 0);
  if (problem == 0) problem = posix_spawnattr_setflags(attributes, flags);
  return problem;
}

static int prepare_descriptor(
    posix_spawn_file_actions_t *actions, int source, int target, int flags) {
  if (source < 0) return posix_spawn_file_actions_addopen(actions, target, "/dev/null", flags, 0);
  return posix_spawn_file_actions_adddup2(actions, source, target);
}

int magnum_spawn(
    int *process, const char *file, char *const arguments[], char *const environment[], int input,
    int output, int errors, int report, int other, bool blocks_signals, bool is_apart) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  int problem = posix_spawnattr_init(&attributes);
  if (problem != 0) return problem;
  // Out of the way of the numbers that are given to the child.
  const int high_report = report < 0 ? -1 : fcntl(report, F_DUPFD_CLOEXEC, 10);
  const int high_other = other < 0 ? -1 : fcntl(other, F_DUPFD_CLOEXEC, 10);
  problem = posix_spawn_file_actions_init(&actions);
  if (problem != 0) {
    if (high_report >= 0) close(high_report);
    if (high_other >= 0) close(high_other);
    posix_spawnattr_destroy(&attributes);
    return problem;
  }
  problem = prepare_attributes(&attributes, blocks_signals, is_apart);
  // Output first: where this process lacks a standard input, the pipe may be descriptor 0.
  if (problem == 0) problem = prepare_descriptor(&actions, output, 1, O_WRONLY);
  if (problem == 0) problem = prepare_descriptor(&actions, input, 0, O_RDONLY);
  if (problem == 0 && errors != 2) problem = prepare_descriptor(&actions, errors, 2, O_WRONLY);
  if (problem == 0 && report >= 0) problem = posix_spawn_file_actions_adddup2(&actions, high_report, 3);
  if (problem == 0 && other >= 0) problem = posix_spawn_file_actions_adddup2(&actions, high_other, 4);
  if (problem == 0)
    problem = posix_spawnp(
        process, file, &actions, &attributes, arguments, environment ? environment : environ);
  if (high_report >= 0) close(high_report);
  if (high_other >= 0) close(high_other);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return problem;
}

static bool become(unsigned int user, unsigned int group) {
  // By the calls themselves: what the C library does for all threads of a process is of no use between fork and exec.
  const gid_t groups[] = {group};
  return syscall(SYS_setresuid, -1, 0, -1) == 0 && syscall(SYS_setgroups, 1, groups) == 0 &&
         syscall(SYS_setresgid, group, group, group) == 0 && syscall(SYS_setresuid, user, user, user) == 0 &&
         syscall(SYS_setresuid, -1, 0, -1) != 0;
}

static _Noreturn void run_as(
    const char *file, char *const arguments[], char *const environment[], int input, int errors,
    unsigned int user, unsigned int group, int report) {
  sigset_t none;
  sigemptyset(&none);
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  setpgid(0, 0);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXFSZ, SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (null >= 0 && dup2(null, 1) >= 0 && dup2(input, 0) >= 0 && dup2(errors, 2) >= 0 && become(user, group))
    execvpe(file, arguments, environment);
  const int problem = errno != 0 ? errno : EPERM;
  ssize_t written = write(report, &problem, sizeof problem);
  (void)written;
  _exit(127);
}

int magnum_spawn_as(
    int *process, const char *file, char *const arguments[], char *const environment[], int input,
    int errors, unsigned int user, unsigned int group) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return errno;
  // Out of the way of the numbers that are given to the child.
  const int high_input = fcntl(input, F_DUPFD_CLOEXEC, 10);
  const int high_errors = fcntl(errors, F_DUPFD_CLOEXEC, 10);
  const int high_report = fcntl(report[1], F_DUPFD_CLOEXEC, 10);
  int problem = high_input < 0 || high_errors < 0 || high_report < 0 ? errno : 0;
  if (problem == 0) {
    const pid_t child = fork();
    if (child == 0) run_as(file, arguments, environment, high_input, high_errors, user, group, high_report);
    if (child < 0) problem = errno;
    *process = child;
  }
  if (high_input >= 0) close(high_input);
  if (high_errors >= 0) close(high_errors);
  if (high_report >= 0) close(high_report);
  close(report[1]);
  int code = 0;
  if (problem == 0) {
    ssize_t count;
    do count = read(report[0], &code, sizeof code);
    while (count < 0 && errno == EINTR);
    if (count == sizeof code) {
      while (waitpid(*process, NULL, 0) < 0 && errno == EINTR) {}
      problem = code;
    }
  }
  close(report[0]);
  return problem;
}

bool magnum_is_in_foreground(void) {
  int terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (terminal < 0) return false;
  const pid_t foreground = tcgetpgrp(terminal);
  close(terminal);
  return foreground == getpgrp();
}

int magnum_address_events(void) {
  struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR};
  int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
  if (descriptor < 0) return -1;
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
  close(descriptor);
  return -1;
}

int magnum_notify(const char *path, const char *text) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t length = strlen(path);
  if (length == 0 || length >= sizeof address.sun_path) return EINVAL;
  memcpy(address.sun_path, path, length);
  if (path[0] == '@') address.sun_path[0] = 0;
  int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return errno;
  ssize_t sent = sendto(
      descriptor, text, strlen(text), MSG_NOSIGNAL, (struct sockaddr *)&address,
      (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
  int problem = sent < 0 ? errno : 0;
  close(descriptor);
  return problem;
}

static atomic_int report_event = -1;

static void report_signal(int number) {
  (void)number;
  int saved = errno;
  uint64_t one = 1;
  ssize_t written = write(atomic_load(&report_event), &one, sizeof one);
  (void)written;
  errno = saved;
}

void magnum_report_signal(int number, int event) {
  struct sigaction action;
  atomic_store(&report_event, event);
  if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_IGN) return;
  action.sa_handler = report_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

void magnum_release_memory(void) { malloc_trim(0); }

long long magnum_boot_nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_BOOTTIME, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int magnum_clock_events(void) { return timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

int magnum_expect_clock_change(int descriptor) {
  // It never runs out; only that the clock is set cancels it.
  struct itimerspec never = {.it_value = {.tv_sec = 9000000000LL}};
  int flags = TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET;
  return timerfd_settime(descriptor, flags, &never, NULL);
}
