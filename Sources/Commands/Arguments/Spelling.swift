/// Similarity of words.
enum Spelling {
  /// The candidate with the fewest letters to insert, delete or replace; nil if none is similar: within a third of the
  /// word's length.
  static func nearest(to word: String, of candidates: [String]) -> String? {
    let nearest = candidates.map { (name: $0, distance: distance(word, $0)) }.min { $0.distance < $1.distance }
    return nearest.flatMap { $0.distance <= max(1, word.count / 3) ? $0.name : nil }
  }

  /// The Levenshtein distance.
  private static func distance(_ first: String, _ second: String) -> Int {
    let letters = Array(second)
    var row = Array(0...letters.count)
    for (line, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for index in letters.indices {
        let replaced = diagonal + (letter == letters[index] ? 0 : 1)
        diagonal = row[index + 1]
        row[index + 1] = min(replaced, row[index] + 1, diagonal + 1)
      }
    }
    return row[letters.count]
  }
}
