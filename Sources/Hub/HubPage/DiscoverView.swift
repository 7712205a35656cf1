import Core
import Terminal

/// A search over everything that was found and, if asked for, over YouTube. Nothing is recommended: without words there
/// is nothing.
package struct DiscoverView: Sendable {
  /// A video that YouTube found.
  package struct Found: Sendable {
    package var video: YouTubeVideo
    /// The video as it is known here; nil if no feed has shown it.
    package var row: VideoRow?
    /// Whether its channel is followed.
    package var isFollowed: Bool

    package init(video: YouTubeVideo, row: VideoRow?, isFollowed: Bool) {
      (self.video, self.row, self.isFollowed) = (video, row, isFollowed)
    }
  }

  package var query: String
  /// What was found here; nil without words.
  package var list: VideoList?
  /// How many that are: `12 videos`.
  package var summary: String
  /// Channels of that name.
  package var channels: [ChannelMatch]
  /// What YouTube found; nil if it was not searched.
  package var found: [Found]?
  package var offer: SearchOffer?

  package init(
    query: String, list: VideoList?, summary: String, channels: [ChannelMatch], found: [Found]?, offer: SearchOffer?
  ) {
    (self.query, self.list, self.summary) = (query, list, summary)
    (self.channels, self.found, self.offer) = (channels, found, offer)
  }

  package func html(in frame: PageFrame) -> HTML {
    #"""
    <div class="heading"><h1>Discover</h1><p class="summary">\#(summary)</p></div>
    <form class="follow aside" role="search" aria-label="Everything found" method="get" action="/discover">
    <label for="words">Search everything that was ever found</label>
    <div class="inline"><input id="words" name="q" type="search" value="\#(query)" maxlength="200" autocomplete="off" dir="auto"><button class="main">\#(Icon.search)Search</button></div></form>
    \#(list.map { results($0, frame) } ?? #"<p class="end">Nothing is shown before you search.</p>"#)
    """#
  }

  private func results(_ list: VideoList, _ frame: PageFrame) -> HTML {
    #"""
    \#(ChoiceList(choices: channels, fields: [], frame: frame).html(titled: "Channels", "channels"))
    \#(onYouTube(frame))
    \#(list.html(in: frame))
    \#(#"<p class="end">\#(list.rows.isEmpty ? "Nothing that was found here matches." : "That is all that was found here.")</p>"#, if: list.next == nil)
    \#(found == nil ? offer?.html(to: PagePath(["discover"], query: [(name: "q", value: query)]), []) : nil)
    """#
  }

  private func onYouTube(_ frame: PageFrame) -> HTML {
    guard let found else { return "" }
    guard !found.isEmpty else { return #"<p class="end">YouTube found nothing.</p>"# }
    let cards: [HTML] = found.map { found in
      found.row.map { VideoCard(row: $0, frame: frame, back: frame.path).html }
        ?? FoundCard(found: found, frame: frame).html
    }
    return #"""
      <section class="day" aria-labelledby="youtube"><h2 id="youtube">On YouTube</h2>
      <div class="cards">
      \#(cards)</div></section>
      <h2 class="vh">Found here</h2>
      """#
  }
}

/// A video that no feed has shown.
private struct FoundCard {
  let found: DiscoverView.Found
  let frame: PageFrame

  var html: HTML {
    let (video, id) = (found.video, found.video.video)
    let title = DisplayText(video.title).isBlank ? id.description : video.title
    return #"""
      <article class="card" id="y-\#(id)" aria-labelledby="yt-\#(id)">
      <a class="thumb" href="/videos/\#(id)" tabindex="-1" aria-hidden="true"><img\#(frame.settings.card(of: id)) alt="" width="320" height="180" decoding="async" loading="lazy">\#(badge)</a>
      <div class="text">
      <h3 id="yt-\#(id)" dir="auto"><a href="/videos/\#(id)">\#(title)</a></h3>
      <p class="meta"><span dir="auto">\#(video.channelTitle)</span> \#(time)</p>
      <form class="marks" method="post" action="/follow">\#(follow)<a class="outside" href="https://www.youtube.com/watch?v=\#(id)" rel="noreferrer" aria-label="Open on YouTube" title="Open on YouTube">\#(Icon.outside)</a></form>
      </div>
      </article>

      """#
  }

  private var badge: HTML {
    switch found.video.live {
    case .live: return #"<span class="length live">Live</span>"#
    case .upcoming: return #"<span class="length">Upcoming</span>"#
    default: break
    }
    guard let seconds = found.video.durationSeconds else { return "" }
    return #"<span class="length">\#(PlayingTime.text(seconds: seconds))</span>"#
  }

  private var time: HTML {
    guard let time = found.video.published else { return "" }
    return
      #"<time datetime="\#(time.rfc3339)" title="\#(frame.now.long(time))">\#(frame.now.ago(time))</time>"#
  }

  private var follow: HTML {
    if found.isFollowed { return #"<span class="chip">followed</span>"# }
    guard let channel = found.video.channel else { return "" }
    let label = "Follow \(found.video.channelTitle)"
    return #"""
      <input type="hidden" name="source" value="\#(channel.description)"><input type="hidden" name="back" value="\#(frame.path.description)"><button aria-label="\#(label)" title="\#(label)">\#(Icon.add)</button>
      """#
  }
}
