import Core
import FeedParser
import Glibc
import HTTPClient
import Platform

/// User messages: counts, failures and reports. The modules throw evidence only; the wording is made here.
package enum UserMessages {
  /// `1 video`, `2 videos`.
  package static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  /// A summary of an action from its events: `2 marks`.
  package static func action(_ events: [Event]) -> String {
    let nouns = events.compactMap { noun($0.body) }
    let order = ["follow", "unfollow", "channel setting", "mark", "collection", "rule", "preference"]
    let parts = order.map { noun in (nouns.count { $0 == noun }, noun) }.filter { $0.0 > 0 }
    return parts.isEmpty ? count(events.count, "event") : parts.map { count($0.0, $0.1) }.joined(separator: ", ")
  }

  private static func noun(_ body: EventBody) -> String? {
    switch body {
    case .channelFollowed, .handleFollowed, .feedFollowed: "follow"
    case .channelUnfollowed, .handleUnfollowed, .feedUnfollowed: "unfollow"
    case .channelChanged, .feedChanged: "channel setting"
    case .statusSet, .savedSet, .collectionSet, .progressSet, .noteSet: "mark"
    case .ruleSet, .ruleRemoved: "rule"
    case .collectionChanged: "collection"
    case .preferenceSet: "preference"
    default: nil
    }
  }

  /// What a preference is set to: `theme: dark`, `speed: default again`.
  package static func choice(_ set: PreferenceSet) -> String {
    DisplayText("\(set.name): \(set.value ?? "default again")").text
  }

  /// The user's settings for a channel: `feed videos, streams hidden, oldest first`.
  package static func choices(_ change: ChannelChanged) -> String {
    var parts: [String] = []
    if let title = change.title { parts.append(title.isEmpty ? "original title" : "titled \(DisplayText(title).text)") }
    if let tags = change.tags {
      let names = tags.map { DisplayText($0).text }.joined(separator: ", ")
      parts.append(tags.isEmpty ? "no tags" : "tags \(names)")
    }
    if let feed = change.feed { parts.append("feed \(feed.rawValue)") }
    if let shorts = change.shorts { parts.append(shorts == .show ? "Shorts listed" : "Shorts hidden") }
    if let live = change.live { parts.append(live == .show ? "streams listed" : "streams hidden") }
    if let order = change.order { parts.append("\(order.rawValue) first") }
    return parts.joined(separator: ", ")
  }
}

// MARK: Invalid input

extension UserMessages {
  /// Why a text is not a valid reference to a channel: `not an ID, a handle (@name) or a URL; did you mean @NASA?`.
  package static func reference(_ error: ReferenceError, of text: String) -> String {
    guard error == .notAReference, let name = ChannelName(description: "@" + text) else { return reference(error) }
    return "\(reference(error)); did you mean \(name)?"
  }

  /// Why a text is not a valid reference to a channel, playlist or video.
  package static func reference(_ error: ReferenceError) -> String {
    switch error {
    case .notAReference: "not an ID, a handle (@name) or a URL"
    case .notYouTube: "not a YouTube URL"
    case .badChannelID(let text):
      "“\(DisplayText(text).text)” is not a channel ID: UC and 22 characters, the last one A, Q, g or w"
    case .badPlaylistID(let text): "“\(DisplayText(text).text)” is not a playlist ID"
    case .badVideoID(let text): "“\(DisplayText(text).text)” is not a video ID: 11 characters"
    case .badName(let text): "“\(DisplayText(text).text)” is not a valid handle or name"
    case .playlistWithoutFeed(let text): "the playlist “\(DisplayText(text).text)” is private and has no feed"
    case .namesVideo: "a video; give its channel: open the video and copy the channel's address or @handle"
    case .namesNothing: "a YouTube URL, but not of a channel, playlist or video"
    }
  }

  /// Why an XML document was rejected.
  package static func xml(_ damage: ParseError) -> String {
    switch damage {
    case .empty: "empty"
    case .malformed(let code, let line, let column): "damaged XML at line \(line), column \(column) (libxml2 \(code))"
    case .tooLarge(let limit): "larger than \(limit) bytes"
    case .tagTooLong(let limit, let line): "line \(line): a tag of more than \(limit) bytes"
    case .tooManyAttributes(let limit, let line): "line \(line): a tag with more than \(limit) attributes"
    case .tooManyNames(let limit, let line): "line \(line): more than \(limit) names"
    case .tooDeep(let limit, let line): "line \(line): nested deeper than \(limit)"
    case .tooManyEntries(let limit): "more than \(limit) entries"
    case .fieldTooLong(let limit, let line): "line \(line): a text of more than \(limit) bytes"
    case .doctype(let line): "line \(line): has a document type declaration, which is not supported"
    case .incomplete(let root): "incomplete: </\(DisplayText(root).text)> is missing"
    case .malformedJSON(let line, let column): "damaged JSON at line \(line), column \(column)"
    case .encoding(let name): "unsupported encoding \(DisplayText(name).text)"
    case .notAFeed(let root): "not a feed but <\(DisplayText(root).text)>"
    case .notOPML(let root): "not OPML but <\(DisplayText(root).text)>"
    case .badEntry(let line, let field, let flaw): "line \(line): an entry whose \(field) is \(flaw)"
    case .noLibrary(let problem): "cannot be parsed without libxml2: \(problem)"
    }
  }

  /// Why a response with status 200 is not a feed.
  package static func feed(_ damage: ParseError) -> String {
    if case .notAFeed(let root) = damage, root.lowercased() == "html" { return "an HTML page instead of the feed" }
    return xml(damage)
  }
}

// MARK: The network

extension UserMessages {
  /// A failure of libcurl itself.
  package static func failure(_ failure: HTTPFailure) -> Failure { Failure(.disk, "libcurl: \(fetch(failure))") }

  /// Why a server of the user's own is not trusted, and what to do, as later requests fail alike; nil for other failures.
  package static func distrust(_ failure: HTTPFailure) -> String? {
    switch failure {
    // X509_V_ERR_CERT_NOT_YET_VALID and X509_V_ERR_CERT_HAS_EXPIRED.
    case .untrusted(9): "the certificate is not valid yet; check the clock of this machine"
    case .untrusted(10): "the certificate has expired; renew it"
    // libcurl's own check of the name, and X509_V_ERR_HOSTNAME_MISMATCH.
    case .untrusted(1), .untrusted(62): "the certificate is for another host name; use the name that it is for"
    case .untrusted:
      "the certificate is not trusted; if it is your own, name the PEM file of its authority in METUBE_RSS_CA_FILE"
    default: nil
    }
  }

  /// Why there is no valid response.
  package static func fetch(_ failure: HTTPFailure) -> String {
    switch failure {
    case .resolve: "host name not found (DNS)"
    case .connect(errno: 0): "no connection"
    case .connect(let code): "no connection (\(String(cString: strerror(code))))"
    case .proxy: "the proxy failed"
    case .tls(let code): "TLS failed (libcurl \(code))"
    case .untrusted: "the certificate is not trusted"
    case .timedOut: "timed out"
    case .certificates: "the CA certificate file cannot be read"
    case .stalled: "the response stalled"
    case .tooLarge(let limit): "a response larger than \(limit) bytes"
    case .headersTooLarge: "response headers too large"
    case .reset: "the connection was reset"
    case .noResponse: "the connection was closed without a response"
    case .truncated: "the response was truncated"
    case .malformed: "invalid HTTP response"
    case .tooManyRedirects: "too many redirects"
    case .forbiddenScheme: "a redirect to a non-HTTP URL"
    case .forbiddenAddress: "a redirect to a private address"
    case .forbiddenHost: "a redirect to another host"
    case .invalidURL: "invalid URL"
    case .invalidHeader: "invalid request header"
    case .aborted: "aborted before a response arrived"
    case .library(let problem): "cannot be loaded: \(problem)"
    case .setting(let name, let code): "this libcurl does not support \(name) (\(code))"
    case .multi(let code), .other(let code): "libcurl \(code)"
    }
  }
}

extension UserMessages {
  /// One line about a change to a video: `watched: A title  dQw4w9WgXcQ`, or `watched: dQw4w9WgXcQ`. On a terminal the title is cut so that the ID
  /// does not wrap.
  package static func reply(_ what: String, _ title: String, _ id: VideoID) -> String {
    if title.isEmpty { return "\(what): \(id)" }
    let title = DisplayText(title)
    let rest = DisplayText(what).width + ": ".utf8.count + "  ".utf8.count + VideoID.length
    let shown = Output.columns.map { title.cut(to: max(16, $0 - rest)) } ?? title
    return "\(what): \(Output.columns == nil ? shown.text : shown.apart)  \(id)"
  }
}
