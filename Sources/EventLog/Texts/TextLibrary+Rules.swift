import Core

extension TextLibrary {
  /// What is known of the texts that rules ask for. What is not known yet is found out and kept, so that a rule reads
  /// each text once.
  package func verdicts(on rules: [Rule]) -> TextVerdicts {
    let conditions = Set(rules.compactMap { TextCondition($0) })
    if conditions.isEmpty || index.segments.isEmpty { return .none }
    let entries = files.entries()
    let index = TextIndex(entries.map(\.segment))
    var known = entries.map { files.verdicts(of: $0) }
    let missing = known.map { verdicts in conditions.filter { verdicts[$0] == nil } }
    if missing.allSatisfy(\.isEmpty) { return TextVerdicts(index, known) }
    var examinations = zip(entries, missing).map { TextExamination(Array($1), of: $0.segment) }
    if examinations.contains(where: \.needsTexts) { examine(&examinations, index) }
    for (number, examination) in examinations.enumerated() {
      known[number] = known[number].filter { conditions.contains($0.key) }
      known[number].merge(examination.result) { $1 }
    }
    // A cache that cannot be written is nothing to be told of.
    try? files.whileAlone { () throws(LogError) in
      for (entry, verdicts) in zip(entries, known) { try files.keep(verdicts, of: entry) }
    }
    return TextVerdicts(index, known)
  }

  /// Gives the examinations of the segments the texts that they need, as far as the videos have them now.
  private func examine(_ examinations: inout [TextExamination], _ index: TextIndex) {
    func give(_ key: TextKey, _ folded: () throws(LogError) -> [UInt8]) {
      guard let place = index.place(of: key), examinations[place.segment].needs(place.document) else { return }
      // A text that cannot be read stays unknown, and who needs it is told so.
      guard let folded = try? folded() else { return }
      examinations[place.segment].take(folded: folded, of: place.document)
    }
    journal.state.videos.forEach { video in
      give(video.titleKey) { NormalizedText.bytes(of: video.title) }
      if let description = video.description {
        give(TextKey(description)) { () throws(LogError) in try journal.foldedText(of: description) }
      }
    }
  }
}
