// Programs that are given what strangers wrote: with limits, and where the system allows it in namespaces of their own, without
// network, home and anything that can be changed.
#define _GNU_SOURCE
#include "CPlatform.h"
#include "Confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/securebits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Those of the C library and of the kernel's headers cannot be included together everywhere.
#define SET_MOUNT_ATTRIBUTES 442
#define CLOSE_RANGE 436
#define RECURSIVELY 0x8000
#define ATTRIBUTE_READ_ONLY 0x1
#define ATTRIBUTE_NO_SETUID 0x2
#define ATTRIBUTE_NO_DEVICES 0x4

// The descriptor to which the report goes, in the new process.
enum { REPORT = 3 };

// Who has no rights anywhere, and no home.
enum { NOBODY = 65534 };

// Fewer where nothing tells how much memory they hold together.
static int processes_at_most = 64;

// All that the new process needs: it may allocate nothing, since another thread may have held the allocator's lock.
struct order {
  char *const *candidates;
  char *const *arguments;
  char *const *environment;
  int input;
  int output;
  int report;
  int is_confined;
  const struct magnum_limits *limits;
  char users[32];
  char groups[32];
};

// A copy of this process, with its one thread; without what fork(3) does besides, which may wait for other threads.
static pid_t copy(unsigned long flags) { return (pid_t)syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0); }

static _Noreturn void end(int kind, int value) {
  struct magnum_end message = {.kind = kind, .value = value};
  ssize_t written = write(REPORT, &message, sizeof message);
  (void)written;
  _exit(kind == MAGNUM_END_EXITED ? value : 125);
}

static void reset_signals(void) {
  sigset_t none;
  for (int number = 1; number < 65; number++) signal(number, SIG_DFL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static void take_descriptors(const struct order *order) {
  dup2(order->input, 0);
  dup2(order->output, 1);
  int nothing = open("/dev/null", O_WRONLY);
  dup2(nothing, 2);
  if (order->report != REPORT) dup2(order->report, REPORT);
  fcntl(REPORT, F_SETFD, FD_CLOEXEC);
  // Among the others are locks, which would be held for as long as a copy is open.
  if (syscall(CLOSE_RANGE, REPORT + 1, ~0U, 0) != 0)
    for (int other = REPORT + 1; other < 1024; other++) close(other);
}

static void limit(int resource, rlim_t value) {
  struct rlimit limit = {.rlim_cur = value, .rlim_max = value};
  setrlimit(resource, &limit);
}

static void set_limits(const struct magnum_limits *limits) {
  limit(RLIMIT_AS, (rlim_t)limits->memory);
  limit(RLIMIT_CPU, (rlim_t)limits->seconds);
  limit(RLIMIT_FSIZE, (rlim_t)limits->file_size);
  limit(RLIMIT_NOFILE, 256);
  limit(RLIMIT_CORE, 0);
}

static int write_file(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return -1;
  ssize_t written = write(file, text, strlen(text));
  int problem = errno;
  close(file);
  errno = problem;
  return written < 0 ? -1 : 0;
}

static int make_unchangeable(const char *path) {
  struct { unsigned long long set, clear, propagation, user; } attributes = {
      .set = ATTRIBUTE_READ_ONLY | ATTRIBUTE_NO_SETUID | ATTRIBUTE_NO_DEVICES};
  return (int)syscall(SET_MOUNT_ATTRIBUTES, AT_FDCWD, path, RECURSIVELY, &attributes, sizeof attributes);
}

// Shows a directory of the system at the same place below the working directory.
static int show_directory(const char *path) {
  struct stat status;
  const char *name = path + 1;
  if (lstat(path, &status) != 0) return errno == ENOENT ? 0 : -1;
  if (S_ISLNK(status.st_mode)) {
    char target[1024];
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0) return -1;
    target[length] = 0;
    return symlink(target, name);
  }
  if (!S_ISDIR(status.st_mode)) return 0;
  if (mkdir(name, 0755) != 0 || mount(path, name, NULL, MS_BIND | MS_REC, NULL) != 0) return -1;
  return make_unchangeable(name);
}

static int show_device(const char *path) {
  const char *name = path + 1;
  int file = open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0) return -1;
  close(file);
  return mount(path, name, NULL, MS_BIND, NULL);
}

// A root that has the system's programs and libraries and nothing else: no home, no mail, no sockets of services.
static int make_root(void) {
  static const char *const directories[] = {
      "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix", "/gnu"};
  // Not /dev/zero: what is mapped of it can be held by those that have not touched it.
  static const char *const devices[] = {"/dev/null", "/dev/random", "/dev/urandom"};
  const unsigned long plain = MS_NOSUID | MS_NODEV;
  if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return -1;
  if (mount("magnum", "/tmp", "tmpfs", plain, "size=1m,nr_inodes=1k,mode=755") != 0 || chdir("/tmp") != 0) return -1;
  for (size_t number = 0; number < sizeof directories / sizeof *directories; number++)
    if (show_directory(directories[number]) != 0) return -1;
  if (mkdir("dev", 0755) != 0 || mkdir("proc", 0755) != 0 || mkdir("tmp", 0700) != 0) return -1;
  for (size_t number = 0; number < sizeof devices / sizeof *devices; number++)
    if (show_device(devices[number]) != 0) return -1;
  if (symlink("/proc/self/fd", "dev/fd") != 0 || symlink("/proc/self/fd/0", "dev/stdin") != 0 ||
      symlink("/proc/self/fd/1", "dev/stdout") != 0)
    return -1;
  // Some containers do not allow it; few programs need it. Who is root outside could change settings of the system by it.
  if (mount("proc", "proc", "proc", plain | MS_NOEXEC | MS_RDONLY, NULL) != 0) errno = 0;
  if (mount("magnum", "tmp", "tmpfs", plain, "size=64m,nr_inodes=16k,mode=700") != 0) return -1;
  if (syscall(SYS_pivot_root, ".", ".") != 0 || umount2(".", MNT_DETACH) != 0) return -1;
  if (mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | plain, NULL) != 0) return -1;
  return chdir("/tmp");
}

static void enter(const struct order *order) {
  // Whose identity was changed for this is not looked into by itself either.
  prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  // Some systems have no such file: then there is nothing to be forbidden.
  if (write_file("/proc/self/setgroups", "deny") != 0 && errno != ENOENT) end(MAGNUM_END_NO_USERS, errno);
  if (write_file("/proc/self/uid_map", order->users) != 0 || write_file("/proc/self/gid_map", order->groups) != 0)
    end(MAGNUM_END_NO_USERS, errno);
  // Of a process of root these are not all NOBODY yet. Not by the C library, which tells all threads that it knows of: it would
  // wait for ever for one that was being made when this process was copied.
  if (syscall(SYS_setresgid, NOBODY, NOBODY, NOBODY) != 0 || syscall(SYS_setresuid, NOBODY, NOBODY, NOBODY) != 0)
    end(MAGNUM_END_NO_USERS, errno);
  if (make_root() != 0) end(MAGNUM_END_NO_ROOT, errno);
}

static _Noreturn void become(const struct order *order) {
  int problem = ENOENT;
  setpriority(PRIO_PROCESS, 0, 19);
  if (order->is_confined) magnum_filter_calls();
  for (char *const *candidate = order->candidates; *candidate; candidate++) {
    execve(*candidate, order->arguments, order->environment);
    if (errno != ENOENT && errno != ENOTDIR) problem = errno;
  }
  end(MAGNUM_END_NOT_STARTED, problem);
}

// Starts the program, and has as many processes as are allowed counted by the system, where it counts those of the namespace
// alone: others may have more already.
static pid_t start(const struct order *order) {
  struct rlimit before, few = {.rlim_cur = (rlim_t)processes_at_most, .rlim_max = (rlim_t)processes_at_most};
  getrlimit(RLIMIT_NPROC, &before);
  few.rlim_max = before.rlim_max;
  if (few.rlim_max < few.rlim_cur) few.rlim_cur = few.rlim_max;
  setrlimit(RLIMIT_NPROC, &few);
  // Closed by the execve: until then the child has the memory of this process.
  int ready[2] = {-1, -1};
  if (pipe2(ready, O_CLOEXEC) != 0) return -1;
  pid_t child = copy(0);
  if (child < 0 && errno == EAGAIN) {
    setrlimit(RLIMIT_NPROC, &before);
    child = copy(0);
  } else if (child == 0) {
    limit(RLIMIT_NPROC, few.rlim_cur);
  }
  if (child == 0) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    become(order);
  }
  // For the process that counts.
  setrlimit(RLIMIT_NPROC, &before);
  int problem = errno;
  char nothing;
  close(ready[1]);
  ssize_t length = child > 0 ? read(ready[0], &nothing, 1) : 0;
  (void)length;
  close(ready[0]);
  errno = problem;
  return child;
}

// How many processes there have been in the namespace, by the number of the last one; -1 where no more can be made.
//
// Where /proc does not tell, one is made to see its number: that costs a copy of the pages of this process.
static pid_t newest(int *probes) {
  pid_t number = magnum_newest_process();
  if (number > 0) return number;
  pid_t probe = copy(0);
  if (probe == 0) _exit(0);
  if (probe > 0) waitpid(probe, NULL, 0);
  if (probe > 0) ++*probes;
  return probe;
}

// The first process of the namespace: with its end all others end, whatever they did to stay.
static _Noreturn void watch(const struct order *order) {
  const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ends, NULL);
  pid_t child = start(order);
  if (child < 0) end(MAGNUM_END_NOT_STARTED, errno);
  // They would keep the reader from seeing the end of the output.
  close(0);
  close(1);
  for (int probes = 0;;) {
    int status;
    pid_t ended = waitpid(-1, &status, WNOHANG);
    if (ended == child && WIFEXITED(status)) end(MAGNUM_END_EXITED, WEXITSTATUS(status));
    if (ended == child) end(MAGNUM_END_SIGNALLED, WTERMSIG(status));
    if (ended > 0) continue;
    sigtimedwait(&ends, NULL, &pause);
    if (magnum_memory_of_all() > order->limits->memory) end(MAGNUM_END_TOO_MUCH, 0);
    pid_t number = newest(&probes);
    if (number < 0 || number - child - probes > processes_at_most) end(MAGNUM_END_TOO_MANY, processes_at_most);
  }
}

// Where nothing tells how much memory they hold together, few processes get little each.
static void limit_blindly(struct magnum_limits *limits) {
  if (magnum_memory_of_all() >= 0) return;
  processes_at_most = 8;
  limits->memory /= processes_at_most;
}

static _Noreturn void begin(const struct order *order) {
  struct magnum_limits limits = *order->limits;
  reset_signals();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setsid();
  take_descriptors(order);
  if (order->is_confined) {
    enter(order);
    limit_blindly(&limits);
  }
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  set_limits(&limits);
  if (order->is_confined) watch(order);
  become(order);
}

// What this thread was before it became NOBODY for a moment.
struct identity {
  int is_changed;
  int bits;
  int count;
  gid_t groups[256];
};

// Makes this thread of root, and no other one, NOBODY, so that a namespace is made in that name: what only root may read is not
// for what strangers wrote. Where the system does not know NOBODY it stays root.
static void step_down(struct identity *identity) {
  identity->is_changed = 0;
  identity->count = getgroups(256, identity->groups);
  if (geteuid() != 0 || identity->count < 0) return;
  // With all capabilities: only who has them may make a namespace on some systems.
  identity->bits = prctl(PR_GET_SECUREBITS);
  prctl(PR_SET_SECUREBITS, (unsigned long)(identity->bits | SECBIT_NO_SETUID_FIXUP));
  // In a namespace of one user groups may not be changed; root is no other user there.
  if (syscall(SYS_setgroups, 0, NULL) != 0) {
    prctl(PR_SET_SECUREBITS, (unsigned long)identity->bits);
    return;
  }
  syscall(SYS_setresgid, -1, NOBODY, -1);
  syscall(SYS_setresuid, -1, NOBODY, -1);
  identity->is_changed = 1;
}

static void step_up(const struct identity *identity) {
  if (!identity->is_changed) return;
  if (syscall(SYS_setresuid, -1, 0, -1) != 0 || syscall(SYS_setresgid, -1, 0, -1) != 0 ||
      syscall(SYS_setgroups, identity->count, identity->groups) != 0)
    abort();
  prctl(PR_SET_SECUREBITS, (unsigned long)identity->bits);
}

int magnum_spawn_limited(
    int *process, char *const candidates[], char *const arguments[], char *const environment[], int input, int output,
    int report, int is_confined, const struct magnum_limits *limits) {
  struct order order = {
      .candidates = candidates,
      .arguments = arguments,
      .environment = environment,
      .input = input,
      .output = output,
      .report = report,
      .is_confined = is_confined,
      .limits = limits};
  const unsigned long namespaces =
      CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
  // No handler of this process may run in the copy.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  struct identity identity = {0};
  if (is_confined) step_down(&identity);
  snprintf(order.users, sizeof order.users, "%d %u 1", NOBODY, (unsigned)geteuid());
  snprintf(order.groups, sizeof order.groups, "%d %u 1", NOBODY, (unsigned)getegid());
  pid_t child = copy(is_confined ? namespaces : 0);
  int problem = child < 0 ? errno : 0;
  if (child == 0) begin(&order);
  step_up(&identity);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  *process = child;
  return problem;
}
