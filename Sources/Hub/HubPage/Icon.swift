/// The icons, drawn here: 24 by 24, in strokes of the text's colour. Each document has the shapes once.
enum Icon {
  static let feed = use("feed")
  static let channels = use("channels")
  static let save = use("save")
  static let folder = use("folder")
  static let history = use("history")
  static let rules = use("rules")
  static let status = use("status")
  static let settings = use("settings")
  static let search = use("search")
  static let undo = use("undo")
  static let watched = use("watched")
  static let skip = use("skip")
  static let snooze = use("snooze")
  static let renew = use("renew")
  static let outside = use("outside")
  static let play = use("play")
  static let add = use("add")
  static let more = use("more")
  static let logo: HTML = ##"<svg class="logo" viewBox="0 0 24 24" aria-hidden="true"><use href="#i-logo"/></svg>"##

  private static func use(_ name: String) -> HTML {
    ##"<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><use href="#i-\##(name)"/></svg>"##
  }

  /// The shapes, which `use` names.
  static let sprite: HTML = #"""
    <svg class="sprite" width="0" height="0" aria-hidden="true"><defs>
    <symbol id="i-logo" viewBox="0 0 24 24"><rect x="1" y="3.5" width="22" height="17" rx="5" fill="currentColor"/><path d="M10 8.4v7.2l6-3.6z" fill="#fff"/></symbol>
    <symbol id="i-feed" viewBox="0 0 24 24"><rect x="3.5" y="4" width="17" height="11" rx="2.5"/><path d="M6.5 19.5h11"/></symbol>
    <symbol id="i-channels" viewBox="0 0 24 24"><circle cx="9" cy="8.5" r="3.5"/><path d="M2.8 19.5c.6-3.4 3-5.2 6.2-5.2s5.6 1.8 6.2 5.2M15.5 5.3a3.5 3.5 0 0 1 0 6.4M18 14.9c1.8.8 2.9 2.3 3.2 4.6"/></symbol>
    <symbol id="i-save" viewBox="0 0 24 24"><path d="M6.5 4h11a1 1 0 0 1 1 1v15l-6.5-4.4L5.5 20V5a1 1 0 0 1 1-1z"/></symbol>
    <symbol id="i-folder" viewBox="0 0 24 24"><path d="M3.5 18V6.5a1.5 1.5 0 0 1 1.5-1.5h4.5l2.2 2.5H19A1.5 1.5 0 0 1 20.5 9v9a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 18z"/></symbol>
    <symbol id="i-history" viewBox="0 0 24 24"><path d="M4 5v4.5h4.5M4.6 9.3a8 8 0 1 1-.4 4.7"/><path d="M12 8v4.5l3 1.8"/></symbol>
    <symbol id="i-rules" viewBox="0 0 24 24"><path d="M4 6h16M7 12h10M10 18h4"/></symbol>
    <symbol id="i-status" viewBox="0 0 24 24"><path d="M3 12.5h4l2.5-7 4.5 13 2.5-6H21"/></symbol>
    <symbol id="i-settings" viewBox="0 0 24 24"><path d="M4 7h9M17 7h3M4 17h3M11 17h9"/><circle cx="15" cy="7" r="2.2"/><circle cx="9" cy="17" r="2.2"/></symbol>
    <symbol id="i-search" viewBox="0 0 24 24"><circle cx="10.5" cy="10.5" r="6"/><path d="m15 15 5.5 5.5"/></symbol>
    <symbol id="i-undo" viewBox="0 0 24 24"><path d="M8.5 5 4 9.5 8.5 14M4.5 9.5h9.5a5.5 5.5 0 0 1 0 11h-3"/></symbol>
    <symbol id="i-watched" viewBox="0 0 24 24"><path d="m4.5 12.8 5 5L19.5 7"/></symbol>
    <symbol id="i-skip" viewBox="0 0 24 24"><path d="m6 6 12 12M18 6 6 18"/></symbol>
    <symbol id="i-snooze" viewBox="0 0 24 24"><circle cx="12" cy="12.5" r="8"/><path d="M12 8v4.7l3.2 2"/></symbol>
    <symbol id="i-renew" viewBox="0 0 24 24"><path d="M19.5 5.5V10H15M19.3 10a8 8 0 1 0 .5 4"/></symbol>
    <symbol id="i-outside" viewBox="0 0 24 24"><path d="M13.5 4.5h6v6M19 5l-8 8M17.5 14v4a1.5 1.5 0 0 1-1.5 1.5H6A1.5 1.5 0 0 1 4.5 18V8A1.5 1.5 0 0 1 6 6.5h4"/></symbol>
    <symbol id="i-play" viewBox="0 0 24 24"><path d="M8 5.2v13.6l11-6.8z" fill="currentColor"/></symbol>
    <symbol id="i-more" viewBox="0 0 24 24"><path d="M12 5.6v.01M12 12v.01M12 18.4v.01" stroke-width="3"/></symbol>
    <symbol id="i-add" viewBox="0 0 24 24"><path d="M12 5v14M5 12h14"/></symbol>
    </defs></svg>
    """#
}
