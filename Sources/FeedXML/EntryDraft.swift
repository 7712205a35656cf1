import Core

/// An entry of which not everything is known yet.
struct EntryDraft {
  var video: VideoID?
  var channel: ChannelID?
  var title: String?
  var link: String?
  var authorName: String?
  var published: Timestamp?
  var updated: Timestamp?
  var mediaTitle: String?
  var thumbnail: String?
  var description: String?
  var views: Int64?
  var likes: Int64?
  /// The fields that were there but in no shape that is known.
  var invalid: EntryField?

  /// The whole entry; throws the first field that is missing or wrong. Where the entry names no author the feed's is
  /// meant (RFC 4287, 4.2.1), and a video that never changed may have no `updated`.
  func entry(author: String?, line: Int) throws(XMLDamage) -> Entry {
    if let invalid { throw .badEntry(line: line, field: invalid, flaw: .invalid) }
    guard let video else { throw .badEntry(line: line, field: .video, flaw: .missing) }
    guard let channel else { throw .badEntry(line: line, field: .channel, flaw: .missing) }
    guard let title else { throw .badEntry(line: line, field: .title, flaw: .missing) }
    guard let link else { throw .badEntry(line: line, field: .link, flaw: .missing) }
    guard let published else { throw .badEntry(line: line, field: .published, flaw: .missing) }
    return Entry(
      video: video, channel: channel, title: title, link: link, authorName: authorName ?? author ?? "",
      published: published, updated: updated ?? published, mediaTitle: mediaTitle, thumbnail: thumbnail,
      description: description, views: views, likes: likes)
  }
}
