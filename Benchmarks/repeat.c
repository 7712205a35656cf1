// Measures a command: runs it repeatedly with standard output discarded, and prints three medians and the fastest
// time.
//
//   cc -O2 repeat.c -o repeat
//   ./repeat TIMES COMMAND [ARGUMENT]...      prints: wall ms, CPU ms (user and system), peak memory in KB,
//                                             minimum wall ms
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double milliseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static double of(struct timeval t) { return (double)t.tv_sec * 1e3 + (double)t.tv_usec * 1e-3; }

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, ascending);
  return values[count / 2];
}

int main(int count, char **arguments) {
  int times = count > 2 ? atoi(arguments[1]) : 0;
  if (times < 1) return fprintf(stderr, "usage: repeat TIMES COMMAND [ARGUMENT]...\n"), 64;
  double *wall = calloc((size_t)times, sizeof *wall), *cpu = calloc((size_t)times, sizeof *cpu);
  double *memory = calloc((size_t)times, sizeof *memory);
  posix_spawn_file_actions_t actions;
  if (!wall || !cpu || !memory || posix_spawn_file_actions_init(&actions) != 0) return 71;
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  for (int i = 0; i < times; i++) {
    pid_t process;
    int status;
    struct rusage usage;
    double begin = milliseconds();
    int code = posix_spawnp(&process, arguments[2], &actions, NULL, arguments + 2, environ);
    if (code != 0) return fprintf(stderr, "repeat: %s: %s\n", arguments[2], strerror(code)), 69;
    while (wait4(process, &status, 0, &usage) < 0 && errno == EINTR) {}
    wall[i] = milliseconds() - begin;
    cpu[i] = of(usage.ru_utime) + of(usage.ru_stime);
    memory[i] = (double)usage.ru_maxrss;
    if (status != 0) return fprintf(stderr, "repeat: %s exited with status %d\n", arguments[2], status >> 8), 70;
  }
  double middle = median(wall, times);  // median() sorts, so the first is the minimum.
  printf("%.2f %.2f %.0f %.2f\n", middle, median(cpu, times), median(memory, times), wall[0]);
  return 0;
}
