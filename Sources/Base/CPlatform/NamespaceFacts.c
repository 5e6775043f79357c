// What /proc says of the processes of a namespace together: how much memory they hold, and how many there have been.
#define _GNU_SOURCE
#include "Confinement.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// One record of getdents64(2).
struct entry {
  unsigned long long inode;
  long long offset;
  unsigned short length;
  unsigned char type;
  char name[];
};

static long long decimal(const char *text) {
  long long value = 0;
  while (*text == ' ' || *text == '\t') text++;
  for (; *text >= '0' && *text <= '9'; text++) value = value * 10 + (*text - '0');
  return value;
}

static long long kilobytes_behind(const char *text, const char *name) {
  const char *found = strstr(text, name);
  return found ? decimal(found + strlen(name)) : 0;
}

// The beginning of a file, ended as a string; whether there is any.
static int read_start(int directory, const char *path, char *text, size_t size) {
  int file = openat(directory, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = read(file, text, size - 1);
  close(file);
  text[length > 0 ? length : 0] = 0;
  return length > 0;
}

// What a process has of its own, in memory or swapped out.
static long long memory_of(int proc, const char *number) {
  char path[64], text[4096];
  snprintf(path, sizeof path, "%.20s/status", number);
  if (!read_start(proc, path, text, sizeof text)) return 0;
  return 1024 * (kilobytes_behind(text, "\nRssAnon:") + kilobytes_behind(text, "\nRssShmem:") +
                 kilobytes_behind(text, "\nVmSwap:"));
}

long long magnum_memory_of_all(void) {
  _Alignas(struct entry) char records[8192];
  int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (proc < 0) return -1;
  long long sum = 0;
  int found = 0;
  for (;;) {
    long length = syscall(SYS_getdents64, proc, records, sizeof records);
    if (length <= 0) break;
    for (long place = 0; place < length;) {
      const struct entry *entry = (const struct entry *)(records + place);
      place += entry->length;
      if (entry->name[0] < '0' || entry->name[0] > '9') continue;
      found = 1;
      // The first one is this process, a copy of the program that asks for the text.
      if (strcmp(entry->name, "1") != 0) sum += memory_of(proc, entry->name);
    }
  }
  close(proc);
  return found ? sum : -1;
}

int magnum_newest_process(void) {
  char text[128];
  if (!read_start(AT_FDCWD, "/proc/loadavg", text, sizeof text)) return -1;
  const char *last = strrchr(text, ' ');
  long long number = last ? decimal(last) : 0;
  return number > 0 ? (int)number : -1;
}
