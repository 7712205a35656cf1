import Core

/// One entry of a feed: a video, an episode or an article.
package struct WebEntry: Equatable, Sendable {
  /// The text of `guid` or `id`, or `rdf:about`; nil if absent or empty.
  package var id: String?
  /// Whether the feed says that `id` is a URL of the entry: a `guid` without `isPermaLink="false"`.
  package var isPermalink = false
  /// The page of the entry, absolute.
  package var link: String?
  /// The same as written in the feed.
  package var linkAsSent: String?
  package var title: String?
  /// When it was published; nil if the feed does not say it in a form that is understood.
  package var published: Timestamp?
  package var updated: Timestamp?
  /// At most `WebFeed.summaryLimit` characters of the description in one line.
  package var summary: String?
  /// The description with line breaks, at most `WebFeed.notesLimit` bytes; only of entries with audio or video.
  package var notes: String?
  /// Enclosures and their alternatives, each URL once, the default first.
  package var media: [WebMedia] = []
  /// Seconds.
  package var duration: Int?
  package var image: String?
  package var author: String?
  package var season: Int?
  package var episode: Int?
  /// `full`, `trailer` or `bonus`; in lower case as written.
  package var episodeType: String?
  package var isExplicit: Bool?
  package var transcripts: [WebTranscript] = []
  /// The address of the chapters (`podcast:chapters`).
  package var chapters: String?
  package var persons: [WebPerson] = []
  package var categories: [String] = []

  package init() {}

  /// What to show for an entry without a title: 80 characters of the summary, else the name of a media file; nil if it has
  /// neither.
  package var substituteTitle: String? {
    if let summary { return PlainText.cut(summary, toCharacters: 80) }
    guard let url = media.first?.url else { return nil }
    let path = url.prefix { $0 != "?" && $0 != "#" }
    guard let name = path.split(separator: "/").dropFirst(2).last else { return nil }
    return String(percentDecoding: name.utf8)
  }
}

/// One file or stream that an entry can be played from.
package struct WebMedia: Equatable, Sendable {
  /// What it is, by its type, else by its extension.
  package enum Kind: String, Sendable { case audio, video, image, other }

  package var url: String
  /// The media type as written, without parameters, in lower case: `audio/mpeg`; nil if absent.
  package var type: String?
  package var kind: Kind
  /// Bytes; nil if absent, 0 or not a number.
  package var length: Int64?
  /// Seconds.
  package var duration: Int?
  /// Pixels.
  package var height: Int?
  /// Bits per second.
  package var bitrate: Int?
  /// `MP4 1080p`
  package var title: String?
  /// `de`
  package var language: String?
  /// Whether it is what to play: one of each entry is, the first.
  package var isDefault: Bool

  package init(url: String, type: String?, kind: Kind, isDefault: Bool) {
    (self.url, self.type, self.kind, self.isDefault) = (url, type, kind, isDefault)
  }

  /// Whether it is audio or video.
  package var isPlayable: Bool { kind == .audio || kind == .video }
}

/// The address of a transcript (`podcast:transcript`).
package struct WebTranscript: Equatable, Sendable {
  package var url: String
  /// `text/vtt`
  package var type: String?
  package var language: String?
  /// Whether it is timed for captions (`rel="captions"`).
  package var isCaptions: Bool

  package init(url: String, type: String?, language: String?, isCaptions: Bool) {
    (self.url, self.type, self.language, self.isCaptions) = (url, type, language, isCaptions)
  }
}

/// A person of an entry (`podcast:person`).
package struct WebPerson: Equatable, Sendable {
  package var name: String
  /// `host`, `guest`; in lower case; nil if absent, which means host.
  package var role: String?
  /// `cast`, `crew`
  package var group: String?
  package var link: String?
  package var image: String?

  package init(name: String, role: String?, group: String?, link: String?, image: String?) {
    (self.name, self.role, self.group, self.link, self.image) = (name, role, group, link, image)
  }
}
