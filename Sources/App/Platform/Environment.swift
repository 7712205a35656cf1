import Glibc

/// The environment of the process.
package enum Environment {
  /// All variables, by name.
  package static func variables() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let pointer = entry.pointee {
      let text = String(cString: pointer)
      if let equals = text.firstIndex(of: "=") {
        variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      entry += 1
    }
    return variables
  }

  /// The value of a variable, which is removed, so that no child gets it; nil if unset. Not beside other threads.
  /// `getenv`, `unsetenv`.
  static func take(_ name: String) -> String? {
    defer { unsetenv(name) }
    return getenv(name).map { String(cString: $0) }
  }
}
