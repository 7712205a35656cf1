import Arguments
import Glibc
import Platform

/// How many descriptors the process may open, and so how many connections. Without a descriptor left, libdispatch ends the
/// process with an illegal instruction, because it cannot open /proc (seen 2026-11-23 with `ulimit -n 256`).
enum DescriptorLimit {
  /// For files, databases, feeds and uploads.
  static let reserved = 300
  /// Connections at once, if the descriptors suffice.
  static let maxConnections = 700
  /// With fewer the hub is not worth starting.
  static let minConnections = 200
  /// More are not used; programs that close all possible descriptors before they start another take long with a billion.
  static let maxUsed: rlim_t = 65_536

  /// Raises the soft limit towards the hard one; returns it: setrlimit(2).
  static func raise() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
    let soft = limit.rlim_cur
    limit.rlim_cur = max(soft, min(limit.rlim_max, maxUsed))
    guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return Int(clamping: soft) }
    return Int(clamping: limit.rlim_cur)
  }

  /// The number of connections that this many descriptors allow, besides those to a database; nil if too few.
  static func connections(with descriptors: Int, toDatabase: Int) -> Int? {
    let maximum = min(maxConnections, descriptors - reserved - toDatabase)
    return maximum < minConnections ? nil : maximum
  }

  /// The connections that this process can have. Reports it if they are fewer than usual; throws a `Failure` if too few.
  static func prepare(toDatabase: Int) throws -> Int {
    let descriptors = raise()
    guard let maximum = connections(with: descriptors, toDatabase: toDatabase) else {
      let needed = minConnections + reserved + toDatabase
      throw Failure(
        .temporaryFailure,
        "only \(descriptors) files and connections may be open at once, and the hub needs \(needed); "
          + "raise the hard limit: ulimit -Hn, or LimitNOFILE= of its unit")
    }
    if maximum < maxConnections {
      let needed = maxConnections + reserved + toDatabase
      Program.report(
        "only \(descriptors) files and connections may be open at once: at most \(maximum) clients are connected "
          + "instead of \(maxConnections), for which the hard limit must be \(needed) (ulimit -Hn, LimitNOFILE=)")
    }
    return maximum
  }
}
