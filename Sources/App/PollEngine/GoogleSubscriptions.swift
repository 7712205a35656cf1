import App
import Core
import Importers
import Platform
import YouTube

/// The subscriptions of the Google account, page by page from the Data API.
package struct GoogleSubscriptions {
  private let session: Session
  private let account: GoogleAccount

  /// Throws unless this machine is logged in.
  package init(_ session: Session) throws {
    guard let account = try GoogleAccount(session) else {
      throw Failure(.usage, "not logged in; run metube-rss login google, or name the file ./google")
    }
    (self.session, self.account) = (session, account)
  }

  /// The maximum number of pages of 50; nobody follows more channels.
  private static let maxPages = 400

  /// All subscriptions, as if they were a file. Throws if a page cannot be had: none are imported then.
  package func read() throws -> ImportedFile {
    var channels: [(id: ChannelID, title: String)] = []
    try session.whilePolling {
      let api = try APISession(APISettings(account, session.settings), session, deadline: nil)
      let failure = try api.attempt {
        var page: String?
        // A page token seen before means a loop.
        var pages: Set<String> = []
        repeat {
          let answer = try api.ask(.subscriptions(page: page), SubscriptionPage.init)
          channels += answer.channels
          page = answer.next
          if let page, !pages.insert(page).inserted || pages.count >= GoogleSubscriptions.maxPages {
            throw APIRefusal.api(.malformed)
          }
        } while page != nil
      }
      if let failure { throw failure }
    }
    do { return try ImportedFile(account: channels) } catch {
      throw Failure(.partial, "the Google account follows no channel; nothing was imported")
    }
  }
}
