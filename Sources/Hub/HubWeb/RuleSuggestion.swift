/// Words for a rule that hides videos like one.
enum RuleSuggestion {
  /// Words of a title that other titles of its channel have too, the most frequent two in their order; else its first
  /// three. Short and common words are left out.
  static func words(of title: String, among titles: [String]) -> [String] {
    let own = words(title)
    var counts: [String: Int] = [:]
    for other in titles where other != title { for word in Set(words(other)) { counts[word, default: 0] += 1 } }
    let shared = own.filter { counts[$0, default: 0] > 0 }
    let most = Set(shared.sorted { counts[$0, default: 0] > counts[$1, default: 0] }.prefix(2))
    return most.isEmpty ? Array(own.prefix(3)) : own.filter(most.contains)
  }

  /// The words of a title that say something, each once, in lower case.
  private static func words(_ title: String) -> [String] {
    var seen: Set<String> = []
    return title.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init).filter {
      $0.count >= 3 && !common.contains($0) && !$0.allSatisfy(\.isNumber) && seen.insert($0).inserted
    }
  }

  private static let common: Set<String> = [
    "and", "are", "but", "for", "from", "has", "have", "her", "his", "how", "into", "its", "not", "our", "out", "that",
    "the", "their", "they", "this", "was", "what", "when", "where", "which", "who", "why", "will", "with", "you",
    "your",
  ]
}
