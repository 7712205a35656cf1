import CLibXML2
import Glibc

/// libxml2's codes (`xmlParserErrors`) for errors that are detected before or after it runs.
package enum ParserCode {
  /// The document does not start with a `<`.
  package static let noElement = Int32(XML_ERR_DOCUMENT_EMPTY.rawValue)
  /// Bytes are invalid in their encoding.
  package static let invalidEncoding = Int32(XML_ERR_INVALID_ENCODING.rawValue)
}

/// The name of an element: a local part in a namespace, whatever its prefix.
package struct ElementName {
  @usableFromInline let local: UnsafePointer<xmlChar>
  @usableFromInline let prefix: UnsafePointer<xmlChar>?
  @usableFromInline let namespace: UnsafePointer<xmlChar>?

  @usableFromInline
  init(local: UnsafePointer<xmlChar>, prefix: UnsafePointer<xmlChar>?, namespace: UnsafePointer<xmlChar>?) {
    (self.local, self.prefix, self.namespace) = (local, prefix, namespace)
  }

  /// The address of a name in the parser's dictionary, which holds each name once: within one document, names are equal
  /// if their addresses are.
  package struct Address: Equatable, Sendable {
    package let local: UInt
    package let namespace: UInt

    @inlinable package init(local: UInt, namespace: UInt) { (self.local, self.namespace) = (local, namespace) }
  }
  /// The address of this name.
  @inlinable package var address: Address {
    Address(local: UInt(bitPattern: local), namespace: UInt(bitPattern: namespace))
  }

  /// The address of the prefix; 0 if absent.
  @inlinable package var prefixAddress: UInt { UInt(bitPattern: prefix) }

  /// The local part, as written.
  package var localText: String { String(cString: local.letters) }

  /// The namespace; nil if the name has none, or if its prefix is not declared; empty if it is longer than any that is
  /// recognised.
  package var namespaceText: String? {
    namespace.map { strnlen($0.letters, 129) > 128 ? "" : String(cString: $0.letters) }
  }

  /// The prefix, as written; nil if absent.
  package var prefixText: String? { prefix.map { String(cString: $0.letters) } }

  /// Whether this is the name `local` in a namespace.
  func matches(_ local: StaticString, in namespace: StaticString) -> Bool {
    equal(self.local, local) && hasNamespace(namespace)
  }

  /// Whether the local part is this one, whatever the namespace.
  package func hasLocal(_ local: StaticString) -> Bool { equal(self.local, local) }

  /// Whether the namespace is this one.
  func hasNamespace(_ namespace: StaticString) -> Bool { self.namespace.map { equal($0, namespace) } ?? false }

  /// The first characters of the local part, as evidence.
  package var evidence: String { shortened(local) }
}

/// The attributes of one start tag.
package struct Attributes {
  /// Five pointers each: local name, prefix, namespace, start and end of the value.
  @usableFromInline let start: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  /// Their number, including namespace declarations.
  package let count: Int
  @usableFromInline let valued: Int

  @usableFromInline init(start: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int, valued: Int) {
    (self.start, self.count, self.valued) = (start, count, valued)
  }

  /// Whether there are none, apart from namespace declarations.
  package var isEmpty: Bool { valued == 0 }

  /// The text of the attribute with this name, matched case-insensitively, and no namespace; nil if absent. Bytes that are
  /// not UTF-8 become U+FFFD.
  package func text(of name: StaticString) -> String? { withValue(ofAnyCase: name) { String(lenient: $0) } }

  /// The same for the attribute with a prefix, as `xml:base` has one.
  package func text(of name: StaticString, prefix: StaticString) -> String? {
    withValue(where: { $1.map { equal($0, prefix) } ?? false && equal($0, name) }, { String(lenient: $0) })
  }

  /// The result of `body` for the value of the attribute with this name and no namespace; nil if absent.
  ///
  /// The value is as libxml2 returns it: an ampersand is still written `&#38;`.
  func withValue<Result, Problem: Error>(
    of name: StaticString, _ body: (Span<UInt8>) throws(Problem) -> Result?
  ) throws(Problem) -> Result? {
    try withValue(where: { $1 == nil && equal($0, name) }, body)
  }

  /// Calls `body` with the value of the first attribute with this name, matched case-insensitively.
  func withValue<Result, Problem: Error>(
    ofAnyCase name: StaticString, _ body: (Span<UInt8>) throws(Problem) -> Result?
  ) throws(Problem) -> Result? {
    try withValue(where: { $1 == nil && strcasecmp($0.letters, name.letters) == 0 }, body)
  }

  private func withValue<Result, Problem: Error>(
    where isMeant: (UnsafePointer<xmlChar>, UnsafePointer<xmlChar>?) -> Bool,
    _ body: (Span<UInt8>) throws(Problem) -> Result?
  ) throws(Problem) -> Result? {
    for index in 0..<valued {
      guard let start, let local = start[5 * index], isMeant(local, start[5 * index + 1]),
        let value = start[5 * index + 3], let end = start[5 * index + 4]
      else { continue }
      return try body(UnsafeBufferPointer(start: value, count: end - value).span)
    }
    return nil
  }
}

/// Sends the parse events of `document` to `builder` and throws the first error; if none, the document was complete.
///
/// Wraps `xmlCreatePushParserCtxt` and `xmlParseChunk`. Without libxml2 it throws `noLibrary`. With `repairing` libxml2
/// goes on after errors, as far as the builder accepts them.
package func parse<Builder: SAXHandler>(
  _ document: Document, into builder: inout Builder, handler: xmlSAXHandler, repairing: Bool
) throws(ParseError) {
  if let problem = clibxml2_problem() { throw .noLibrary(String(cString: problem)) }
  var handler = handler
  withUnsafeMutablePointer(to: &builder) { builder in
    guard let parser = clibxml2_create_push_parser(&handler) else {
      builder.pointee.refuse(.malformed(code: Int32(XML_ERR_NO_MEMORY.rawValue), line: 1, column: 1))
      return
    }
    defer { clibxml2_free_parser(parser) }
    parser.pointee._private = UnsafeMutableRawPointer(builder)
    // No other options: NOENT substitutes entities.
    let options = XML_PARSE_NONET.rawValue | (repairing ? XML_PARSE_RECOVER.rawValue : 0)
    clibxml2_use_options(parser, Int32(options))
    parser.pointee.input?.pointee.line = Int32(document.line)
    push(document, to: parser, builder)
  }
  if let damage = builder.damage { throw damage }
}

/// Passes a document to a parser chunk by chunk, until its end or the first error.
private func push<Builder: SAXHandler>(
  _ document: Document, to parser: xmlParserCtxtPtr, _ builder: UnsafeMutablePointer<Builder>
) {
  let limit = builder.pointee.limits.tag
  document.bytes.withUnsafeBufferPointer { bytes in
    var chunks = Chunks(of: document.bytes, from: document.start, limit: limit)
    while let chunk = chunks.next() {
      let code = UnsafeBufferPointer(rebasing: bytes[chunk]).withMemoryRebound(to: CChar.self) {
        clibxml2_parse_chunk(parser, $0.baseAddress, Int32($0.count), chunks.isAtEnd ? 1 : 0)
      }
      // Not `wellFormed`, which stays 1 when parsing is stopped.
      if code != 0, !builder.pointee.accepts(code) {
        builder.pointee.refuse(.malformed(code: code, at: SourceLocation(of: parser)))
      }
      if builder.pointee.damage != nil { return }
      let names = builder.pointee.limits.names
      // Of namespaces in scope, two each; libxml2 searches all of them for each element.
      if clibxml2_dictionary_size(parser.pointee.dict) > names || parser.pointee.nsNr > 1024 {
        return builder.pointee.refuse(.tooManyNames(limit: names, line: Int(SourceLocation(of: parser).line)))
      }
    }
    if let position = chunks.longTag {
      let line = 1 + bytes[..<position].count { $0 == UInt8(ascii: "\n") }
      builder.pointee.refuse(.tagTooLong(limit: limit, line: line))
    }
  }
}

extension FieldCollector {
  /// The callbacks that collect fields; unset callbacks are not called.
  static var handler: xmlSAXHandler {
    var handler = xmlSAXHandler()
    handler.initialized = XML_SAX2_MAGIC
    handler.startDocument = { FieldCollector.startDocument($0) }
    handler.startElementNs = { context, local, prefix, namespace, declared, _, count, _, attributes in
      FieldCollector.start(context, local, prefix, namespace, declared, count, attributes)
    }
    handler.endElementNs = { context, _, _, _ in FieldCollector.with(context) { $0.end(at: $1) } }
    handler.characters = { FieldCollector.text($0, $1, $2) }
    handler.ignorableWhitespace = handler.characters
    handler.cdataBlock = handler.characters
    handler.internalSubset = { context, root, _, _ in FieldCollector.doctype(context, root) }
    handler.serror = { FieldCollector.error($0, $1) }
    return handler
  }
}

extension OutlineBuilder {
  /// The callbacks that build outlines; text is ignored.
  static var handler: xmlSAXHandler {
    var handler = xmlSAXHandler()
    handler.initialized = XML_SAX2_MAGIC
    handler.startDocument = { OutlineBuilder.startDocument($0) }
    handler.startElementNs = { context, local, prefix, namespace, declared, _, count, _, attributes in
      OutlineBuilder.start(context, local, prefix, namespace, declared, count, attributes)
    }
    handler.endElementNs = { context, _, _, _ in OutlineBuilder.with(context) { $0.end(at: $1) } }
    handler.internalSubset = { context, root, _, _ in OutlineBuilder.doctype(context, root) }
    handler.serror = { OutlineBuilder.error($0, $1) }
    return handler
  }
}

extension SourceLocation {
  @inlinable init(of parser: xmlParserCtxtPtr) {
    self.init(line: parser.pointee.input?.pointee.line ?? 1, column: parser.pointee.input?.pointee.col ?? 1)
  }
}

/// Callbacks of a module for its own builder.
package enum SAXContext {
  /// The builder of the parser that calls back; nil without one.
  @inlinable
  package static func builder<Builder>(of context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Builder>? {
    context?.assumingMemoryBound(to: xmlParserCtxt.self).pointee._private?.assumingMemoryBound(to: Builder.self)
  }
}

/// The functions the callbacks call. C function pointers cannot capture, so each builder names itself in its own.
///
/// Inlinable, so that a builder of another module gets code of its own.
extension SAXHandler {
  /// Passes one event to the builder, and stops the parser if it recorded an error.
  @inlinable
  package static func with(_ context: UnsafeMutableRawPointer?, _ event: (inout Self, SourceLocation) -> Void) {
    guard let parser = context?.assumingMemoryBound(to: xmlParserCtxt.self), let builder = builder(of: context) else {
      return
    }
    event(&builder.pointee, SourceLocation(of: parser))
    if builder.pointee.damage != nil { clibxml2_stop_parser(parser) }
  }

  @inlinable
  static func builder(of context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Self>? {
    SAXContext.builder(of: context)
  }

  /// The XML declaration was read; text that is already UTF-8 must not be decoded again.
  @inlinable
  package static func startDocument(_ context: UnsafeMutableRawPointer?) {
    let input = context?.assumingMemoryBound(to: xmlParserCtxt.self).pointee.input?.pointee
    guard input?.buf?.pointee.encoder != nil else { return }
    with(context) { builder, _ in builder.refuse(.encoding(input?.encoding.map(shortened) ?? "")) }
  }

  @inlinable
  package static func start(
    _ context: UnsafeMutableRawPointer?, _ local: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?,
    _ namespace: UnsafePointer<xmlChar>?, _ declared: Int32, _ count: Int32,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) {
    guard let local else { return }
    let name = ElementName(local: local, prefix: prefix, namespace: namespace)
    with(context) { builder, location in
      let attributes = Attributes(start: attributes, count: Int(count) + Int(declared), valued: Int(count))
      let limit = builder.limits.attributes
      guard attributes.count <= limit else {
        return builder.refuse(.tooManyAttributes(limit: limit, line: Int(location.line)))
      }
      let namespaces = builder.limits.namespaces
      guard declared <= namespaces else {
        return builder.refuse(.tooManyNames(limit: namespaces, line: Int(location.line)))
      }
      builder.start(name, attributes, at: location)
    }
  }

  @inlinable
  package static func text(
    _ context: UnsafeMutableRawPointer?, _ text: UnsafePointer<xmlChar>?, _ count: Int32
  ) {
    let piece = UnsafeBufferPointer(start: text, count: Int(count))
    with(context) { $0.text(piece.span, at: $1) }
  }

  @inlinable
  package static func doctype(_ context: UnsafeMutableRawPointer?, _ root: UnsafePointer<xmlChar>?) {
    with(context) { $0.doctype(root: root.map(shortened) ?? "", at: $1) }
  }

  /// Records an error of libxml2. Does not stop the parser, which may hold pointers into memory that stopping frees;
  /// after most errors it stops by itself, otherwise at the next event.
  @inlinable
  package static func error(_ context: UnsafeMutableRawPointer?, _ error: UnsafePointer<xmlError>?) {
    guard let error = error?.pointee, error.level.rawValue > XML_ERR_WARNING.rawValue,
      let builder = builder(of: context), !builder.pointee.accepts(error.code)
    else { return }
    builder.pointee.refuse(.malformed(code: error.code, line: Int(error.line), column: Int(error.int2)))
  }
}

extension [UInt8] {
  /// Appends a piece of text as libxml2 passes it.
  @inlinable
  package mutating func append(_ piece: Span<UInt8>) { piece.withUnsafeBufferPointer { append(contentsOf: $0) } }
}

/// Whether a NUL-terminated name of libxml2 equals this one.
private func equal(_ name: UnsafePointer<xmlChar>, _ literal: StaticString) -> Bool {
  strcmp(name.letters, literal.letters) == 0
}

extension UnsafePointer<xmlChar> {
  /// The bytes as C strings are typed.
  fileprivate var letters: UnsafePointer<CChar> { UnsafeRawPointer(self).assumingMemoryBound(to: CChar.self) }
}

extension StaticString {
  /// The bytes as C strings are typed.
  fileprivate var letters: UnsafePointer<CChar> { utf8Start.letters }
}

/// At most 64 bytes of a name.
@usableFromInline
func shortened(_ name: UnsafePointer<xmlChar>) -> String {
  var length = 0
  while length < 64, name[length] != 0 { length += 1 }
  return String(decoding: UnsafeBufferPointer(start: name, count: length), as: UTF8.self)
}
