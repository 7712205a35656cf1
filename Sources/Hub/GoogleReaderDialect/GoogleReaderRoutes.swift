import App
import Core
import Exporters
import HubCore
import JSON

/// The API of Google Reader as its successors serve it. Subscriptions are channels, labels are tags; what is new is
/// unread, everything else read; what is starred is saved. Items are in the order in which they were found.
extension HubRoute {
  package static let googleReader: [HubRoute] = [
    HubRoute(
      .post, "/accounts/ClientLogin", "/accounts/ClientLogin", "", .open, body: .form, schema: nil,
      work: .server { try await $0.logInReader() }),
    // Credentials are in a header, so no form token is needed; clients request one nevertheless.
    HubRoute(.get, "\(api)/token", .read) { _, _ in .text("metube-hub".padding(to: 57)) },
    HubRoute(.get, "\(api)/user-info", .read) { service, _ in service.readerUser },

    HubRoute(.get, "\(api)/subscription/list", .read) { service, _ in try service.readerSubscriptions() },
    HubRoute(.post, "\(api)/subscription/edit", .write, body: .form) { try $0.readerEditSubscription($1) },
    HubRoute(.post, "\(api)/subscription/quickadd", .write, body: .form) { try $0.readerAddSubscription($1) },
    HubRoute(.get, "\(api)/subscription/export", .read) { service, _ in
      RouteResponse(
        200, "text/xml; charset=utf-8",
        SubscriptionDocument.opml(of: try service.session.state, alsoPrivate: false).bytes)
    },
    HubRoute(.post, "\(api)/subscription/import", .write, body: .file) { service, call in
      try service.importSubscriptions(call)
      var response = RouteResponse.text("OK")
      response.startsPoll = true
      return response
    },
    HubRoute(.get, "\(api)/tag/list", .read) { service, _ in try service.readerTags() },
    HubRoute(.post, "\(api)/rename-tag", .write, body: .form) { try $0.readerRenameTag($1) },
    HubRoute(.post, "\(api)/disable-tag", .write, body: .form) { try $0.readerRemoveTag($1) },
    HubRoute(.get, "\(api)/unread-count", .read) { service, _ in try service.readerCounts() },

    HubRoute(.get, "\(api)/stream/items/ids", .read) { try $0.readerItemIDs($1) },
    HubRoute(.get, "\(api)/stream/items/contents", .read) { try $0.readerItems($1) },
    HubRoute(.post, "\(api)/stream/items/contents", .read, body: .form) { try $0.readerItems($1) },
    HubRoute(.get, "\(api)/stream/contents", .read) { try $0.readerStream($1) },
    HubRoute(.get, "\(api)/stream/contents/{stream*}", .read) { try $0.readerStream($1) },
    HubRoute(.get, "/reader/atom/{stream*}", .read) { try $0.readerAtom($1) },
    HubRoute(.post, "\(api)/edit-tag", .write, body: .form) { try $0.readerMark($1) },
    HubRoute(.post, "\(api)/mark-all-as-read", .write, body: .form) { try $0.readerMarkAll($1) },
  ]

  private static let api = "/reader/api/0"
}

extension String {
  fileprivate func padding(to count: Int) -> String { self + String(repeating: "Z", count: max(0, count - self.count)) }
}

extension RouteResponse {
  static func text(_ text: String) -> RouteResponse {
    RouteResponse(200, "text/plain; charset=utf-8", Array(text.utf8))
  }
}
