import Core
import Terminal

/// A video in a list.
struct VideoCard {
  let row: VideoRow
  let frame: PageFrame
  /// Where marks return to.
  let back: PagePath
  /// Whether its thumbnail is loaded before it is scrolled to.
  var isFirst = false

  var html: HTML {
    let id = row.video
    return #"""
      <article class="card" id="v-\#(id)" data-video="\#(id)" data-channel="\#(row.knownChannel?.description ?? "")" data-status="\#(row.status.rawValue)" data-saved="\#(row.saved ? "true" : "false")" data-position="\#(row.progress)" data-duration="\#(row.durationSeconds.map(String.init) ?? "")" data-live="\#(row.live.rawValue)"\#(row.kindMark)\#(" data-unfollowed", if: !isFollowed)\#(frame.look.speed(of: row.knownChannel?.description ?? "")) aria-labelledby="t-\#(id)">
      <a class="thumb" href="/videos/\#(id)" tabindex="-1" aria-hidden="true"><img\#(frame.settings.card(of: id)) alt="" width="320" height="180" decoding="async"\#(#" loading="lazy""#, if: !isFirst)>\#(badge)\#(progress)</a>
      <div class="text">
      <h3 id="t-\#(id)" dir="auto"><a href="/videos/\#(id)">\#(row.shownTitle)</a></h3>
      <p class="meta">\#(channel) \#(time)\#(notes)</p>
      <form class="marks" method="post" action="/marks"><input type="hidden" name="video" value="\#(id)"><input type="hidden" name="back" value="\#(back.description)">
      \#(buttons)<a class="menu" href="/videos/\#(id)#actions" aria-label="More: \#(row.shownTitle)" title="More">\#(Icon.more)</a>
      </form>
      </div>
      <input type="checkbox" class="select" name="video" value="\#(id)" form="bulk" aria-label="Select: \#(row.shownTitle)">
      </article>

      """#
  }

  /// Whether the person follows its channel.
  private var isFollowed: Bool { row.knownChannel.map { frame.channel($0).isFollowed } ?? false }

  private var badge: HTML {
    switch row.live {
    case .live: return #"<span class="length live">Live</span>"#
    case .upcoming: return #"<span class="length">Upcoming</span>"#
    default: break
    }
    if let seconds = row.durationSeconds {
      return #"<span class="length">\#(PlayingTime.text(seconds: seconds))</span>"#
    }
    return row.short == .yes ? #"<span class="length">Short</span>"# : ""
  }

  private var progress: HTML {
    guard row.progress > 0, let duration = row.durationSeconds, duration > 0 else { return "" }
    return #"<progress max="\#(duration)" value="\#(min(row.progress, duration))"></progress>"#
  }

  private var channel: HTML {
    guard let channel = row.knownChannel else {
      return row.channelTitle.isEmpty ? "" : #"<span dir="auto">\#(row.channelTitle)</span>"#
    }
    let picture: HTML? = frame.channel(channel).avatar.map {
      #"<img class="face" src="\#($0)" alt="" width="24" height="24" loading="lazy" decoding="async">"#
    }
    return
      #"<a class="channel" href="/channels/\#(channel.description)">\#(picture)<span dir="auto">\#(row.channelTitle)</span></a>"#
  }

  private var time: HTML {
    let unseen: HTML = row.isSeen ? "" : #" <span class="chip">in no feed yet</span>"#
    guard let published = row.knownPublished else { return unseen }
    return
      #"<time datetime="\#(published.rfc3339)" title="\#(frame.now.long(published))">\#(frame.now.ago(published))</time>\#(unseen)"#
  }

  /// What is known besides: length for those who do not see the picture, snooze, doubts.
  private var notes: HTML {
    var notes = HTML()
    if let seconds = row.durationSeconds {
      notes += #"<span class="vh">\#(PlayingTime.text(seconds: seconds)) long</span>"#
    }
    // Elsewhere the bar under the picture shows it.
    if row.progress > 0, row.durationSeconds == nil, row.status != .watched {
      notes += #" <span class="chip">at \#(PlayingTime.text(seconds: row.progress))</span>"#
    }
    if row.short == .yes, row.durationSeconds != nil { notes += #" <span class="chip">Short</span>"# }
    switch row.live {
    case .ended: notes += #" <span class="chip">was live</span>"#
    case .unknown where row.maybeUpcoming: notes += #" <span class="chip">maybe upcoming</span>"#
    default: break
    }
    if let until = row.snoozedUntil {
      notes +=
        #" <span class="chip">snoozed until <time data-moment datetime="\#(until.rfc3339)">\#(frame.now.moment(until))</time></span>"#
    }
    if frame.view == .saved, let saved = row.savedAt {
      notes +=
        #" <span class="chip">saved <time data-moment datetime="\#(saved.rfc3339)" title="\#(frame.now.long(saved))">\#(frame.now.moment(saved))</time></span>"#
    }
    if row.status == .watched { notes += #" <span class="chip">watched</span>"# }
    if row.status == .skipped { notes += #" <span class="chip">skipped</span>"# }
    return notes
  }

  private var buttons: HTML {
    func button(_ action: String, _ label: String, _ icon: HTML) -> HTML {
      MarkButton(action: action, label: label, title: row.shownTitle, icon: icon).html
    }
    var buttons = HTML()
    if row.status == .new {
      buttons += button("watched", "Watched", Icon.watched)
      buttons += button("skip", "Skip", Icon.skip)
      buttons += button("snooze", "Snooze until tomorrow", Icon.snooze)
    } else {
      buttons += button("new", "Mark as new again", Icon.renew)
    }
    buttons += row.saved ? button("unsave", "Remove from saved", Icon.save) : button("save", "Save", Icon.save)
    return buttons
  }
}

/// A button that marks a video: an icon with a name, which has the video's title for those who hear the buttons alone.
struct MarkButton {
  let action: String
  let label: String
  let title: String
  let icon: HTML

  var html: HTML {
    #"<button name="action" value="\#(action)" aria-label="\#(label): \#(title)" title="\#(label)">\#(icon)</button>"#
  }
}
