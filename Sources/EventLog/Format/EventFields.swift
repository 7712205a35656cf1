import Core

extension StatusSet: LineBody {
  static func coded(_ body: StatusSet?, by coder: inout some MemberCoder) -> StatusSet? {
    guard let video = coder.member("video", body?.video), let status = coder.member("status", body?.status) else {
      return nil
    }
    return StatusSet(
      video: video, status: status,
      until: coder.option("until", body?.until),
      at: coder.option("at", body?.at),
      reason: coder.option("reason", body?.reason))
  }
}

extension SavedSet: LineBody {
  static func coded(_ body: SavedSet?, by coder: inout some MemberCoder) -> SavedSet? {
    guard let video = coder.member("video", body?.video), let saved = coder.member("saved", body?.saved) else {
      return nil
    }
    return SavedSet(video: video, saved: saved)
  }
}

extension CollectionSet: LineBody {
  static func coded(_ body: CollectionSet?, by coder: inout some MemberCoder) -> CollectionSet? {
    guard let video = coder.member("video", body?.video), let name = coder.member("collection", body?.collection),
      let member = coder.member("member", body?.member)
    else { return nil }
    return CollectionSet(video: video, collection: name, member: member)
  }
}

extension ProgressSet: LineBody {
  static func coded(_ body: ProgressSet?, by coder: inout some MemberCoder) -> ProgressSet? {
    guard let video = coder.member("video", body?.video), let seconds = coder.member("seconds", body?.seconds) else {
      return nil
    }
    return ProgressSet(video: video, seconds: seconds)
  }
}

extension NoteSet: LineBody {
  static func coded(_ body: NoteSet?, by coder: inout some MemberCoder) -> NoteSet? {
    guard let video = coder.member("video", body?.video), let text = coder.member("text", body?.text) else {
      return nil
    }
    return NoteSet(video: video, text: text)
  }
}
