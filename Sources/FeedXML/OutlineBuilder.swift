import Core

extension Outline {
  /// The outlines of an OPML document that have an address, in its order (OPML 2.0, http://opml.org/spec2.opml).
  ///
  /// Names of attributes are read in any case, as they are written in any; the namespace, `head` and `version` may be
  /// missing or wrong.
  package static func read(opml bytes: [UInt8]) throws(XMLDamage) -> [Outline] {
    let document = try Document(bytes, limit: Limits.opml.bytes)
    var builder = OutlineBuilder(limits: .opml)
    try parse(document, into: &builder, handler: OutlineBuilder.handler)
    return builder.outlines
  }
}

/// Makes outlines of the events of an OPML document.
struct OutlineBuilder: DocumentBuilder {
  let limits: Limits
  var damage: XMLDamage?
  /// What was read so far.
  private(set) var outlines: [Outline] = []
  /// For each open element the title of the folder it is, or nil.
  private var open: [String?] = []

  init(limits: Limits) { self.limits = limits }

  mutating func start(_ name: ElementName, _ attributes: Attributes, line: Int) {
    guard !open.isEmpty || name.hasLocal("opml") else { return refuse(.notOPML(root: name.evidence)) }
    guard open.count < limits.depth else { return refuse(.tooDeep(limit: limits.depth, line: line)) }
    guard name.hasLocal("outline") else { return open.append(nil) }
    let outline = Outline(attributes, folders: open.compactMap { $0 }, line: line)
    open.append(attributes.string(of: "text") ?? attributes.string(of: "title"))
    guard outline.xmlURL != nil || outline.htmlURL != nil else { return }
    guard outlines.count < limits.entries else { return refuse(.tooManyEntries(limit: limits.entries)) }
    outlines.append(outline)
  }

  mutating func end(line: Int) { open.removeLast() }

  mutating func text(_ piece: Span<UInt8>, line: Int) {}

  mutating func doctype(root: String, line: Int) {
    refuse(root == "opml" ? .doctype(line: line) : .notOPML(root: root))
  }
}

extension Outline {
  fileprivate init(_ attributes: Attributes, folders: [String], line: Int) {
    self.init(
      title: attributes.string(of: "title") ?? attributes.string(of: "text"),
      xmlURL: attributes.string(of: "xmlUrl"), htmlURL: attributes.string(of: "htmlUrl"), folders: folders,
      categories: (attributes.string(of: "category") ?? "").split(separator: ",").map(String.init), line: line)
  }
}

extension Attributes {
  /// The text of an attribute, or nil where it is missing or empty.
  fileprivate func string(of name: StaticString) -> String? {
    withValue(of: name) { value in
      let text = String(attribute: value)
      return text.isEmpty ? nil : text
    }
  }
}
