/*
 * Put before the C library by LD_PRELOAD: counts each write, sync, rename, shortening and removal below FAULTS_FOLDER, and has one of them
 * fail, or kills the process in its place. The file FAULTS_CONTROL says which, and says it at any time: all of it is mapped.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/* As `control.ts` writes and reads it. */
struct control {
  int64_t at;    /* which call, counted from 1; 0 for none */
  int64_t error; /* what it fails with; 0 for a kill in its place */
  int64_t count; /* calls until now */
  char what[488]; /* the call that was struck, and its file; empty for none */
};

static struct control *control;
static const char *folder;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("FAULTS_CONTROL");
  folder = getenv("FAULTS_FOLDER");
  unsetenv("LD_PRELOAD"); /* what this process starts is left alone */
  if (path == NULL || folder == NULL) return;
  folder = strdup(folder);
  int fd = open(path, O_RDWR | O_CLOEXEC);
  void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (fd < 0 || mapped == MAP_FAILED) {
    perror(path);
    abort();
  }
  close(fd);
  control = mapped;
}

/* Whether this call is to fail; errno is set then, and else left as it is. */
static int strikes(const char *call, const char *path) {
  if (control == NULL || strncmp(path, folder, strlen(folder)) != 0) return 0;
  int64_t n = __atomic_add_fetch(&control->count, 1, __ATOMIC_SEQ_CST);
  if (n != __atomic_load_n(&control->at, __ATOMIC_SEQ_CST)) return 0;
  snprintf(control->what, sizeof control->what, "%s %s", call, path + strlen(folder));
  if (control->error == 0) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
  }
  errno = (int)control->error;
  return 1;
}

static int strikes_open(const char *call, int fd) {
  char link[32], path[PATH_MAX];
  int before = errno;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  errno = before;
  if (length < 0) return 0;
  path[length] = 0;
  return strikes(call, path);
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define ON_FILE(type, name, parameters, arguments) \
  type name parameters { \
    REAL(name); \
    return strikes_open(#name, fd) ? -1 : real arguments; \
  }

#define ON_PATH(name, parameters, arguments) \
  int name parameters { \
    REAL(name); \
    return strikes(#name, path) ? -1 : real arguments; \
  }

ON_FILE(ssize_t, write, (int fd, const void *bytes, size_t size), (fd, bytes, size))
ON_FILE(ssize_t, pwrite, (int fd, const void *bytes, size_t size, off_t offset), (fd, bytes, size, offset))
ON_FILE(ssize_t, pwrite64, (int fd, const void *bytes, size_t size, off64_t offset), (fd, bytes, size, offset))
ON_FILE(ssize_t, writev, (int fd, const struct iovec *parts, int count), (fd, parts, count))
ON_FILE(ssize_t, pwritev, (int fd, const struct iovec *parts, int count, off_t offset), (fd, parts, count, offset))
ON_FILE(ssize_t, pwritev64, (int fd, const struct iovec *parts, int count, off64_t offset), (fd, parts, count, offset))
ON_FILE(int, fsync, (int fd), (fd))
ON_FILE(int, fdatasync, (int fd), (fd))
ON_FILE(int, ftruncate, (int fd, off_t length), (fd, length))
ON_FILE(int, ftruncate64, (int fd, off64_t length), (fd, length))
ON_PATH(rename, (const char *path, const char *to), (path, to))
ON_PATH(unlink, (const char *path), (path))
