import Glibc

/// The name of this machine.
package enum HostName {
  /// With the number of this process, for people.
  package static var process: String { "\(current) \(getpid())" }

  /// `gethostname`; `localhost` if it has none.
  package static var current: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0, name[0] != 0 else { return "localhost" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
