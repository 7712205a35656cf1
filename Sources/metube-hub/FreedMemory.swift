import CMalloc
import Glibc

/// How much freed memory the process keeps. By default glibc gives up to eight arenas to each core, keeps in each what
/// was used at most, and puts ever larger blocks there: after large answers a hub would hold the most that each thread
/// ever needed.
enum FreedMemory {
  /// Limits it, before the first thread begins (mallopt(3)); what the environment says of it holds.
  static func limit() {
    for (name, parameter, value) in settings where getenv(name) == nil { mallopt(parameter, value) }
  }

  /// The variables of mallopt(3), and what is set without them.
  private static let settings: [(name: String, parameter: Int32, value: Int32)] = [
    ("MALLOC_ARENA_MAX", M_ARENA_MAX, 2),
    // Larger blocks are mapped by themselves, and go back when they are freed.
    ("MALLOC_MMAP_THRESHOLD_", M_MMAP_THRESHOLD, 256 << 10),
  ]
}
