// Calls of the system that a program which is given what strangers wrote does not make: those by which memory is held that no
// process has mapped, those that make namespaces, and large parts of the kernel that no filter of texts needs.
#define _GNU_SOURCE
#include "Confinement.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define NEW_TIME 0x80
#define NAMESPACES \
  (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

// Newer ones have the same number everywhere; headers may be older.
enum {
  PIDFD_GETFD = 438,
  IO_URING_SETUP = 425,
  IO_URING_ENTER = 426,
  IO_URING_REGISTER = 427,
  OPEN_TREE = 428,
  MOVE_MOUNT = 429,
  FSOPEN = 430,
  FSMOUNT = 432,
  CLONE3 = 435,
  MOUNT_SETATTR = 442,
  MEMFD_SECRET = 447,
};

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define FAIL(number) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (number))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
// The next statement holds for this call alone.
#define WHERE(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1)
#define REFUSE(call) WHERE(call), FAIL(EPERM)

void magnum_filter_calls(void) {
#ifdef ARCHITECTURE
  static struct sock_filter filter[] = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
      FAIL(EPERM),
      LOAD(nr),
#ifdef __x86_64__
      // The numbers of x32, which name the same calls anew.
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      FAIL(ENOSYS),
#endif
      // Memory that is held without being mapped.
      REFUSE(SYS_shmget), REFUSE(SYS_shmat), REFUSE(SYS_msgget), REFUSE(SYS_semget), REFUSE(SYS_mq_open),
      REFUSE(SYS_memfd_create), REFUSE(MEMFD_SECRET), REFUSE(SYS_socket), REFUSE(SYS_socketpair),
      // Namespaces and mounts; without clone3 the C library takes clone, whose flags can be looked at.
      REFUSE(SYS_unshare), REFUSE(SYS_setns), REFUSE(SYS_mount), REFUSE(SYS_umount2), REFUSE(SYS_pivot_root),
      REFUSE(SYS_chroot), REFUSE(OPEN_TREE), REFUSE(MOVE_MOUNT), REFUSE(FSOPEN), REFUSE(FSMOUNT), REFUSE(MOUNT_SETATTR),
      WHERE(CLONE3), FAIL(ENOSYS),
      // What attacks on the kernel begin with.
      REFUSE(SYS_keyctl), REFUSE(SYS_add_key), REFUSE(SYS_request_key), REFUSE(IO_URING_SETUP), REFUSE(IO_URING_ENTER),
      REFUSE(IO_URING_REGISTER), REFUSE(SYS_perf_event_open), REFUSE(SYS_bpf), REFUSE(SYS_userfaultfd), REFUSE(SYS_ptrace),
      REFUSE(SYS_process_vm_readv), REFUSE(SYS_process_vm_writev), REFUSE(PIDFD_GETFD), REFUSE(SYS_personality),
      REFUSE(SYS_open_by_handle_at), REFUSE(SYS_name_to_handle_at),
      // Memory of several processes that is left to those that have not touched it.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 5),
      LOAD(args[3]),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, MAP_SHARED | MAP_ANONYMOUS),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MAP_SHARED | MAP_ANONYMOUS, 0, 1),
      FAIL(ENOMEM),
      ALLOW,
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),
      LOAD(args[0]),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, NAMESPACES),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
      FAIL(EPERM),
      ALLOW,
  };
  const struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
#endif
}
