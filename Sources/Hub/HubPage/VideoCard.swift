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
      <article class="card" id="v-\#(id)" data-video="\#(id)" data-channel="\#(row.knownChannel?.description ?? "")" data-status="\#(row.status.rawValue)" data-saved="\#(row.saved ? "true" : "false")" data-position="\#(row.progress)" data-duration="\#(row.durationSeconds.map(String.init) ?? "")" data-live="\#(row.live.rawValue)"\#(frame.look.speed(of: row.knownChannel?.description ?? "")) aria-labelledby="t-\#(id)">
      <a class="thumb" href="/videos/\#(id)" tabindex="-1" aria-hidden="true"><img src="\#(frame.settings.thumbnail(of: id, "mqdefault"))" alt="" width="320" height="180" decoding="async"\#(#" loading="lazy""#, if: !isFirst)>\#(badge)\#(progress)</a>
      <div class="text">
      <h3 id="t-\#(id)" dir="auto"><a href="/videos/\#(id)">\#(row.shownTitle)</a></h3>
      <p class="meta">\#(channel) \#(time)\#(notes)</p>
      <form class="marks" method="post" action="/marks"><input type="hidden" name="video" value="\#(id)"><input type="hidden" name="back" value="\#(back.description)">
      \#(buttons)<a class="outside" href="https://www.youtube.com/watch?v=\#(id)" rel="noreferrer" aria-label="Open on YouTube" title="Open on YouTube">\#(Icon.outside)</a>
      </form>
      </div>
      <input type="checkbox" class="select" name="video" value="\#(id)" form="bulk" aria-label="Select">
      </article>

      """#
  }

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
    return #"<a class="channel" href="/channels/\#(channel.description)" dir="auto">\#(row.channelTitle)</a>"#
  }

  private var time: HTML {
    let unseen: HTML = row.isSeen ? "" : #" <span class="chip">in no feed yet</span>"#
    guard let published = row.knownPublished else { return unseen }
    return
      #"<time datetime="\#(published.rfc3339)" title="\#(frame.now.long(published))">\#(published.short(at: frame.now))</time>\#(unseen)"#
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
      notes += #" <span class="chip">snoozed until \#(frame.now.moment(until))</span>"#
    }
    if frame.view == .saved, let saved = row.savedAt {
      notes +=
        #" <time class="chip" datetime="\#(saved.rfc3339)" title="\#(frame.now.long(saved))">saved \#(frame.now.moment(saved))</time>"#
    }
    if row.status == .watched { notes += #" <span class="chip">watched</span>"# }
    if row.status == .skipped { notes += #" <span class="chip">skipped</span>"# }
    return notes
  }

  private var buttons: HTML {
    var buttons = HTML()
    if row.status == .new {
      buttons += MarkButton(action: "watched", label: "Watched", icon: Icon.watched).html
      buttons += MarkButton(action: "skip", label: "Skip", icon: Icon.skip).html
      buttons += MarkButton(action: "snooze", label: "Snooze until tomorrow", icon: Icon.snooze).html
    } else {
      buttons += MarkButton(action: "new", label: "Mark as new again", icon: Icon.renew).html
    }
    buttons +=
      row.saved
      ? MarkButton(action: "unsave", label: "Remove from saved", icon: Icon.save).html
      : MarkButton(action: "save", label: "Save", icon: Icon.save).html
    return buttons
  }
}

/// A button that marks: an icon with a name.
struct MarkButton {
  let action: String
  let label: String
  let icon: HTML

  var html: HTML {
    #"<button name="action" value="\#(action)" aria-label="\#(label)" title="\#(label)">\#(icon)</button>"#
  }
}
