import FixtureServer
import ReadModel
import TestSupport
import Testing

/// `Benchmarks/postgres/feeds/query-*.sql` repeat what the hub sends to PostgreSQL, because pgbench cannot take it from the
/// program. Here both are compared, by what the server logs.
@Suite(
  "Statements of the benchmarks",
  .enabled(if: TestSchema.log != nil && TestSchema.server != nil, "needs a server of scripts/with-postgres.sh"))
final class BenchmarkStatementTests: TwoUsers {
  /// A statement of a script: `\gset` ends those that are pgbench's own means, and a line `-- Instead of: …` before one
  /// has what the program sends there.
  private struct Script {
    var name: String
    var forms: [SQLForm] = []

    init(_ name: String) throws {
      self.name = name
      let path = Files.packageRoot + "/Benchmarks/postgres/feeds/\(name).sql"
      var statement = ""
      var instead: String?
      for line in String(decoding: try #require(Files.read(path)), as: UTF8.self).split(separator: "\n") {
        let mark = "-- Instead of: "
        if line.hasPrefix(mark) { instead = String(line.dropFirst(mark.count)) }
        if line.hasPrefix("--") || line.hasPrefix("\\set ") { continue }
        statement += line + "\n"
        if line.hasSuffix("\\gset") {
          if let instead { forms.append(SQLForm(instead)) }
        } else if line.hasSuffix(";") {
          forms.append(SQLForm(instead ?? String(statement.dropLast(2))))
        } else {
          continue
        }
        (statement, instead) = ("", nil)
      }
    }
  }

  private static let scripts = [
    "query-open", "query-page", "query-entries", "query-search", "query-channels", "query-mark",
  ]

  /// Sends what the benchmark measures; the note is another one each time.
  private func request(_ hub: RunningHub, note: String) throws {
    let pages = [
      "/api/v1/videos?limit=50", "/v1/entries?status=unread&limit=50&order=published_at&direction=desc",
      "/api/v1/videos?limit=50&search=dinosaurs", "/api/v1/channels",
    ]
    for page in pages { #expect(try hub.get(page, ann).status == 200, "\(page)") }
    let video = try #require(videos(ann).first)
    let marks = #"{"marks":[{"video":"\#(video)","note":"\#(note)"}]}"#
    #expect(try hub.send("POST", "/api/v1/marks", json: marks, ann).status == 200)
  }

  @Test("pgbench runs the statements that the program sends, and no others")
  func statements() throws {
    // Among few videos a search would read all.
    try follow(TwoUsers.science, TwoUsers.other, "UC3I2GFN_F8WudD_2jUZbojA", by: ann, more: #","tag":["a tag"]"#)
    try poll()
    // What is made once for a user does not count.
    try request(hub, note: "one")
    let (schema, log) = (try #require(sandbox.schema), try #require(TestSchema.log))
    let before = try #require(Files.read(log)).count
    let logged = try RunningHub(
      sandbox, ["--database", schema.address + " options='-c log_statement=all'", "--schema", schema.name])
    try request(logged, note: "another one")
    #expect(try logged.end().status == 0)
    let sent = LoggedStatement.all(in: try #require(Files.read(log)).dropFirst(before))
    let all = Set(sent.map { SQLForm($0.sql) })
    let scripts = try BenchmarkStatementTests.scripts.map { try Script($0) }
    for script in scripts {
      for form in script.forms where !form.isOfTransaction && !all.contains(form) {
        Issue.record("\(script.name).sql has what the program does not send:\n\(form.text)")
      }
    }
    // Of the connections that answered requests, after they were set up.
    let users = Set(sent.filter { $0.sql.contains("metube.owner") }.map(\.process))
    let known = Set(scripts.flatMap(\.forms))
    let missing = Set(sent.filter { users.contains($0.process) }.map { SQLForm($0.sql) }).subtracting(known)
    for form in missing where !form.isOfTransaction && !form.text.hasPrefix("SET ") {
      Issue.record("no script has what the program sends:\n\(form.text)")
    }
  }
}
