import ArgumentParser
import Arguments
import Core
import Glibc
import HubStore
import Platform

/// `token`: the tokens of programs.
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Manage the tokens with which programs use the hub.",
    discussion: """
      Examples:
        metube-hub token add ann newsboat
        metube-hub token revoke 3
      """, subcommands: [Add.self, List.self, Revoke.self])

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a token and print it; it is shown only now.",
      discussion: """
        A token may read and mark. With --scope read it may only read, which is enough
        for the address of a feed; a reader with it cannot mark anything as read. A
        user may have 100 tokens.

        Examples:
          metube-hub token add ann newsboat
          metube-hub token add ann atom --scope read
        """)
    @OptionGroup var hub: HubOptions
    @Option(help: "What it may do: read or write.") var scope: Accounts.Scope = .write
    @Argument(help: "The user.") var user: String
    @Argument(help: "What it is for.") var name: String

    func run() throws {
      let accounts = try hub.writableAccounts()
      guard try accounts.hash(of: user) != nil else { throw Failure(.partial, "no such user") }
      do {
        print(try accounts.addToken(of: user, name: name, scope: scope, now: Int64(time(nil))).secret)
      } catch AccountsError.tooManyTokens(let maximum) {
        throw Failure(
          .partial, "\(user) has \(maximum) tokens, as many as a user may have; see metube-hub token revoke")
      }
      if isatty(STDOUT_FILENO) == 1 {
        Program.flush()
        Program.prompt("It is shown only now, and may \(scope == .write ? "read and mark" : "only read").\n")
      }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the tokens: number, user, scope, last use, name, device.",
      discussion: """
        Examples:
          metube-hub token list
        """)
    @OptionGroup var hub: HubOptions

    func run() throws {
      let tokens = try hub.accounts().tokens(of: nil)
      // Programs get rows alone, and times in UTC.
      let isTerminal = isatty(STDOUT_FILENO) == 1
      if isTerminal, !tokens.isEmpty { print("number\tuser\tscope\tlast use\tname\tdevice") }
      for token in tokens {
        let time = token.used.map { Timestamp(seconds: $0) }
        let used = time.map { isTerminal ? $0.local : $0.rfc3339 } ?? "never"
        print(
          "\(token.id)\t\(token.user)\t\(token.scope.rawValue)\t\(used)\t\(DisplayText(token.name).text)\t\(token.device ?? "-")"
        )
      }
    }
  }

  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Revoke a token.",
      discussion: """
        Examples:
          metube-hub token revoke 3
        """)
    @OptionGroup var hub: HubOptions
    @Argument(help: "The number of the token.") var token: Int64

    func run() throws {
      guard try hub.writableAccounts().revokeToken(token, of: nil) else { throw Failure(.partial, "no such token") }
      print("\(token): revoked")
    }
  }
}

extension Accounts.Scope: ExpressibleByArgument {}
