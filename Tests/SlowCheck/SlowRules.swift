import Core

extension SlowLibrary {
  /// The rules that apply to a video.
  func rules(on video: SlowVideo, at now: Timestamp) -> [Rule] {
    rules.values.filter { rule in applies(rule, video, now) }
  }

  /// The videos hidden by active rules.
  package func blocked(at now: Timestamp) -> Set<VideoID> {
    Set(
      videos.values.filter { video in
        let verdicts = rules(on: video, at: now).map(\.verdict)
        return verdicts.contains(.block) && !verdicts.contains(.allow)
      }.map(\.id))
  }

  private func applies(_ rule: Rule, _ video: SlowVideo, _ now: Timestamp) -> Bool {
    if let tag = rule.tag, !sources(of: video).contains(where: { $0.tags.contains(tag) }) { return false }
    if case .channel(let id)? = rule.subscription, id != video.channel { return false }
    if case .playlist(let id)? = rule.subscription, !video.playlists.contains(id) { return false }
    if rule.short == true, !video.isShort { return false }
    if rule.short == false, video.isShort { return false }
    if rule.live == true, !video.isStream { return false }
    if rule.live == false, video.isStream { return false }
    if let age = rule.age, video.published + Int64(age) > now.seconds { return false }
    if let minimum = rule.minimumLength, video.duration == nil || video.duration ?? 0 < minimum { return false }
    if let maximum = rule.maximumLength, video.duration == nil || video.duration ?? 0 > maximum { return false }
    let texts: [String] =
      switch rule.field {
      case .title: [video.plainTitle]
      case .description: [video.plainDescription]
      case nil: [video.plainTitle, video.plainDescription]
      }
    return texts.contains { text in
      let hasWords = rule.contains.map { words in
        words.split(separator: " ").allSatisfy { text.has(GeneratedText.plain(String($0))) }
      }
      return hasWords ?? true && rule.matches.map { GeneratedText.matches($0, text) } ?? true
    }
  }

  /// How many of the videos listed without rules each rule hides, or shows though others block them.
  package func ruleCounts(at now: Timestamp) -> [String: Int] {
    var (counts, question) = ([String: Int](), GeneratedQuery())
    question.noRules = true
    for id in result(of: question, at: now, blocked: []).videos {
      guard let video = videos[id] else { continue }
      let applying = rules(on: video, at: now)
      let allowing = applying.filter { $0.verdict == .allow }
      for rule in applying where rule.verdict == .block && allowing.isEmpty { counts[rule.id, default: 0] += 1 }
      if allowing.count == 1, applying.count > 1 { counts[allowing[0].id, default: 0] += 1 }
    }
    return counts
  }
}
