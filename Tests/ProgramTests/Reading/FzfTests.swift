import Glibc
import TestSupport
import Testing

/// The commands of docs/reference/fzf.md as they stand there, with a program instead of fzf that chooses every row.
@Suite("Choosing videos with fzf")
struct FzfTests {
  private let sandbox: Sandbox
  /// What the document gives to a shell: the function and the line without bindings.
  private let blocks: [String]

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
    let text = String(decoding: try #require(Files.read("\(Files.packageRoot)/docs/reference/fzf.md")), as: UTF8.self)
    blocks = text.split(separator: "```sh\n").dropFirst().compactMap {
      $0.split(separator: "```").first.map(String.init)
    }
    // Like fzf, it puts each field into single quotes.
    let fzf = """
      #!/bin/bash
      rows=$(tail -n +2)
      all=$(cut -f1 <<<"$rows" | sed "s/'/'\\\\\\\\''/g; s/.*/'&'/" | tr '\\n' ' ')
      for word; do
        case $word in
          "--$FZF_KEY="*) command=${word#*=} ;;
          "--bind=$FZF_KEY:"*) command=${word#*(} command=${command%%)*} ;;
        esac
      done
      if [ -z "$command" ]; then echo "$rows"; exit; fi
      command=${command//\\{+1\\}/$all}
      eval "${command//\\{1\\}/${all%% *}}"
      """
    chmod(sandbox.folder.write(fzf.utf8, to: "bin/fzf"), 0o700)
    symlink(sandbox.program.path, "\(sandbox.folder.path)/bin/metube-rss")
    sandbox.environment["PATH"] = "\(sandbox.folder.path)/bin:/usr/bin:/bin"
  }

  private func shell(_ script: String, key: String = "") throws -> Program.Outcome {
    sandbox.environment["FZF_KEY"] = key
    var shell = sandbox.program
    shell.path = "/bin/bash"
    return try shell.run(["-c", script])
  }

  @Test(
    "Every key works on a video whose ID begins with -",
    arguments: [("ctrl-w", "watched"), ("ctrl-x", "skipped"), ("ctrl-s", "saved"), ("preview", "A Lantern in March")])
  func keys(key: String, text: String) throws {
    let outcome = try shell("\(blocks[0])\nmt", key: key)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(outcome.text.contains(key == "preview" ? text : "3 videos \(text)"), "\(outcome.text)")
  }

  @Test("Enter plays it")
  func plays() throws {
    chmod(sandbox.folder.write("#!/bin/sh\necho \"<$1>\"\n".utf8, to: "bin/player"), 0o700)
    sandbox.environment["METUBE_RSS_PLAYER"] = "player"
    let outcome = try shell("\(blocks[0])\nmt", key: "enter")
    #expect(outcome.lines.first == "<https://www.youtube.com/watch?v=-bcdefghijA>")
  }

  @Test("The line without bindings skips what was chosen")
  func line() throws {
    let outcome = try shell(blocks[1])
    #expect(outcome.status == 0 && outcome.text.contains("3 videos skipped"), "\(outcome.errors)")
  }
}
