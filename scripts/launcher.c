/* bin/metube-rss and bin/metube-hub of the self-contained archive: start lib/metube-rss/NAME, the program of the launcher's
   name, with the libraries in lib/, wherever the archive was unpacked.

   Where this system's C library is recent enough, the system's dynamic linker and C library are used, so that its name
   services and locales work as in any program; elsewhere those in lib/libc, which METUBE_OWN_LIBC=1 demands.

   Started as `ld.so PROGRAM`, a program would find the linker at /proc/self/exe and in its arguments (proc(5)), which it
   starts itself with and finds its files by. LD_LIBRARY_PATH would reach its children, a player or a hook. So the launcher
   does what execve(2) does for an interpreter, but within this process: it maps the dynamic linker, puts
   `--library-path LIBRARIES --argv0 ARGV0 PROGRAM` before the arguments (ld.so(8)), and jumps to it. /proc/self/exe remains
   the launcher, which starts the program again.

   No C library: a few system calls, no relocations, nothing to initialise. */

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

/* The oldest glibc whose symbols the programs and libraries need, 2.NEEDED_GLIBC. */
#ifndef NEEDED_GLIBC
#error "compile with -DNEEDED_GLIBC=36, as scripts/closure.py reports it"
#endif

enum { PATH_SIZE = 4096, OPEN_READ = 02000000 /* O_RDONLY | O_CLOEXEC */, AT_CWD = -100 };

#if defined(__x86_64__)
#define HOST_LINKER "/lib64/ld-linux-x86-64.so.2"
enum { READ = 0, WRITE = 1, CLOSE = 3, LSEEK = 8, MMAP = 9, MUNMAP = 11, EXIT = 231, OPENAT = 257, READLINKAT = 267, FACCESSAT = 269 };
__asm__(".text\n.globl _start\n_start:\n xor %ebp, %ebp\n mov %rsp, %rdi\n and $-16, %rsp\n call begin\n hlt\n");
static long call(long number, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "+a"(number)
                   : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return number;
}
static _Noreturn void jump(uintptr_t entry, void *stack) {
  __asm__ volatile("mov %0, %%rsp\n xor %%edx, %%edx\n xor %%ebp, %%ebp\n jmp *%1" : : "r"(stack), "r"(entry) : "memory");
  __builtin_unreachable();
}
#elif defined(__aarch64__)
#define HOST_LINKER "/lib/ld-linux-aarch64.so.1"
enum { READ = 63, WRITE = 64, CLOSE = 57, LSEEK = 62, MMAP = 222, MUNMAP = 215, EXIT = 94, OPENAT = 56, READLINKAT = 78, FACCESSAT = 48 };
__asm__(".text\n.globl _start\n_start:\n mov x29, #0\n mov x30, #0\n mov x0, sp\n bl begin\n brk #0\n");
static long call(long number, long a, long b, long c, long d, long e, long f) {
  register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c,
                     x3 __asm__("x3") = d, x4 __asm__("x4") = e, x5 __asm__("x5") = f;
  __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
}
static _Noreturn void jump(uintptr_t entry, void *stack) {
  __asm__ volatile("mov sp, %0\n mov x0, #0\n mov x29, #0\n mov x30, #0\n br %1" : : "r"(stack), "r"(entry) : "memory");
  __builtin_unreachable();
}
#else
#error "no system calls for this architecture"
#endif

/* The compiler may call these. */
void *memset(void *to, int value, size_t count) {
  for (volatile char *at = to; count; count--) *at++ = (char)value;
  return to;
}
void *memcpy(void *to, const void *from, size_t count) {
  volatile char *at = to;
  for (const char *source = from; count; count--) *at++ = *source++;
  return to;
}

static size_t length(const char *text) {
  size_t count = 0;
  while (text[count]) count++;
  return count;
}

static int begins(const char *text, const char *start) {
  while (*start)
    if (*text++ != *start++) return 0;
  return 1;
}

static void say(const char *text) { call(WRITE, 2, (long)text, (long)length(text), 0, 0, 0); }

static _Noreturn void fail(const char *what, const char *path) {
  say("metube-rss: ");
  say(what);
  say(path);
  say("; unpack the archive again\n");
  for (;;) call(EXIT, 74, 0, 0, 0, 0, 0);
}

static int exists(const char *path) { return call(FACCESSAT, AT_CWD, (long)path, 4, 0, 0, 0) == 0; }

/* A path or a setting under construction; too long a one ends the program. */
struct text {
  char bytes[PATH_SIZE];
  size_t count;
};

static void add(struct text *text, const char *more) {
  for (; *more; more++) {
    if (text->count >= PATH_SIZE - 1) fail("the path is too long: ", text->bytes);
    text->bytes[text->count++] = *more;
    text->bytes[text->count] = 0;
  }
}

static char *join(struct text *text, const char *first, const char *second, const char *third) {
  text->count = 0;
  add(text, first);
  add(text, second);
  add(text, third);
  return text->bytes;
}

/* The minor version of the glibc 2.x whose dynamic linker this is; 0 if it does not say. It has the text of its --version:
   `ld.so (Debian GLIBC 2.36-9) stable release version 2.36.` */
static int version(const char *linker) {
  static const char mark[] = "release version 2.";
  long file = call(OPENAT, AT_CWD, (long)linker, OPEN_READ, 0, 0, 0);
  if (file < 0) return 0;
  long size = call(LSEEK, file, 0, 2, 0, 0, 0);
  const char *bytes = (const char *)call(MMAP, 0, size > 0 ? size : 1, 1, 2, file, 0);
  call(CLOSE, file, 0, 0, 0, 0, 0);
  if ((long)bytes < 0 && (long)bytes > -4096) return 0;
  int minor = 0;
  for (long at = 0; at + (long)sizeof mark + 4 < size && !minor; at++) {
    if (bytes[at] != mark[0] || !begins(bytes + at, mark)) continue;
    for (const char *digit = bytes + at + sizeof mark - 1; *digit >= '0' && *digit <= '9'; digit++)
      minor = minor * 10 + *digit - '0';
  }
  call(MUNMAP, (long)bytes, size, 0, 0, 0, 0);
  return minor;
}

/* Where a mapped program is. */
struct mapped {
  uintptr_t base, headers, entry;
  size_t count;
};

static long map(uintptr_t at, size_t size, long protection, long flags, long file, long offset) {
  long result = call(MMAP, (long)at, (long)size, protection, flags, file, offset);
  return result < 0 && result > -4096 ? -1 : result;
}

/* Maps the segments of a dynamic linker, as the kernel would. */
static struct mapped load(const char *path, size_t page) {
  enum { SHARED_NOT_WRITTEN = 2 /* MAP_PRIVATE */, FIXED = 0x10, ANONYMOUS = 0x20, READING = 1, WRITING = 2 };
  union {
    Elf64_Ehdr header;
    char bytes[2048];
  } start;
  long file = call(OPENAT, AT_CWD, (long)path, OPEN_READ, 0, 0, 0);
  if (file < 0) fail("cannot open ", path);
  long count = call(READ, file, (long)start.bytes, sizeof start, 0, 0, 0);
  const Elf64_Ehdr *header = &start.header;
  if (count < (long)sizeof *header || !begins((const char *)header->e_ident, ELFMAG) ||
      header->e_phoff + (size_t)header->e_phnum * sizeof(Elf64_Phdr) > (size_t)count)
    fail("not a dynamic linker: ", path);
  const Elf64_Phdr *segments = (const Elf64_Phdr *)(start.bytes + header->e_phoff);
  uintptr_t end = 0;
  for (int index = 0; index < header->e_phnum; index++) {
    const Elf64_Phdr *segment = &segments[index];
    if (segment->p_type == PT_LOAD && segment->p_vaddr + segment->p_memsz > end) end = segment->p_vaddr + segment->p_memsz;
  }
  end = (end + page - 1) & ~(page - 1);
  long base = map(0, end, 0, SHARED_NOT_WRITTEN | ANONYMOUS, -1, 0);
  if (base == -1) fail("no memory for ", path);
  for (int index = 0; index < header->e_phnum; index++) {
    const Elf64_Phdr *segment = &segments[index];
    if (segment->p_type != PT_LOAD) continue;
    long protection = (segment->p_flags & PF_R ? 1 : 0) | (segment->p_flags & PF_W ? 2 : 0) | (segment->p_flags & PF_X ? 4 : 0);
    uintptr_t from = segment->p_vaddr & ~(page - 1), skipped = segment->p_vaddr - from;
    uintptr_t filled = base + segment->p_vaddr + segment->p_filesz, last = base + segment->p_vaddr + segment->p_memsz;
    if (segment->p_filesz && map(base + from, segment->p_filesz + skipped, protection, SHARED_NOT_WRITTEN | FIXED, file,
                                 segment->p_offset - skipped) == -1)
      fail("cannot map ", path);
    if (last <= filled) continue;
    uintptr_t whole = (filled + page - 1) & ~(page - 1);
    /* To the end of the page, which the linker's own malloc takes as zero. */
    memset((void *)filled, 0, whole - filled);
    if (last > whole && map(whole, last - whole, READING | WRITING, SHARED_NOT_WRITTEN | FIXED | ANONYMOUS, -1, 0) == -1)
      fail("no memory for ", path);
  }
  call(CLOSE, file, 0, 0, 0, 0, 0);
  return (struct mapped){base, base + header->e_phoff, base + header->e_entry, header->e_phnum};
}

static char *variable(char **environment, const char *name) {
  for (; *environment; environment++)
    if (begins(*environment, name)) return *environment + length(name);
  return NULL;
}

/* The certificates of the system: where Debian's libcurl, which is in lib/, looks for them, else where others have them. */
static const char *certificates(struct text *text, const char *root) {
  if (exists("/etc/ssl/certs/ca-certificates.crt")) return NULL;
  if (exists("/etc/pki/tls/certs/ca-bundle.crt")) return "/etc/pki/tls/certs/ca-bundle.crt";
  if (exists("/etc/ssl/ca-bundle.pem")) return "/etc/ssl/ca-bundle.pem";
  if (exists("/etc/ssl/cert.pem")) return "/etc/ssl/cert.pem";
  return join(text, root, "/share/metube-rss/ca-certificates.crt", "");
}

__attribute__((used)) static _Noreturn void begin(uintptr_t *stack) {
  size_t argument_count = stack[0];
  char **arguments = (char **)(stack + 1), **environment = arguments + argument_count + 1, **after = environment;
  while (*after) after++;
  size_t variable_count = after - environment;
  Elf64_auxv_t *auxiliary = (Elf64_auxv_t *)(after + 1);
  size_t auxiliary_count = 1, page = 4096;
  for (Elf64_auxv_t *each = auxiliary; each->a_type != AT_NULL; each++, auxiliary_count++)
    if (each->a_type == AT_PAGESZ) page = each->a_un.a_val;

  struct text root, program, linker, libraries, zones, terminals, trusted, trust;
  long count = call(READLINKAT, AT_CWD, (long)"/proc/self/exe", (long)root.bytes, PATH_SIZE - 1, 0, 0);
  if (count <= 0) fail("cannot find the archive's folder: /proc is not mounted", "");
  root.bytes[count] = 0;
  size_t name = count;
  while (name && root.bytes[name - 1] != '/') name--;
  join(&trust, root.bytes + name, "", "");
  size_t folder = name ? name - 1 : 0;
  while (folder && root.bytes[folder - 1] != '/') folder--;
  root.bytes[folder ? folder - 1 : 0] = 0;

  join(&program, root.bytes, "/lib/metube-rss/", trust.bytes);
  if (!exists(program.bytes)) fail("there is no ", program.bytes);
  char *own = variable(environment, "METUBE_OWN_LIBC=");
  int is_own = (own && begins(own, "1")) || version(HOST_LINKER) < NEEDED_GLIBC;
  join(&libraries, root.bytes, "/lib", "");
  if (is_own) {
    add(&libraries, ":");
    add(&libraries, root.bytes);
    add(&libraries, "/lib/libc");
  }
  static const char linker_path[] = HOST_LINKER;
  const char *linker_name = linker_path + sizeof linker_path - 1;
  while (linker_name[-1] != '/') linker_name--;
  join(&linker, is_own ? root.bytes : HOST_LINKER, is_own ? "/lib/libc/" : "", is_own ? linker_name : "");
  struct mapped mapped = load(linker.bytes, page);

  /* argc, arguments, environment, auxiliary vector: execve(2)'s stack, at a multiple of 16 bytes. */
  size_t words = 1 + argument_count + 6 + 1 + variable_count + 3 + 1 + auxiliary_count * 2 + 2;
  uintptr_t room[words];
  uintptr_t *next = (uintptr_t *)(((uintptr_t)room + 15) & ~(uintptr_t)15), *made = next;
  *next++ = (argument_count ? argument_count - 1 : 0) + 6;
  *next++ = (uintptr_t)linker.bytes;
  *next++ = (uintptr_t) "--library-path";
  *next++ = (uintptr_t)libraries.bytes;
  *next++ = (uintptr_t) "--argv0";
  *next++ = argument_count ? (uintptr_t)arguments[0] : (uintptr_t)program.bytes;
  *next++ = (uintptr_t)program.bytes;
  for (size_t index = 1; index < argument_count; index++) *next++ = (uintptr_t)arguments[index];
  *next++ = 0;
  for (size_t index = 0; index < variable_count; index++) *next++ = (uintptr_t)environment[index];
  const char *bundle = certificates(&trusted, root.bytes);
  if (bundle && !variable(environment, "SSL_CERT_FILE=")) *next++ = (uintptr_t)join(&trust, "SSL_CERT_FILE=", bundle, "");
  if (!exists("/usr/share/zoneinfo/UTC") && !variable(environment, "TZDIR="))
    *next++ = (uintptr_t)join(&zones, "TZDIR=", root.bytes, "/share/zoneinfo");
  /* An empty first entry is ncurses' own list: /etc/terminfo, /lib/terminfo, /usr/share/terminfo. */
  if (!variable(environment, "TERMINFO_DIRS="))
    *next++ = (uintptr_t)join(&terminals, "TERMINFO_DIRS=:", root.bytes, "/share/terminfo");
  *next++ = 0;
  for (size_t index = 0; index < auxiliary_count; index++) {
    uint64_t type = auxiliary[index].a_type, value = auxiliary[index].a_un.a_val;
    if (type == AT_PHDR) value = mapped.headers;
    if (type == AT_PHNUM) value = mapped.count;
    if (type == AT_ENTRY) value = mapped.entry;
    if (type == AT_BASE) value = 0;
    if (type == AT_EXECFN) value = (uintptr_t)program.bytes;
    *next++ = type;
    *next++ = value;
  }
  jump(mapped.entry, made);
}
