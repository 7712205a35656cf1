import Core
import Terminal

/// One video: where it plays, its marks, and everything known.
package struct VideoView: Sendable {
  /// A label and its text.
  package typealias Line = (label: String, text: String)

  package var row: VideoRow
  package var description: String
  package var note: String
  package var collections: [String]
  /// The names of all collections.
  package var allCollections: [String]
  /// Whether it is listed and why.
  package var decisions: [Line]
  /// A list that shows it all the same; nil if the feed does.
  package var otherList: PagePath?
  package var facts: [Line]
  package var history: [Line]
  /// When it begins, if it is announced.
  package var scheduled: Timestamp?
  /// The title that it was shared with, which the first mark keeps; nil for a video whose title is known.
  package var sharedTitle: String?
  /// Whether its channel is followed.
  package var isFollowed: Bool

  package init(
    row: VideoRow, description: String, note: String, collections: [String], allCollections: [String],
    decisions: [Line], otherList: PagePath?, facts: [Line], history: [Line], scheduled: Timestamp?,
    sharedTitle: String?,
    isFollowed: Bool
  ) {
    (self.row, self.description, self.note) = (row, description, note)
    (self.collections, self.allCollections) = (collections, allCollections)
    (self.decisions, self.otherList, self.facts) = (decisions, otherList, facts)
    (self.history, self.scheduled, self.sharedTitle) = (history, scheduled, sharedTitle)
    self.isFollowed = isFollowed
  }

  package func html(in frame: PageFrame) -> HTML {
    let id = row.video
    return #"""
      <article class="watch" data-video="\#(id)" data-status="\#(row.status.rawValue)" data-saved="\#(row.saved ? "true" : "false")"\#(sharedTitle.map { #" data-title="\#($0)""# as HTML })>
      <div class="stage" data-video="\#(id)" data-position="\#(row.progress)" data-duration="\#(row.durationSeconds.map(String.init) ?? "")" data-live="\#(row.live.rawValue)"\#(row.kindMark)\#(frame.look.speed(of: row.knownChannel?.description ?? ""))><img\#(frame.settings.stage(of: id)) alt="" width="480" height="360">\#(startLink)</div>
      <div>
      <h1 dir="auto">\#(row.shownTitle)</h1>
      <p class="meta">\#(channel) \#(published(frame))\#(length)\#(start(frame))</p>
      \#(marks(frame))
      </div>
      \#(row.isSeen ? HTML() : unseen(frame))
      \#(#"<div class="description" dir="auto">\#(HTML(describing: description, duration: row.durationSeconds, at: moment))</div>"#, if: !description.isEmpty)
      <div class="two">
      \#(noteForm(frame))
      \#(collectionForms(frame))
      \#(positionForm(frame))
      </div>
      \#(actions(frame))
      <section class="aside" aria-labelledby="why"><h2 id="why">Why it is \#(otherList == nil && row.isSeen ? "" : "not ")in the feed</h2>\#(VideoView.list(decisions))\#(otherList.map { #"<p class="after"><a href="\#($0.description)">Show it in a list</a></p>"# as HTML })</section>
      <details class="aside"><summary>Everything known</summary>\#(VideoView.list(facts))<h2>History</h2>\#(VideoView.list(history))</details>
      </article>
      """#
  }

  /// The link over the picture: it plays, or opens an article.
  private var startLink: HTML {
    let (label, icon): (HTML, HTML) = row.mediaKind == .article ? ("Open its page", Icon.outside) : ("Play", Icon.play)
    return
      #"<a class="start" href="\#(VideoView.page(of: row))" rel="noreferrer" aria-label="\#(label)">\#(icon)</a>"#
  }

  /// The page of the video at a second.
  private func moment(_ seconds: Int) -> String {
    VideoView.page(of: row) + (row.video.isEntry ? "#t=\(seconds)" : "&t=\(seconds)s")
  }

  /// The page of the video itself: on YouTube, or where its feed links to.
  private static func page(of row: VideoRow) -> String {
    row.video.youTube.map { "https://www.youtube.com/watch?v=\($0)" } ?? row.url
  }

  /// What forms say of the video that they mark.
  private func subject(_ frame: PageFrame) -> HTML {
    let title = sharedTitle.map { #"<input type="hidden" name="title" value="\#($0)">"# as HTML }
    return
      #"<input type="hidden" name="video" value="\#(row.video)">\#(title)<input type="hidden" name="back" value="\#(frame.path.description)">"#
  }

  private var channel: HTML {
    guard let channel = row.knownChannel else { return #"<span dir="auto">\#(row.channelTitle)</span>"# }
    return #"<a class="channel" href="/channels/\#(channel.description)" dir="auto">\#(row.channelTitle)</a>"#
  }

  private func published(_ frame: PageFrame) -> HTML {
    guard let published = row.knownPublished else { return "" }
    return #"<time datetime="\#(published.rfc3339)">\#(frame.now.long(published))</time>"#
  }

  /// What can be done with a video that no feed has shown.
  private func unseen(_ frame: PageFrame) -> HTML {
    let about: HTML
    if let channel = row.knownChannel {
      let follow: HTML = #"""
        <form method="post" action="/follow"><input type="hidden" name="back" value="\#(frame.path.description)"><input type="hidden" name="source" value="\#(channel.description)"><button>\#(Icon.add)Follow its channel</button></form>
        """#
      about = isFollowed ? "<p>You follow its channel, whose feed has only the latest videos.</p>" : follow
    } else {
      // Of some only the name is known, by which the form finds channels to choose from.
      let isNamed = !DisplayText(row.channelTitle).isBlank
      let form = FollowForm(frame: frame, source: isNamed ? row.channelTitle : "", isShort: true).html
      about =
        isNamed
        ? "<p>The address of its channel is not known yet; its name finds it.</p>\(form)"
        : "<p>Its channel is not known yet.</p>\(form)"
    }
    let title: HTML = DisplayText(row.title).isBlank ? " Lists name it by its ID until its title is known." : ""
    return #"""
      <section class="aside unseen" aria-labelledby="unseen"><h2 id="unseen">No feed has shown this video yet</h2><p>It can be saved, collected, marked and played like any other.\#(title)</p>\#(sharedTitle.map { "<p>It was shared as “<bdi>\($0)</bdi>”, which becomes its title with the first mark, until YouTube reports another.</p>" as HTML })\#(about)</section>
      """#
  }

  private var length: HTML {
    var html = HTML()
    if let seconds = row.durationSeconds { html += " <span>\(PlayingTime.text(seconds: seconds))</span>" }
    if row.short == .yes { html += #" <span class="chip">Short</span>"# }
    if row.progress > 0 { html += #" <span class="chip">at \#(PlayingTime.text(seconds: row.progress))</span>"# }
    return html
  }

  private func start(_ frame: PageFrame) -> HTML {
    switch row.live {
    case .live: return #" <span class="chip">live now</span>"#
    case .ended: return #" <span class="chip">was live</span>"#
    case .upcoming:
      return #" <span class="chip">upcoming\#(scheduled.map { ", \(frame.now.moment($0))" } ?? "")</span>"#
    case .none, .unknown: return ""
    }
  }

  private func marks(_ frame: PageFrame) -> HTML {
    func button(_ action: String, _ icon: HTML, _ label: String) -> HTML {
      #"<button name="action" value="\#(action)">\#(icon)\#(label)</button>"#
    }
    let status: HTML =
      row.status == .new
      ? "\(button("watched", Icon.watched, "Watched"))\(button("skip", Icon.skip, "Skip"))"
      : button("new", Icon.renew, "Mark as new")
    let saved =
      row.saved ? button("unsave", Icon.save, "Remove from saved") : button("save", Icon.save, "Save")
    let times: [(String, String)] = [("tomorrow", "tomorrow"), ("3d", "3 days"), ("1w", "a week"), ("4w", "4 weeks")]
    let options: [HTML] = times.map { #"<option value="\#($0)">\#($1)</option>"# }
    return #"""
      <form class="marks" method="post" action="/marks">\#(subject(frame))
      \#(status)\#(saved)<a class="outside" href="\#(VideoView.page(of: row))" rel="noreferrer">\#(Icon.outside)\#(row.video.isEntry ? "Its page" as HTML : "YouTube")</a>
      </form>
      <form class="marks snooze" method="post" action="/marks">\#(subject(frame))
      <label for="until">Snooze until</label><select id="until" name="until">\#(options)</select><label for="date">or</label><input id="date" name="date" type="date" aria-label="Snooze until this day">\#(button("snooze", Icon.snooze, "Snooze"))
      </form>
      """#
  }

  /// What hides videos like this one, and others of its channel.
  private func actions(_ frame: PageFrame) -> HTML {
    guard let channel = row.knownChannel, row.isSeen else { return "" }
    let like: HTML =
      #"<a class="button" href="\#(PagePath(["rules"], query: [("like", row.video.description)]).description)">Hide videos like this…</a>"#
    let fields: HTML =
      #"<input type="hidden" name="back" value="\#(frame.path.description)"><input type="hidden" name="action" value="set">"#
    func form(_ name: String, _ text: HTML) -> HTML {
      #"<form method="post" action="/channels/\#(channel.description)">\#(fields)<button name="\#(name)" value="hide">\#(text)</button></form>"#
    }
    let ofChannel: HTML = #"""
      \#(form("shorts", "Hide its Shorts"))\#(form("live", "Hide its streams"))
      <form method="post" action="/channels/\#(channel.description)"><input type="hidden" name="back" value="\#(frame.path.description)"><button class="bad" name="action" value="unfollow">Unfollow</button></form>
      """#
    return #"""
      <section class="aside" id="actions" aria-labelledby="actions-title"><h2 id="actions-title">This channel, and videos like this</h2><div class="buttons">\#(like)\#(ofChannel, if: isFollowed)</div></section>
      """#
  }

  private func noteForm(_ frame: PageFrame) -> HTML {
    #"""
    <form class="aside" method="post" action="/marks">\#(subject(frame))
    <div class="field"><label for="note">Note</label><textarea id="note" name="note" dir="auto">
    \#(note)</textarea></div><button name="action" value="note">Save note</button></form>
    """#
  }

  private func positionForm(_ frame: PageFrame) -> HTML {
    let at = row.progress > 0 ? PlayingTime.text(seconds: row.progress) : ""
    return #"""
      <form class="aside" method="post" action="/marks">\#(subject(frame))
      <div class="field"><label for="position">Watched up to</label><div class="inline"><input id="position" name="position" value="\#(at)" placeholder="12:34" autocomplete="off" aria-describedby="h-position"><button name="action" value="progress">Set</button></div><small id="h-position">Empty: from the beginning.</small></div></form>
      """#
  }

  private func collectionForms(_ frame: PageFrame) -> HTML {
    let members: [HTML] = collections.map { name in
      #"""
      <li><span class="name"><a href="\#(PagePath(["collections", name]).description)" dir="auto">\#(name)</a></span><form method="post" action="/marks">\#(subject(frame))<input type="hidden" name="collection" value="\#(name)"><button name="action" value="uncollect">Remove</button></form></li>

      """#
    }
    let names: [HTML] = allCollections.map { #"<option value="\#($0)"></option>"# }
    return #"""
      <div class="aside"><h2>Collections</h2><ul class="rows">\#(members)</ul>
      <form method="post" action="/marks">\#(subject(frame))
      <div class="field"><label for="collection">Add to</label><div class="inline"><input id="collection" name="collection" list="collections" required dir="auto" autocomplete="off"><button name="action" value="collect">Add</button></div><datalist id="collections">\#(names)</datalist></div></form></div>
      """#
  }

  static func list(_ lines: [Line]) -> HTML {
    let rows: [HTML] = lines.map { label, text in #"<dt>\#(label)</dt><dd dir="auto">\#(text)</dd>"# }
    return #"<dl class="facts">\#(rows)</dl>"#
  }
}
