import Core
import Terminal

/// What the documents of one hub have in common.
package struct PageSettings: Sendable {
  /// Where players come from: `https://www.youtube-nocookie.com`.
  package var embedOrigin: String
  /// Where thumbnails come from: `https://i.ytimg.com`.
  package var thumbnailOrigin: String
  /// The path below which a proxy serves the hub: `/metube`; empty for all of its host.
  package var base: String
  /// Whether the videos are made up: documents say so, and have drawn thumbnails.
  package var isSample = false

  package init(embedOrigin: String, thumbnailOrigin: String, base: String) {
    (self.embedOrigin, self.thumbnailOrigin, self.base) = (embedOrigin, thumbnailOrigin, base)
  }

  /// YouTube's own, for a hub that has its host to itself.
  package static let youTube = PageSettings(
    embedOrigin: "https://www.youtube-nocookie.com", thumbnailOrigin: "https://i.ytimg.com", base: "")

  /// The address of a thumbnail: `mqdefault` (320 pixels wide) and `hqdefault` (480) exist of every video, `sddefault`
  /// (640) and `hq720` (1280) of most. The wide ones are the pictures with bars above and below, which are cut off. A
  /// drawn one for the entries of other feeds, whose publishers would see who reads.
  private func thumbnail(of video: VideoID, _ size: String) -> String {
    guard !isSample, let id = video.youTube else { return SamplePicture(of: video).address }
    return "\(thumbnailOrigin)/vi/\(id)/\(size).jpg"
  }

  /// The picture of a card, as sharp as its screen shows it. The script returns to the first one where a larger one is
  /// missing.
  func card(of video: VideoID) -> HTML {
    picture(
      of: video, [("mqdefault", 320), ("hqdefault", 480), ("sddefault", 640)], sizes: "(max-width: 35rem) 10rem, 21rem")
  }

  /// The picture of a video's own page.
  func stage(of video: VideoID) -> HTML {
    picture(
      of: video, [("hqdefault", 480), ("sddefault", 640), ("hq720", 1280)], sizes: "(max-width: 64rem) 100vw, 64rem")
  }

  /// The attributes of an image in several widths, pixels; the first one serves browsers and videos without the others.
  private func picture(of video: VideoID, _ widths: [(size: String, width: Int)], sizes: String) -> HTML {
    let first = thumbnail(of: video, widths[0].size)
    guard !isSample, video.youTube != nil else { return #" src="\#(first)""# }
    let set = widths.map { "\(thumbnail(of: video, $0.size)) \($0.width)w" }.joined(separator: ", ")
    return #" src="\#(first)" srcset="\#(set)" sizes="\#(sizes)""#
  }

  /// A small picture, which is the same on every screen.
  func cover(of video: VideoID) -> String { thumbnail(of: video, "mqdefault") }

  /// The headers of every document.
  package var headers: [(name: String, value: String)] {
    let images = ["'self'", thumbnailOrigin] + Avatar.origins + ["data:"]
    let policy = [
      "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src \(images.joined(separator: " "))",
      "frame-src 'self' \(embedOrigin)", "connect-src 'self'", "manifest-src 'self'", "worker-src 'self'",
      "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    ]
    return [
      ("Content-Security-Policy", policy.joined(separator: "; ")), ("Cross-Origin-Opener-Policy", "same-origin"),
    ]
  }
}

/// The views, by the name that `data-view` has.
package enum PageView: String, Sendable {
  case feed, discover, channels, channel, video, saved, collections, collection, history, rules, status
  case settings, `import`, login, setup, problem, offline, users, `switch`, join, undo
}

/// What a redirect after a form says at the top of the next view.
package struct PageNotice: Sendable {
  package var text: String
  /// The action that its button undoes; empty for the last one.
  package var undo: String?
  package var isProblem: Bool
  /// Whether it offers to check the feeds: something was followed.
  package var offersCheck: Bool

  package init(_ text: String, undo: String? = nil, isProblem: Bool = false, offersCheck: Bool = false) {
    (self.text, self.undo, self.isProblem, self.offersCheck) = (text, undo, isProblem, offersCheck)
  }
}

/// A document around a view.
package struct PageFrame: Sendable {
  package var settings: PageSettings
  package var view: PageView
  /// The title of the view, which is its heading too.
  package var title: String
  /// The path that forms return to, without `done` and `undone`.
  package var path: PagePath
  package var notice: PageNotice?
  /// What was searched for.
  package var search = ""
  /// The name of the user; empty without users.
  package var user = ""
  package var look = PageLook()
  /// Whether the person chose a time zone, so that the browser's does not count.
  package var hasOwnZone = false
  /// The picture of a channel, if known, and whether the person follows it.
  package var channel: @Sendable (SubscriptionID) -> (avatar: String?, isFollowed: Bool) = { _ in (nil, false) }
  /// The time of the document, with the user's time zone.
  package var now: LocalTime

  package init(
    settings: PageSettings, view: PageView, title: String, path: PagePath, notice: PageNotice?, now: LocalTime
  ) {
    (self.settings, self.view, self.title, self.path) = (settings, view, title, path)
    (self.notice, self.now) = (notice, now)
  }

  /// The document with `content` in its main part.
  package func document(_ content: HTML) -> [UInt8] {
    let html: HTML = ##"""
      <!doctype html>
      <html lang="en" data-view="\##(view.rawValue)"\##(" data-zoned", if: hasOwnZone)\##(look.attributes)>
      <head>
      <meta charset="utf-8">
      <title>\##(title) · metube-rss</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      \##(look.schemes)
      <link rel="stylesheet" href="\##(PageAsset.style.address)">
      <link rel="icon" href="/icon.svg" type="image/svg+xml">
      <link rel="apple-touch-icon" href="/icon-192.png">
      <link rel="manifest" href="/manifest.webmanifest">
      \##(##"<script type="module" src="\##(PageAsset.script.address)"></script>"##, if: ![.setup, .join].contains(view))
      </head>
      <body data-embed="\##(settings.embedOrigin)" data-api="/api/v1" data-user="\##(user)"\##(look.player)>
      <a class="skip-link" href="#main">Skip to content</a>
      \##(Icon.sprite)
      \##([.login, .setup, .join].contains(view) ? HTML() : header)
      <main id="main" tabindex="-1">
      \##(SamplePicture.note, if: settings.isSample)
      \##(noticeBar)
      \##(content)
      </main>
      <aside id="player" hidden aria-label="Player"></aside>
      <div id="toasts" role="status" aria-live="polite"></div>
      <a id="fresh" hidden href="/">New videos</a>
      <p id="offline" role="status" hidden>You are offline. Marks are kept here and sent when the hub answers again.</p>
      \##(KeyHelp.html)
      </body>
      </html>

      """##
    return html.linked(below: settings.base)
  }

  private var header: HTML {
    #"""
    <header class="top">
    <a class="brand" href="/">\#(Icon.logo)<span>metube-rss</span></a>
    <form class="search" role="search" action="/" method="get">
    <label class="vh" for="q">Search your videos</label>
    \#(Icon.search)<input id="q" name="q" type="search" value="\#(search)" placeholder="Search" autocomplete="off">
    </form>
    <form class="back" method="post" action="/undo"><input type="hidden" name="back" value="\#(path.description)"><button aria-label="Undo the last action" title="Undo the last action">\#(Icon.undo)</button></form>
    <nav aria-label="Main"><ul>
    \#(PageFrame.links.map(navigationItem))
    </ul></nav>
    </header>
    """#
  }

  private struct NavigationLink {
    let view: PageView
    let path: String
    let label: String
    let icon: HTML
    /// Whether narrow screens show it.
    let isPrimary: Bool
  }

  private static let links = [
    NavigationLink(view: .feed, path: "/", label: "Feed", icon: Icon.feed, isPrimary: true),
    NavigationLink(view: .discover, path: "/discover", label: "Discover", icon: Icon.search, isPrimary: false),
    NavigationLink(view: .channels, path: "/channels", label: "Channels", icon: Icon.channels, isPrimary: true),
    NavigationLink(view: .saved, path: "/saved", label: "Saved", icon: Icon.save, isPrimary: true),
    NavigationLink(view: .collections, path: "/collections", label: "Collections", icon: Icon.folder, isPrimary: false),
    NavigationLink(view: .history, path: "/history", label: "History", icon: Icon.history, isPrimary: true),
    NavigationLink(view: .rules, path: "/rules", label: "Rules", icon: Icon.rules, isPrimary: false),
    NavigationLink(view: .status, path: "/status", label: "Status", icon: Icon.status, isPrimary: false),
    NavigationLink(view: .settings, path: "/settings", label: "Settings", icon: Icon.settings, isPrimary: true),
  ]

  private func navigationItem(for link: NavigationLink) -> HTML {
    let isHere = link.view == view || PageFrame.parents[view] == link.view
    return #"""
      <li\#(#" class="wide""#, if: !link.isPrimary)><a href="\#(link.path)"\#(#" aria-current="page""#, if: isHere)>\#(link.icon)<span>\#(link.label)</span></a></li>

      """#
  }

  /// The views that belong under another one in the navigation.
  private static let parents: [PageView: PageView] = [
    .channel: .channels, .collection: .collections, .import: .settings, .users: .settings, .switch: .settings,
    .undo: .history,
  ]

  private var noticeBar: HTML {
    guard let notice else { return "" }
    var undo: HTML = ""
    if let action = notice.undo {
      undo = #"""
        <form method="post" action="/undo"><input type="hidden" name="action" value="\#(action)"><input type="hidden" name="back" value="\#(path.description)"><button>\#(Icon.undo)Undo</button></form>
        """#
    }
    return #"""
      <div class="notice\#(" problem", if: notice.isProblem)" role="\#(notice.isProblem ? "alert" : "status")"><p>\#(notice.text)</p>\#(undo)\#(PollButton(frame: self, text: "").labelled, if: notice.offersCheck)</div>
      """#
  }
}
