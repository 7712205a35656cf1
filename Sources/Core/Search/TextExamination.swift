/// Finds out which texts of a segment satisfy conditions, by the words in the index and, where they do not decide, by the
/// texts, which are given one after the other.
package struct TextExamination {
  private let conditions: [TextCondition]
  private var tests: [TextTest]
  /// The documents that only their texts can tell of, by condition.
  private var doubtful: [DocumentSet]
  private var verdicts: [TextVerdict]

  /// An examination of a segment by conditions.
  package init(_ conditions: [TextCondition], of segment: TextSegment) {
    self.conditions = conditions
    tests = conditions.map { TextTest($0) }
    doubtful = []
    verdicts = []
    for test in tests {
      var candidates = DocumentSet(count: segment.count, all: test.isUnderstood)
      let words = test.needed.map { SoughtWord($0) }
      if segment.isWhole { for word in words { candidates.formIntersection(segment.documents(with: word)) } }
      let isDecided = !test.isUnderstood || test.isOfWords && segment.isWhole && words.allSatisfy(\.isCertain)
      let nothing = DocumentSet(count: segment.count)
      let known = isDecided ? DocumentSet(count: segment.count, all: true) : candidates.inverted
      verdicts.append(TextVerdict(known: known, holding: isDecided ? candidates : nothing))
      doubtful.append(isDecided ? nothing : candidates)
    }
  }

  /// Whether the text of a document has to be given.
  package func needs(_ document: Int) -> Bool { doubtful.contains { $0.contains(document) } }

  /// Whether any text has to be given.
  package var needsTexts: Bool { doubtful.contains { !$0.isEmpty } }

  /// Looks at the text of a document, which is folded already.
  package mutating func take(folded: [UInt8], of document: Int) {
    for index in tests.indices where doubtful[index].contains(document) {
      verdicts[index].known.insert(document)
      if tests[index].holds(folded: folded.span) { verdicts[index].holding.insert(document) }
    }
  }

  /// What was found out.
  package var result: [TextCondition: TextVerdict] { Dictionary(uniqueKeysWithValues: zip(conditions, verdicts)) }
}
