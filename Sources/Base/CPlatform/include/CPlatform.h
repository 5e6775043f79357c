// System calls, and facts about signals, that the Glibc module hides from Swift.
#ifndef MAGNUM_CPLATFORM_H
#define MAGNUM_CPLATFORM_H

#include <stdbool.h>
#include <stddef.h>

// Lets no other process of the user read the memory of this one, and no dump of it be written (PR_SET_DUMPABLE).
void magnum_close_memory(void);

// Whether a file itself has a list of further users and groups who may do something with it (acl(5)).
bool magnum_has_access_list(const char *path);

// renameat2(2) with RENAME_NOREPLACE, relative to the working directory.
int magnum_rename_without_replacing(const char *from, const char *to);

// renameat2(2) with RENAME_EXCHANGE, relative to the working directory.
int magnum_exchange(const char *one, const char *other);

// syncfs(2).
int magnum_syncfs(int descriptor);

// sync_file_range(2) of the whole file with SYNC_FILE_RANGE_WRITE.
int magnum_begin_writeback(int descriptor);

// flock(2) with LOCK_EX | LOCK_NB; the name is also that of a struct, which confuses importers.
int magnum_lock_exclusively(int descriptor);

// flock(2) with LOCK_UN.
int magnum_unlock(int descriptor);

// getdents64(2): fills the buffer with linux_dirent64 records.
long magnum_directory_records(int descriptor, void *buffer, size_t size);

// pipe2(2) with O_CLOEXEC.
int magnum_pipe(int descriptors[2]);

// fallocate(2) with FALLOC_FL_KEEP_SIZE.
int magnum_reserve(int file, long start, long count);

// memfd_create(2) with MFD_CLOEXEC: a file without a name, in memory.
int magnum_memory_file(void);

// Whether the file system of a file lies in memory (statfs(2)): 1 or 0; -1 and errno.
int magnum_is_in_memory(const char *path);

// socketpair(2): a connected pair of Unix stream sockets with SOCK_CLOEXEC.
int magnum_socket_pair(int descriptors[2]);

// A listening Unix stream socket of that name in a directory, which replaces what has the name; -1 and errno.
// The name may be longer than an address of a socket can be.
int magnum_listen_locally(const char *directory, const char *name);

// Takes the next connection of such a socket, if it is one of the same user; without waiting; -1 where there is none.
int magnum_accept_locally(int listener);

// A connection to such a socket, which waits no longer than five seconds for each call; -1 and errno.
int magnum_connect_locally(const char *directory, const char *name);

// eventfd(2) with EFD_CLOEXEC | EFD_NONBLOCK, and a write that makes it readable.
int magnum_event(void);
int magnum_raise_event(int descriptor);

// The words that the program was called with, its name the first of them, without asking /proc.
int magnum_argument_count(void);
const char *magnum_argument(int number);

// Whether the loader finds a library of that name.
bool magnum_has_library(const char *name);

// The commit that this was built from; empty where that is not known.
const char *magnum_commit(void);

// The path of its file that the process was started with; empty where the system does not tell it.
const char *magnum_executable(void);

// Gives the calling thread a name of at most 15 octets for debuggers.
void magnum_name_thread(const char *name);

// From now on the first of the watched signals is kept and makes the eventfd(2) readable; the second ends the
// process. A signal that the process was told to ignore (nohup, a shell's background job) stays ignored.
void magnum_watch_signal(int number, int event);

// From now on that second signal ends the process with this status, and not as the signal would.
void magnum_set_end_status(int status);

// The signal that was caught; 0 if there was none.
int magnum_caught_signal(void);

void magnum_ignore_signal(int number);

// A domain name in UTF-8 in its ASCII form (IDNA 2008 with UTS 46, non-transitional), to be freed by the caller.
// NULL where it has none, or where the system has no libidn2, which is loaded at the first call as glibc itself does.
char *magnum_domain_in_ascii(const char *domain);

// The domain that a registry gave out in which a host lies (publicsuffix.org), of lower-case A-labels, to be freed by the
// caller. NULL where the host is none, or where the system has no libpsl, which is loaded at the first call.
char *magnum_registered_domain(const char *host);

// Asks the system's resolver for the records of a name, of that type and of the Internet; resolv.conf(5) says whom it asks,
// but nothing is appended to the name. The whole answer is put into the buffer; its length. 0 where there is no such name or
// record, -1 where no server answered within some seconds.
int magnum_ask_dns(const char *name, int type, unsigned char *answer, int size);

// Ends the process by this signal's default action, even where the calling thread blocks it.
_Noreturn void magnum_end_by_signal(int number);

// Ends the process at once, as a power cut would: nothing is flushed, no handler runs.
_Noreturn void magnum_kill_self(void);

// Counts what the end of the process has to wait for: while it is above zero, a second signal does not end the process.
void magnum_postpone_end(int change);

// posix_spawnp(3) with default signal actions in the child, and with an empty signal mask, or one of SIGINT, SIGTERM and
// SIGHUP.
// is_apart: in a process group of its own.
// input, output and errors become the child's descriptors 0, 1 and 2; -1 stands for /dev/null.
// report and other become 3 and 4; -1 stands for none.
// environment is the child's, each as NAME=value, with NULL at the end; NULL in its place stands for this process's.
// Returns 0 or the error number.
int magnum_spawn(
    int *process, const char *file, char *const arguments[], char *const environment[], int input,
    int output, int errors, int report, int other, bool blocks_signals, bool is_apart);

// Starts a program as another user, with that group and no other: root's right to become root again is gone in it, which
// posix_spawn(3) would leave there. It is in a process group of its own, with default signals; its output is thrown away.
// Returns 0 or the error number.
int magnum_spawn_as(
    int *process, const char *file, char *const arguments[], char *const environment[], int input,
    int errors, unsigned int user, unsigned int group);

// Whether this process is in the foreground of a terminal.
bool magnum_is_in_foreground(void);

// A socket that becomes readable when a network address is added, goes or is kept for longer: rtnetlink(7); -1 where there
// is none.
int magnum_address_events(void);

// Sends a text to a datagram socket, whose path begins with @ where it is an abstract name; 0 or the error number.
int magnum_notify(const char *path, const char *text);

// From now on each signal of this number makes the eventfd(2) readable, and does nothing else. One that the process was told
// to ignore (nohup) stays ignored.
void magnum_report_signal(int number, int event);

// Gives memory that is free back to the system, as far as the allocator can.
void magnum_release_memory(void);

// Takes the pages of the program's and its libraries' files that cannot be written to out of the process. They stay in the
// system's cache, and are mapped again, 16 at a time, where they are used.
void magnum_release_program_pages(void);

// Nanoseconds of the clock that goes on while the machine is suspended.
long long magnum_boot_nanoseconds(void);

// A timerfd(2) that becomes readable when the clock of the time of day is set, or the machine was suspended: each time once the
// other function was called for it.
int magnum_clock_events(void);
int magnum_expect_clock_change(int descriptor);

// What a program may use that is given what strangers wrote: octets of memory, seconds of the processor, octets of a file.
struct magnum_limits {
  long long memory;
  long long seconds;
  long long file_size;
};

// How such a program ended.
enum {
  // Its namespaces could not be set up: who it is, or what it sees of the file system; the error number.
  MAGNUM_END_NO_USERS = 1,
  MAGNUM_END_NO_ROOT = 2,
  // None of the candidates could be executed; the error number.
  MAGNUM_END_NOT_STARTED = 3,
  // By itself, with this exit status; by this signal.
  MAGNUM_END_EXITED = 4,
  MAGNUM_END_SIGNALLED = 5,
  // It made more processes than it may; they held more memory together than they may.
  MAGNUM_END_TOO_MANY = 6,
  MAGNUM_END_TOO_MUCH = 7,
};

struct magnum_end {
  int kind;
  int value;
};

// Starts the first of the candidates that is there, in a session of its own, with these limits and no descriptor but input and
// output; its standard error goes nowhere.
//
// Confined, it is in user, mount, PID, network, IPC and UTS namespaces of its own: the system's programs are all that it sees
// of the file system, which it cannot change except for 64 MiB in /tmp, and with the end of the process that is given back all
// processes end. That one writes a struct magnum_end to the descriptor `report`; an unconfined program only where it could not
// be started. The error number of clone(2), or 0.
int magnum_spawn_limited(
    int *process, char *const candidates[], char *const arguments[], char *const environment[], int input, int output,
    int report, int is_confined, const struct magnum_limits *limits);

// Whether zlib is there, which is loaded at the first use. From any thread.
bool magnum_has_deflate(void);

// One direction of octets as DEFLATE without a header (RFC 1951), by zlib.
struct magnum_deflate;

// A direction that expands or compresses; NULL without zlib or memory.
struct magnum_deflate *magnum_deflate_begin(int is_expanding);
void magnum_deflate_end(struct magnum_deflate *);

// Takes octets and gives what becomes of them; both counts become those that were taken and given. What is compressed can be
// expanded at once by the other end. 0: it goes on; 1: the stream is at its end; -1: the octets are damaged.
int magnum_deflate_step(struct magnum_deflate *, const void *octets, size_t *count, void *room, size_t *space);

#endif
