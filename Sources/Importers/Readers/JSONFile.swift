import Core

/// A JSON file with one value, parsed as a stream: Takeout's subscriptions and history, NewPipe's subscriptions, the
/// backups of LibreTube, Piped and Invidious.
struct JSONFile {
  private var builder: ImportBuilder
  /// The format, as far as known by now.
  private var format: ImportFormat?
  private var groups: [JSONValue] = []

  /// Reads a whole file; throws `notUnderstood` if it contains nothing known.
  static func read(_ bytes: ByteReader, limits: ImportLimits, entry: String?) throws(ImportError) -> ImportBuilder {
    var reader = JSONReader(bytes)
    var file = JSONFile(builder: ImportBuilder(format: .newPipe, limits: limits, entry: entry))
    switch try reader.nextKind() {
    case .object:
      try reader.forEachMember { name, reader throws(ImportError) in try file.takeMember(name, &reader) }
    case .array:
      try reader.forEachElement { reader throws(ImportError) in try file.takeElement(&reader) }
    default: throw .notUnderstood(looksLike: .json)
    }
    try reader.expectEnd()
    guard let format = file.format else { throw .notUnderstood(looksLike: .json) }
    file.builder.recognise(format)
    for group in file.groups { file.tag(by: group) }
    return file.builder
  }

  /// Handles a member of the outermost object by name.
  private mutating func takeMember(_ name: String, _ reader: inout JSONReader) throws(ImportError) {
    recognise(memberOf: name)
    guard try reader.nextKind() == .array else { return try reader.skip() }
    switch name {
    case "subscriptions", "localSubscriptions":
      try reader.forEachElement { reader throws(ImportError) in
        let (value, line) = try reader.valueAndLine()
        if format == nil { format = value.text == nil ? .newPipe : .invidious }
        try builder.subscribe(toJSON: value, line: line)
      }
    case "watch_history", "watchHistory":
      try reader.forEachElement { reader throws(ImportError) in
        let (value, line) = try reader.valueAndLine()
        try builder.watch(json: value, line: line)
      }
    case "playlists", "localPlaylists":
      try reader.forEachElement { reader throws(ImportError) in
        let (value, line) = try reader.valueAndLine()
        try builder.collect(json: value, line: line)
      }
    case "groups", "channelGroups": groups += try reader.value().elements ?? []
    default: try reader.skip()
    }
  }

  /// Detects the format by a member name that only one format has. NewPipe's and Invidious' `subscriptions` differ only
  /// in their elements.
  private mutating func recognise(memberOf name: String) {
    switch name {
    case "watch_history": format = .invidious
    case "format", "localSubscriptions", "groups", "channelGroups", "watchHistory", "localPlaylists": format = .piped
    case "app_version", "app_version_int": format = .newPipe
    case "playlists": format = format ?? .invidious
    default: break
    }
  }

  /// Handles an element of the outermost array: a subscription, a history row, a playlist or an ID.
  private mutating func takeElement(_ reader: inout JSONReader) throws(ImportError) {
    let (value, line) = try reader.valueAndLine()
    if value["snippet"] != nil {
      format = format ?? .takeoutJSON
      try builder.subscribe(toJSON: value, line: line)
    } else if value["titleUrl"] != nil || value["activityControls"] != nil {
      format = format ?? .watchHistoryJSON
      try builder.watch(takeout: value, line: line)
    } else if value["videos"] != nil {
      format = format ?? .freeTube
      try builder.collect(json: value, line: line)
    } else if value.text != nil {
      format = format ?? .plainList
      try builder.subscribe(toJSON: value, line: line)
    } else {
      try builder.refuse(.empty, line: line)
    }
  }

  /// Tags the channels of a group (`{"groupName":"Craft","channels":["UC…"]}`) with its name.
  private mutating func tag(by group: JSONValue) {
    guard let name = group["groupName"]?.text ?? group["name"]?.text else { return }
    for channel in group["channels"]?.elements ?? [] {
      let text = channel.text ?? channel["channelId"]?.text ?? ""
      if let channel = ChannelReference.subscription(in: text)?.channel { builder.tag(channel, with: name) }
    }
  }
}
