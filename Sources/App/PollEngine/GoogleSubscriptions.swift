import App
import Core
import Importers
import Messages
import Platform

/// The subscriptions of the Google account that this machine is logged in to, page by page from the Data API.
package struct GoogleSubscriptions {
  private let session: Session
  let account: GoogleAccount

  /// Throws unless this machine is logged in.
  package init(_ session: Session) throws {
    guard let account = try GoogleAccount(session) else {
      throw Failure(GoogleError.notLoggedIn)
    }
    (self.session, self.account) = (session, account)
  }

  /// All subscriptions, as if they were a file. Throws if a page cannot be fetched: none are imported then.
  package func read() throws -> ImportedFile {
    let listing = try listing { try AccountListing.read($0) }
    do {
      return try ImportedFile(account: listing.entries.map { ($0.id, $0.title) }, source: listing.source)
    } catch {
      throw Failure(GoogleError.noSubscriptions)
    }
  }

  /// What `read` gets from the Data API. Throws a `Failure` if a page cannot be fetched.
  func listing(_ read: (APISession) throws -> AccountListing) throws -> AccountListing {
    var listing = AccountListing()
    defer { account.noteWithdrawal(in: session.home) }
    try session.whilePolling {
      let api = try APISession(APISettings(account, session.settings), session, deadline: nil)
      if let failure = try api.attempt({ listing = try read(api) }) { throw failure }
    }
    return listing
  }
}
