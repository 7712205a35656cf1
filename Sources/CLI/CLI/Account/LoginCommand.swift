import App
import ArgumentParser
import Arguments
import Core
import Glibc
import Messages
import Platform
import PollEngine
import YouTube

/// An account that one can log in to.
enum AccountService: String, CaseIterable, ExpressibleByArgument { case google }

/// `login`: logs in to a Google account.
struct LoginCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Log in to your Google account, to import its subscriptions.",
    discussion: """
      Needs a client of your own: METUBE_RSS_GOOGLE_CLIENT_ID and _CLIENT_SECRET
      (docs/reference/data-api.md). Your browser opens, or shows the page that is
      printed, and leads back to this program on this machine. With --device you
      type a code in a browser on any machine instead. The program may read your
      subscriptions and change nothing. The login stays in the state folder, in a
      file that only you can read; logout ends it.

      Examples:
        metube-rss login google
        metube-rss login google --device
        metube-rss import google
      """)
  @OptionGroup var common: CommonOptions
  @Flag(help: "Type a code in a browser on any machine.") var device = false
  @Flag(help: "Only print the page, do not open a browser.") var noBrowser = false
  @Argument(help: ArgumentHelp("Which account.", valueName: "account")) var account: AccountService

  func run(in session: Session, to output: inout Output) throws {
    let client = try GoogleClient(session.settings)
    let http = try FormSender(session.settings)
    let tokens: GoogleTokens
    do {
      tokens = try device ? logIn(onDevice: client, http) : logIn(inBrowser: client, http, session)
    } catch let failure as OAuthFailure { throw UserMessages.failure(failure) }
    guard tokens.isForYouTube, let refresh = tokens.refresh else {
      // Revoke the useless token; if that fails, the message still says what to do.
      _ = try? http.send(GoogleClient.revocation(of: tokens.refresh ?? tokens.access, server: client.server))
      throw Failure(.refused, "access to YouTube was not granted; log in again and tick it; not logged in")
    }
    try GoogleAccount.store(tokens, refresh: refresh, in: session.home)
    output.write("logged in; metube-rss import google imports your subscriptions\n")
  }

  /// The loopback flow: RFC 8252.
  private func logIn(
    inBrowser client: GoogleClient, _ http: FormSender, _ session: Session
  ) throws -> GoogleTokens {
    let (state, verifier) = (LoginCommand.random(), LoginCommand.random())
    let loopback = try LoopbackRedirect()
    let page = client.loginPage(
      redirect: loopback.url, state: state, challenge: String(base64URL: SHA256.digest(of: verifier.utf8)))
    StandardError.write(
      "Log in to Google in a browser on this machine:\n\(page)\n"
        + "Waiting for that; Ctrl-C ends. For a browser elsewhere: metube-rss login google --device\n")
    let file = noBrowser ? nil : LoginCommand.file(leadingTo: page, in: session.home.state)
    defer { if let file { unlink(file) } }
    if let file { LoginCommand.open(file) }
    switch try loopback.wait(for: state) {
    case .denied(let word): throw OAuthFailure.refused(word)
    case .code(let code):
      return try http.tokens(client.exchange(code: code, verifier: verifier, redirect: loopback.url))
    }
  }

  /// The flow for devices: RFC 8628.
  private func logIn(onDevice client: GoogleClient, _ http: FormSender) throws -> GoogleTokens {
    let code = try GoogleDeviceCode(http.send(client.deviceCode))
    let shown = (DisplayText(code.page).text, DisplayText(code.user).cut(to: 80).text)
    StandardError.write("Open \(shown.0) on any machine and enter this code:\n\(shown.1)\n")
    let interrupt = Interrupt()
    var interval = code.interval
    let end = Clock.steady() + code.seconds * 1000
    while Clock.steady() < end {
      guard interrupt.waits(milliseconds: interval * 1000) else {
        throw Failure(.partial, "interrupted; not logged in")
      }
      do { return try http.tokens(client.deviceToken(code.device)) } catch OAuthFailure.refused("authorization_pending")
      {
        continue
      } catch OAuthFailure.refused("slow_down") { interval += 5 } catch OAuthFailure.failing { interval += 5 } catch let
        failure as Failure where failure.status == .temporaryFailure
      { interval += 5 }
    }
    throw Failure(.partial, "the code has expired; not logged in")
  }

  /// 43 random characters; the generator is the kernel's.
  private static func random() -> String {
    String(base64URL: (0..<32).map { _ in UInt8.random(in: .min ... .max) })
  }

  /// A page of HTML that leads to another one, in a file that only the user can read: other users see the arguments of
  /// programs, and `state` identifies Google's response. Nil without a desktop or if it cannot be written.
  private static func file(leadingTo page: String, in folder: String) -> String? {
    let environment = Environment.variables()
    guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environment[$0]?.isEmpty == false }) else { return nil }
    mkdir(folder, 0o700)
    let path = "\(folder)/login.\(getpid()).html"
    unlink(path)
    let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let address = page.split(separator: "&", omittingEmptySubsequences: false).joined(separator: "&amp;")
    var output = Output(to: file)
    output.write(
      """
      <!DOCTYPE html><meta charset="utf-8"><title>metube-rss</title>
      <meta http-equiv="refresh" content="0; url=\(address)"><a href="\(address)">Log in to Google</a>

      """)
    return output.end() == 0 ? path : nil
  }

  /// Opens a file in the browser of the desktop. Failure is nothing: the page was printed.
  private static func open(_ page: String) {
    let environment = Environment.withoutSecrets()
    let nothing = Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(nothing) }
    let child = ChildProcess(arguments: ["xdg-open", page], environment: environment)
    _ = child.start([0, 1, 2].map { (nothing, $0) }, flags: POSIX_SPAWN_SETPGROUP)
  }
}

/// `logout`: ends the login.
struct LogoutCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout", abstract: "Log out of your Google account.",
    discussion: """
      Google forgets the login too. What was imported stays.

      Examples:
        metube-rss logout google
      """)
  @OptionGroup var common: CommonOptions
  @Argument(help: ArgumentHelp("Which account.", valueName: "account")) var account: AccountService

  func run(in session: Session, to output: inout Output) throws {
    output.write(try GoogleAccount.logOut(session) ? "logged out\n" : "not logged in\n")
  }
}
