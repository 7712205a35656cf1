/// Names of hosts, as URLs contain them.
package enum DomainName {
  /// The host in lower case and punycode (RFC 3492), without a final dot; nil if it is not a name or IP address.
  static func ascii(_ host: Substring) -> String? {
    if host.hasPrefix("[") {
      let inner = host.dropFirst().dropLast()
      let isAddress =
        host.hasSuffix("]") && inner.contains(":") && inner.allSatisfy { $0.isHexDigit || ":.".contains($0) }
      return isAddress && inner.utf8.count <= 45 ? host.lowercased() : nil
    }
    // The full stops of other scripts count too (UTS 46).
    var labels = host.lowercased().split(omittingEmptySubsequences: false) { ".\u{3002}\u{ff0e}\u{ff61}".contains($0) }
    if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
    var names: [String] = []
    for label in labels {
      guard let name = label.utf8.allSatisfy({ $0 < 0x80 }) ? String(label) : Punycode.label(label),
        (1...63).contains(name.utf8.count), name.utf8.allSatisfy(isNameByte)
      else { return nil }
      names.append(name)
    }
    let name = names.joined(separator: ".")
    return name.utf8.count <= 253 && !name.isEmpty ? name : nil
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Whether a host is an IP address, or a name of this machine or network: one without a dot.
  package static func isAddress(_ host: String) -> Bool {
    host.hasPrefix("[") || !host.contains(".") || host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2e }
  }

  /// The registrable domain of a name, without a list of public suffixes: the last two labels, or three below suffixes
  /// such as `co.uk` and `com.au`.
  ///
  /// The list has 10,000 lines and changes weekly. Without it the blogs of a service such as `blogspot.com` are one
  /// site; its server is the same too, so that is where requests should keep their distance.
  static func site(of host: String) -> String {
    let labels = host.split(separator: ".")
    guard labels.count > 2, let last = labels.last else { return host }
    let hasSuffix = last.utf8.count == 2 && secondLevels.contains(String(labels[labels.count - 2]))
    return labels.suffix(hasSuffix ? 3 : 2).joined(separator: ".")
  }

  private static let secondLevels: Set<String> = [
    "ac", "co", "com", "edu", "go", "gob", "gov", "gv", "info", "ltd", "me", "mil", "ne", "net", "nom", "or", "org",
    "plc", "sch",
  ]
}

/// Names with letters beyond ASCII, in the letters of the DNS (RFC 3492).
private enum Punycode {
  /// `münchen` as `xn--mnchen-3ya`; nil if it is too long.
  static func label(_ label: Substring) -> String? {
    let scalars = label.unicodeScalars.map(\.value)
    guard scalars.count <= 63 else { return nil }
    var output = scalars.filter { $0 < 0x80 }.map { UInt8($0) }
    let basic = output.count
    var handled = basic
    if basic > 0 { output.append(UInt8(ascii: "-")) }
    var (next, delta, bias): (UInt32, UInt32, UInt32) = (128, 0, 72)
    while handled < scalars.count {
      guard let least = scalars.filter({ $0 >= next }).min() else { return nil }
      delta += (least - next) * UInt32(handled + 1)
      next = least
      for scalar in scalars {
        if scalar < next { delta += 1 }
        guard scalar == next else { continue }
        append(delta, bias, to: &output)
        bias = adapted(delta, count: UInt32(handled + 1), isFirst: handled == basic)
        (delta, handled) = (0, handled + 1)
      }
      (delta, next) = (delta + 1, next + 1)
    }
    return "xn--" + String(decoding: output, as: UTF8.self)
  }

  /// Appends a number as a variable-length integer.
  private static func append(_ number: UInt32, _ bias: UInt32, to output: inout [UInt8]) {
    var (rest, position) = (number, UInt32(36))
    while true {
      let threshold = position <= bias ? 1 : min(position - bias, 26)
      guard rest >= threshold else { return output.append(digit(rest)) }
      output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
      rest = (rest - threshold) / (36 - threshold)
      position += 36
    }
  }

  private static func digit(_ value: UInt32) -> UInt8 { UInt8(value < 26 ? value + 97 : value - 26 + 48) }

  private static func adapted(_ delta: UInt32, count: UInt32, isFirst: Bool) -> UInt32 {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var steps: UInt32 = 0
    while delta > 455 {
      delta /= 35
      steps += 36
    }
    return steps + 36 * delta / (delta + 38)
  }
}
