import Foundation
import HubPage
import Testing

/// The script that browsers get, and the modules that it is joined from.
@Suite("The page's script")
struct PageScriptTests {
  @Test("Modules import only what an earlier module exports, and use nothing else of each other")
  func imports() {
    #expect(ScriptProblems.of(PageScript.modules) == [])
  }

  @Test("Every file of the folder is a module of the script, of at most 250 lines")
  func folder() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(files.sorted() == PageScript.modules.map(\.name).sorted())
    for module in PageScript.modules {
      #expect(module.source.count { $0 == UInt8(ascii: "\n") } <= 250, "\(module.name)")
      #expect(module.source.last == UInt8(ascii: "\n"), "\(module.name)")
    }
  }

  @Test("Joined modules lose their imports, comments and the word export, and no other line")
  func joining() {
    let modules = [
      PageScript.Module(
        "a.mjs",
        Array("// A\n\n/** One.\n * Two. */\nexport const a = 1\nexport async function b() {\n  // B\n  a\n}\n".utf8)),
      PageScript.Module("c.mjs", Array("import { a } from './a.mjs'\nimport './b.mjs'\n  import\na()\n".utf8)),
    ]
    let expected = "\nconst a = 1\nasync function b() {\n  a\n}\n\n  import\na()\n"
    #expect(String(decoding: PageScript.joined(modules), as: UTF8.self) == expected)
  }

  @Test(
    "Each rule of the modules finds what breaks it",
    arguments: [
      ("import { b } from './a.mjs'\nb()\n", "b.mjs: ./a.mjs exports no b"),
      ("import { z } from './z.mjs'\nz()\n", "b.mjs: no earlier module z.mjs"),
      ("import { b } from './b.mjs'\nb()\n", "b.mjs: no earlier module b.mjs"),
      ("import {\n  a,\n} from './a.mjs'\n", "b.mjs: not understood: import {"),
      ("import * as a from './a.mjs'\n", "b.mjs: not understood: import * as a from './a.mjs'"),
      ("export default 1\n", "b.mjs: not understood: export default 1"),
      ("export { a }\n", "b.mjs: not understood: export { a }"),
      ("const a = 2\n", "b.mjs: a is declared in a.mjs too"),
      ("let { x, y: a = 2 } = {}\n", "b.mjs: a is declared in a.mjs too"),
      ("import { a } from './a.mjs'\n", "b.mjs: a is imported, but not used"),
      ("f(a(1))\n", "b.mjs: a is used, but not imported"),
    ])
  func broken(_ source: String, _ problem: String) {
    let modules = [
      PageScript.Module("a.mjs", Array("export const a = () => 1\n".utf8)),
      PageScript.Module("b.mjs", Array(source.utf8)),
    ]
    #expect(ScriptProblems.of(modules) == [problem])
  }

  @Test("node parses every module and the joined script", .enabled(if: node != nil, "needs node"))
  func parses() throws {
    let program = try #require(node)
    let folder = FileManager.default.temporaryDirectory.appending(path: "page-script-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let joined = folder.appending(path: "script.mjs")
    try Data(PageScript.joined(PageScript.modules)).write(to: joined)
    for file in [joined] + PageScript.modules.map({ Self.folder.appending(path: $0.name) }) {
      let process = Process()
      process.executableURL = program
      process.arguments = ["--check", file.path]
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "\(file.lastPathComponent)")
    }
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources/Hub/HubPage/Assets/script").standardizedFileURL
}

/// The node of the path; nil if it is not installed.
private let node: URL? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
  .map { URL(filePath: String($0)).appending(path: "node") }
  .first { FileManager.default.isExecutableFile(atPath: $0.path) }
