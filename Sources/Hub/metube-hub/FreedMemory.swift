import CMalloc
import Glibc
import ServiceLifecycle

/// How much freed memory the process keeps. By default glibc gives up to eight arenas to each core, keeps in each what
/// was used at most, and puts ever larger blocks there: after large responses a hub would hold the most that each thread
/// ever needed.
enum FreedMemory {
  /// Limits it, before the first thread begins (mallopt(3)); a variable of the environment takes precedence.
  static func limit() {
    for (name, parameter, value) in settings where getenv(name) == nil { mallopt(parameter, value) }
  }

  /// The variables of mallopt(3), and what is set without them.
  private static let settings: [(name: String, parameter: Int32, value: Int32)] = [
    ("MALLOC_ARENA_MAX", M_ARENA_MAX, 2),
    // Larger blocks are mapped by themselves, and go back when they are freed.
    ("MALLOC_MMAP_THRESHOLD_", M_MMAP_THRESHOLD, 256 << 10),
  ]

  /// Returns the free pages of all arenas to the system. malloc_trim(3).
  static func release() { malloc_trim(0) }

  /// The memory of the process that is in RAM, in bytes; nil if unknown. The second number of `/proc/self/statm`, pages.
  static var resident: Int? {
    let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let text = [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
      count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
    }
    let numbers = text.split(separator: UInt8(ascii: " "))
    guard numbers.count > 1, let pages = Int(String(decoding: numbers[1], as: UTF8.self)) else { return nil }
    return pages * Int(getpagesize())
  }
}

/// Decides when freed memory is worth a release: when the process has grown by 32 MB since the last one, and after
/// twenty looks in any case, because what was in use at a release may be free by then.
struct MemoryReleases {
  /// By how much the process must have grown, bytes.
  static let step = 32 << 20
  /// After how many looks a release is due without growth.
  static let limitLooks = 20
  /// The smallest resident size since the last release, bytes.
  private var floor = 0
  private var looks = 0

  /// Whether a release is due at this resident size, in bytes.
  mutating func isDue(at resident: Int) -> Bool {
    floor = min(floor, resident)
    looks += 1
    return resident >= floor + MemoryReleases.step || looks >= MemoryReleases.limitLooks
  }

  /// Notes the resident size, in bytes, after a release.
  mutating func released(to resident: Int) { (floor, looks) = (resident, 0) }
}

/// Looks every three seconds whether freed memory is worth a release. The arenas keep free pages below the last block
/// in use: a hub that had folded the logs of 100,000 videos held 323 MB, 200 MB of them free. A release with nothing to
/// free takes some 30 ms at that size.
struct FreedMemoryLoop: Service {
  func run() async throws {
    await cancelWhenGracefulShutdown {
      var releases = MemoryReleases()
      while !Task.isCancelled {
        // Throws when cancelled, which ends the loop.
        try? await Task.sleep(for: .seconds(3))
        guard let resident = FreedMemory.resident, releases.isDue(at: resident) else { continue }
        FreedMemory.release()
        releases.released(to: FreedMemory.resident ?? resident)
      }
    }
  }
}
