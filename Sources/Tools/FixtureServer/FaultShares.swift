/// The share of channels for each fault, as given on the command line: `404=5,500=3,hang=1` in percent.
package struct FaultShares: Equatable, Sendable {
  /// Each fault with its part of 0..<1; the parts do not overlap.
  package let shares: [Share]

  /// One fault and the channels it applies to.
  package struct Share: Equatable, Sendable {
    /// What goes wrong.
    package let fault: Fault
    /// The channels it applies to.
    package let scope: FaultScope
  }

  /// Parses a specification; nil if a name is unknown, a number is invalid, or the sum exceeds 100.
  package init?(_ text: String) {
    var shares: [Share] = []
    var start = 0.0
    for part in text.split(separator: ",") {
      let name = part.prefix { $0 != "=" }
      guard let percent = Double(part.dropFirst(name.count + 1)), percent >= 0, start + percent / 100 <= 1,
        let fault = FaultShares.fault(named: String(name))
      else { return nil }
      shares.append(Share(fault: fault, scope: .share(start..<start + percent / 100)))
      start += percent / 100
    }
    self.shares = shares
  }

  /// The fault names accepted besides statuses from 300 to 599.
  package static let names = named.keys.sorted()

  private static func fault(named name: String) -> Fault? {
    if let fault = named[name] { return fault }
    guard let status = Int(name), (300..<600).contains(status) else { return nil }
    return status == 429 ? .response(.tooManyRequests(retryAfter: 60)) : .status(status)
  }

  private static let named: [String: Fault] = [
    "hang": .hangBeforeResponse, "stall": .hangInsideBody(after: 1_000), "reset": .reset, "truncate": .truncatedBody,
    "short": .shortLength(by: 100), "bomb": .gzipBomb(bytes: 1 << 30), "headers": .endlessHeaders,
    "drip": .drip(bytesPerSecond: 2_000), "chunked": .chunked(size: 777),
    "redirect": .response(.redirect(to: "/elsewhere")),
    "html": .response(.html("<!DOCTYPE html><title>Before you continue</title>", status: 200)),
  ]
}
