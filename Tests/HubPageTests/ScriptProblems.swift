import HubPage

/// What keeps modules from being joined into one script, or from being modules by themselves.
enum ScriptProblems {
  /// One line for each problem: `marks.mjs: ./cards.mjs exports no known`.
  static func of(_ modules: [PageScript.Module]) -> [String] {
    var problems: [String] = []
    var exports: [String: Set<String>] = [:]
    var declaring: [String: String] = [:]
    let parsed = modules.map { (name: $0.name, module: Parsed(String(decoding: $0.source, as: UTF8.self))) }
    let exporting = Set(parsed.flatMap { $0.module.exports })
    for (name, module) in parsed {
      problems += module.unknown.map { "\(name): not understood: \($0)" }
      for (file, names) in module.imports {
        guard let exported = exports[file] else {
          problems.append("\(name): no earlier module \(file)")
          continue
        }
        problems += names.filter { !exported.contains($0) }.map { "\(name): ./\(file) exports no \($0)" }
        problems += names.filter { exported.contains($0) && !module.isUsed($0) }
          .map { "\(name): \($0) is imported, but not used" }
      }
      for declared in module.declared {
        if let other = declaring.updateValue(name, forKey: declared) {
          problems.append("\(name): \(declared) is declared in \(other) too")
        }
      }
      let own = Set(module.declared + module.imports.flatMap(\.names))
      problems += exporting.subtracting(own).filter(module.isCalled).sorted()
        .map { "\(name): \($0) is used, but not imported" }
      exports[name] = Set(module.exports)
    }
    return problems
  }

  /// A module by its lines: its statements of `import`, and what its outermost scope declares and exports.
  private struct Parsed {
    var imports: [(file: String, names: [String])] = []
    var exports: [String] = []
    var declared: [String] = []
    /// Lines of imports and exports in a form that the joined script does not allow.
    var unknown: [String] = []
    /// The other lines, without comments and texts in quotes.
    private var code = ""

    init(_ source: String) {
      for line in source.split(separator: "\n") {
        if line.hasPrefix("import ") {
          if let found = line.wholeMatch(of: #/import (?:\{ ([$\w, ]+) \} from )?'\./(\w+\.mjs)'/#) {
            imports.append((String(found.2), found.1.map(Self.names) ?? []))
          } else {
            unknown.append(String(line))
          }
          continue
        }
        if let found = line.firstMatch(
          of: #/^(export )?(?:(?:const|let|class|(?:async )?function) ([$\w]+)|(?:const|let) \{ (.+?) \} = )/#)
        {
          let names = found.2.map { [String($0)] } ?? Self.names(found.3 ?? "")
          declared += names
          if found.1 != nil { exports += names }
        } else if line.hasPrefix("export ") {
          unknown.append(String(line))
        }
        guard line.firstMatch(of: #/^\s*(?://|\*|/\*\*)/#) == nil else { continue }
        code += line.replacing(#/'[^']*'/#, with: "''") + "\n"
      }
    }

    /// `a, b: c, d = 1`: a, c and d.
    private static func names(_ list: Substring) -> [String] {
      list.split(separator: ",").compactMap { part in
        let target = part.split(separator: "=")[0]
        return target.split(separator: ":").last.map { String($0.filter { !$0.isWhitespace }) }
      }
    }

    func isUsed(_ name: String) -> Bool { Self.identifiers(code[...]).contains { $0 == name } }

    /// Whether a name is called or a member of it read, and no variable of the module itself has that name.
    func isCalled(_ name: String) -> Bool { called.contains(name) && !variables.contains(name) }

    private var called: Set<String> {
      Set(code.matches(of: #/(?:^|[^$\w.'"`#-])([$\w]+)(?=\(|\?\.|\.|\[)/#).map { String($0.1) })
    }

    /// Variables and parameters, wherever they are declared.
    private var variables: Set<String> {
      let patterns = [
        #/(?:const|let) ([$\w]+|\{ .+? \} =|\[.+?\] =)/#, #/function [$\w]+\((.*)\) \{/#, #/\(([^()]*)\) =>/#,
        #/([$\w]+) =>/#, #/catch \(([$\w]+)\)/#,
      ]
      return Set(patterns.flatMap { code.matches(of: $0) }.flatMap { Self.identifiers($0.1) }.map(String.init))
    }

    private static func identifiers(_ text: Substring) -> [Substring] { text.split { !isPart($0) } }

    private static func isPart(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || character == "_" || character == "$"
    }
  }
}
