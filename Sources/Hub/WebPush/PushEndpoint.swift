import Core

/// Where a browser receives pushes: a URL that its push service made. Whoever has it can send, so it is a secret.
package struct PushEndpoint: Hashable, Sendable {
  package let url: WebURL

  /// The services of Chrome, Firefox, Safari and Edge; a name that begins with a dot stands for all hosts below it.
  package static let services = [
    "fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com", ".notify.windows.com",
  ]

  /// Nil if it is no https URL of one of these hosts, or of `services`; names a port or a password. The page reports
  /// endpoints, so users choose where the hub sends requests.
  package init?(_ text: some StringProtocol, alsoAllowed hosts: [String]) {
    guard let url = WebURL(text), url.isSecure, url.userInfo == nil, url.fragment == nil else { return nil }
    let isAllowed = hosts.contains(url.host)
    let isKnown = url.port == nil && PushEndpoint.services.contains { PushEndpoint.matches(url.host, $0) }
    guard isAllowed || isKnown else { return nil }
    self.url = url
  }

  private static func matches(_ host: String, _ service: String) -> Bool {
    service.hasPrefix(".") ? host.hasSuffix(service) && host.utf8.count > service.utf8.count : host == service
  }
}
