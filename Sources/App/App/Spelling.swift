/// Similarity of words.
package enum Spelling {
  /// The candidate with the fewest letters to insert, delete, replace or swap with their neighbour; nil if none is similar:
  /// within a third of the word's length.
  package static func nearest(to word: String, of candidates: [String]) -> String? {
    let nearest = candidates.map { (name: $0, distance: distance(word, $0)) }.min { $0.distance < $1.distance }
    return nearest.flatMap { $0.distance <= max(1, word.count / 3) ? $0.name : nil }
  }

  /// The Levenshtein distance in which a swap of two neighbouring letters counts once.
  private static func distance(_ first: String, _ second: String) -> Int {
    let (source, target) = (Array(first), Array(second))
    var (before, row) = ([Int](), Array(0...target.count))
    for line in source.indices {
      var next = [line + 1]
      for index in target.indices {
        let replaced = row[index] + (source[line] == target[index] ? 0 : 1)
        var least = min(replaced, row[index + 1] + 1, next[index] + 1)
        if line > 0, index > 0, source[line] == target[index - 1], source[line - 1] == target[index] {
          least = min(least, before[index - 1] + 1)
        }
        next.append(least)
      }
      (before, row) = (row, next)
    }
    return row[target.count]
  }
}
