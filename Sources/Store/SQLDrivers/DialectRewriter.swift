/// Rewrites the pieces of one text for `Dialect`.
struct DialectRewriter {
  private let tokens: [DialectToken]
  /// Whether what only PostgreSQL knows is refused.
  private let isShared: Bool
  private var result = ""
  private var position = 0
  private var parameters = 0
  /// Whether rows of the current statement that are there already are left alone.
  private var ignoresConflicts = false
  /// Whether the current words are the columns of an ON CONFLICT, and whether it says what its key is in PostgreSQL.
  private var (isInKey, keyHasOwner) = (false, false)
  /// The words passed last, without white space; signs and quoted texts are among them.
  private var (last, lastButOne): (Substring, Substring) = ("", "")

  init(tokens: [DialectToken], isShared: Bool) { (self.tokens, self.isShared) = (tokens, isShared) }

  /// The whole text for PostgreSQL.
  mutating func rewritten() throws(UnknownSQL) -> String {
    while position < tokens.count { try rewriteNext() }
    endStatement()
    return result
  }

  private mutating func rewriteNext() throws(UnknownSQL) {
    if tokens[position].kind == .space {
      result += tokens[position].text
      position += 1
    } else if take(["INSERT", "OR", "IGNORE"]) {
      ignoresConflicts = true
      pass("INSERT", as: "INSERT")
    } else if take(["INDEXED", "BY"]) {
      // The index's name.
      passSpace()
      position += 1
    } else if take(["ON", "CONFLICT", "("]) {
      (isInKey, keyHasOwner) = (true, false)
      pass("(", as: "ON CONFLICT(")
    } else if let phrase = Dialect.phrases.first(where: { take($0.words) }) {
      pass(phrase.words[0], as: phrase.replacement)
    } else {
      try copy(tokens[position])
    }
  }

  private mutating func copy(_ token: DialectToken) throws(UnknownSQL) {
    try checkNull(token)
    position += 1
    switch token.kind {
    case .space: break
    case .quoted: pass(token.text, as: String(token.text))
    case .parameter:
      parameters += 1
      pass(token.text, as: "$" + (token.text.count > 1 ? String(token.text.dropFirst()) : String(parameters)))
    case .number:
      guard token.text.allSatisfy(\.isNumber), next?.text != "." else { throw .number(String(token.text)) }
      pass(token.text, as: String(token.text))
    case .comment: try copy(comment: token.text)
    case .sign: try copy(sign: token.text)
    case .word: try copy(word: token.text)
    }
  }

  /// Appends what stands for a word.
  private mutating func pass(_ word: Substring, as text: String) {
    (lastButOne, last) = (last, word)
    result += text
  }

  // MARK: Words

  private mutating func copy(word: Substring) throws(UnknownSQL) {
    if word.utf8.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) {
      guard Dialect.keywords.contains(word) || !isShared && Dialect.postgresKeywords.contains(word) else {
        throw .word(String(word))
      }
      return pass(word, as: String(word))
    }
    if next?.text.first == "'" {
      guard word == "x", let bytes = next?.text.dropFirst().dropLast() else { throw .word("\(word)'") }
      position += 1
      return pass(word, as: "'\\x\(bytes)'::bytea")
    }
    if isInKey, !keyHasOwner, !Dialect.columnsOfKeys.contains(word) { throw .key(String(word)) }
    guard !Dialect.reserved.contains(word) || last == "." else { throw .reserved(String(word)) }
    if isShared, next?.text == "(", !isTable, !Dialect.functions.contains(word) { throw .function(String(word)) }
    switch word {
    case "temp" where next?.text == ".": pass(word, as: "pg_temp")
    // Unquoted it is the name of the role.
    case "user": pass(word, as: "\"user\"")
    default: pass(word, as: String(word))
    }
  }

  /// Whether a parenthesis behind the next word begins a list of columns.
  private var isTable: Bool {
    ["INTO", "TABLE", "EXISTS", "."].contains(last) && !(last == "EXISTS" && lastButOne != "NOT") || last == "AS"
  }

  /// SQLite compares any values with IS, PostgreSQL only with some words.
  private func checkNull(_ token: DialectToken) throws(UnknownSQL) {
    guard isShared, last == "IS" || last == "NOT" && lastButOne == "IS" else { return }
    let isKnown = ["NULL", "DISTINCT"].contains(token.text) || token.text == "NOT" && last == "IS"
    guard isKnown else { throw .construct("IS \(token.text)") }
  }

  // MARK: Signs and comments

  private mutating func copy(sign: Substring) throws(UnknownSQL) {
    guard Dialect.signs.contains(sign) || !isShared && Dialect.signsOfPostgres.contains(sign) else {
      throw .sign(String(sign))
    }
    if sign == ")" { isInKey = false }
    if sign == ";" { endStatement() }
    pass(sign, as: String(sign))
  }

  /// Some keys are others in PostgreSQL: `ON CONFLICT(owner, /*indexed*/ name)` has a text of any length, as the
  /// migrations index it, and the table of `ON CONFLICT(/*owner,*/ id)` has the owner in its key in PostgreSQL alone,
  /// because in SQLite a file is one owner's.
  private mutating func copy(comment: Substring) throws(UnknownSQL) {
    switch comment {
    case "/*indexed*/" where isInKey:
      passSpace()
      guard let column = next, column.kind == .word else { throw .comment(String(comment)) }
      position += 1
      pass(column.text, as: "indexed(\(column.text))")
    case "/*owner,*/" where isInKey && last == "(":
      keyHasOwner = true
      result += "owner,"
    default: throw .comment(String(comment))
    }
  }

  // MARK: Reading

  private var next: DialectToken? { position < tokens.count ? tokens[position] : nil }

  private mutating func passSpace() { if next?.kind == .space { position += 1 } }

  /// Passes over these words with white space between them; does nothing but return false if others come.
  private mutating func take(_ words: [Substring]) -> Bool {
    var end = position
    for word in words {
      if end > position, end < tokens.count, tokens[end].kind == .space { end += 1 }
      guard end < tokens.count, tokens[end].text == word else { return false }
      end += 1
    }
    position = end
    return true
  }

  private mutating func endStatement() {
    if ignoresConflicts { result += " ON CONFLICT DO NOTHING" }
    (ignoresConflicts, isInKey, last, lastButOne) = (false, false, "", "")
  }
}
