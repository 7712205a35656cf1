import Core

extension Outline {
  /// The outlines of an OPML document that have a URL, in document order (OPML 2.0, http://opml.org/spec2.opml).
  ///
  /// Attribute names are matched case-insensitively, because exporters vary; the namespace, `head` and `version` may be
  /// missing or wrong. The root may be an outline, as of a part that somebody cut out.
  package static func read(opml bytes: [UInt8]) throws(ParseError) -> [Outline] {
    let document = try Document(bytes, limit: ParserLimits.opml.bytes)
    guard !document.isHTML else { throw .notOPML(root: "html") }
    var builder = OutlineBuilder(limits: .opml)
    try parse(document, into: &builder, handler: OutlineBuilder.handler, repairing: false)
    return builder.outlines
  }
}

/// Builds outlines from the parse events of an OPML document.
struct OutlineBuilder: SAXHandler {
  let limits: ParserLimits
  var damage: ParseError?
  /// The outlines read so far.
  private(set) var outlines: [Outline] = []
  /// For each open element, the title of the folder it is; otherwise nil.
  private var open: [String?] = []

  init(limits: ParserLimits) { self.limits = limits }

  mutating func start(_ name: ElementName, _ attributes: Attributes, at location: SourceLocation) {
    let isRoot = name.hasLocal("opml") || name.hasLocal("outline")
    guard !open.isEmpty || isRoot else { return refuse(.notOPML(root: name.evidence)) }
    guard open.count < limits.depth else { return refuse(.tooDeep(limit: limits.depth, line: Int(location.line))) }
    guard name.hasLocal("outline") else { return open.append(nil) }
    do throws(ParseError) { try startOutline(attributes, at: location) } catch { refuse(error) }
  }

  private mutating func startOutline(_ attributes: Attributes, at location: SourceLocation) throws(ParseError) {
    let outline = try Outline(attributes, folders: open.compactMap { $0 }, at: location)
    // A folder's name is the displayed one, `text`; a feed's is its own, `title`.
    open.append(try attributes.string(of: "text", at: location) ?? outline.title)
    guard outline.xmlURL != nil || outline.htmlURL != nil else { return }
    guard outlines.count < limits.entries else { throw .tooManyEntries(limit: limits.entries) }
    outlines.append(outline)
  }

  mutating func end(at location: SourceLocation) { open.removeLast() }

  mutating func text(_ piece: Span<UInt8>, at location: SourceLocation) {}

  func accepts(_ code: Int32) -> Bool { false }

  mutating func doctype(root: String, at location: SourceLocation) {
    refuse(root == "opml" ? .doctype(line: Int(location.line)) : .notOPML(root: root))
  }
}

extension Outline {
  fileprivate init(_ attributes: Attributes, folders: [String], at location: SourceLocation) throws(ParseError) {
    let title = try attributes.string(of: "title", at: location)
    let text = try attributes.string(of: "text", at: location)
    let categories = try attributes.string(of: "category", at: location)?.split(separator: ",") ?? []
    self.init(
      title: title ?? text,
      xmlURL: try attributes.string(of: "xmlUrl", at: location),
      htmlURL: try attributes.string(of: "htmlUrl", at: location),
      folders: folders, categories: categories.map { String($0) }, line: Int(location.line))
  }
}

extension Attributes {
  /// The value of an attribute, matched case-insensitively; nil if absent or empty. Throws if it is not valid text.
  fileprivate func string(of name: StaticString, at location: SourceLocation) throws(ParseError) -> String? {
    try withValue(ofAnyCase: name) { value throws(ParseError) in
      value.isEmpty ? nil : try String(attribute: value, at: location)
    }
  }
}
