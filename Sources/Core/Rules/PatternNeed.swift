extension PatternNode {
  /// The longest run of characters that is in every text it matches; nil where none is certain.
  var needed: [UInt8]? {
    var run = Run()
    take(&run)
    run.end()
    return run.longest.isEmpty ? nil : Array(String(String.UnicodeScalarView(run.longest)).utf8)
  }

  /// Whether it matches no characters at all, wherever that is.
  var isEverywhere: Bool {
    switch self {
    case .empty: true
    case .one, .assertion: false
    case .sequence(let parts): parts.allSatisfy(\.isEverywhere)
    case .either(let parts): parts.contains(where: \.isEverywhere)
    case .repeated(let part, let least, _): least == 0 || part.isEverywhere
    }
  }

  /// The characters that follow each other for certain, and the most that did before.
  private struct Run {
    var current: [Unicode.Scalar] = []
    var longest: [Unicode.Scalar] = []

    mutating func end() {
      if current.count > longest.count { longest = current }
      current = []
    }
  }

  private func take(_ run: inout Run) {
    switch self {
    case .empty, .assertion: break
    case .sequence(let parts): for part in parts { part.take(&run) }
    case .one(let set): if let scalar = set.only { run.current.append(scalar) } else { run.end() }
    case .either: run.end()
    case .repeated(let part, let least, let most):
      if least > 0 { part.take(&run) }
      // Once is certain; what stands behind the last time stands behind no other.
      if least != 1 || most != 1 { run.end() }
    }
  }
}

extension ScalarSet {
  /// Its scalar where it has only one.
  fileprivate var only: Unicode.Scalar? {
    guard ranges.count == 1, ranges[0].count == 1 else { return nil }
    return Unicode.Scalar(ranges[0].lowerBound)
  }
}
