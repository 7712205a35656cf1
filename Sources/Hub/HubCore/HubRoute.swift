/// One operation of the hub's API. The table of all routes serves requests, and is the source of the OpenAPI document.
package struct HubRoute: Sendable {
  package enum Method: String, Sendable, CaseIterable { case get, post, put, patch, delete }

  /// Who may call it.
  package enum Access: String, Sendable, CaseIterable {
    /// Everybody, also without a token.
    case open
    case read
    case write
    /// Administrators of the hub who are logged in, not their tokens.
    case administer
  }

  /// What the request carries.
  package enum Body: Sendable {
    case none
    /// A JSON object with these members.
    case members([HubParameter])
    /// A JSON object of this shape.
    case json(HubSchema)
    /// A file of any kind.
    case file
    /// The fields of an HTML form.
    case form
    /// An HTML form with a file.
    case upload
    /// Bytes of any media type.
    case bytes
    /// Lines of a log, possibly compressed.
    case lines
  }

  /// Who responds.
  package enum Work: Sendable {
    /// The log and its read model.
    case service(@Sendable (HubService, HubCall) throws -> RouteResponse)
    /// The server itself.
    case server(@Sendable (any ServerHandlers) async throws -> ServerResponse)
  }

  package var method: Method
  /// The path with its variable parts in braces: `/api/v1/videos/{video}`; with a star the last one is all that follows.
  package var path: String
  /// The name of the operation: `listVideos`.
  package var name: String
  package var summary: String
  package var access: Access
  package var query: [HubParameter]
  package var body: Body
  /// The status and the shape of a successful response, and its media type if it is not JSON.
  package var success: (status: Int, schema: HubSchema?, type: String)
  package var work: Work
  /// Whether a request that may read only may also cost something, as a search on YouTube: it is not repeated, and runs
  /// where requests that change something do.
  package var mayCost = false
  /// What a client gets if the request fails.
  package var refusal: @Sendable (HubProblem, HubCall) -> RouteResponse

  /// Without a `refusal` it is that of the dialect.
  package init(
    _ method: Method, _ path: String, _ name: String, _ summary: String, _ access: Access,
    query: [HubParameter] = [], body: Body = .none, status: Int = 200, schema: HubSchema?,
    type: String = RouteResponse.json, work: Work, refusal: (@Sendable (HubProblem, HubCall) -> RouteResponse)? = nil
  ) {
    (self.method, self.path, self.name, self.summary, self.access) = (method, path, name, summary, access)
    (self.query, self.body, self.success, self.work) = (query, body, (status, schema, type), work)
    parts = path.split(separator: "/").map(String.init)
    takesRest = path.hasSuffix("*}")
    let dialect = HubDialect(path: parts)
    self.dialect = dialect
    self.refusal = refusal ?? { problem, _ in problem.response(in: dialect) }
  }

  /// Whether its requests count as changes.
  package var isChange: Bool { access == .write || access == .administer && method != .get }

  /// Whether it responds with a document for people.
  package var isPage: Bool { success.type.hasPrefix("text/html") }

  package let dialect: HubDialect
  package let parts: [String]
  /// Whether the last variable part is all that follows.
  private let takesRest: Bool

  /// The values of the variable parts if the route has this path, given in decoded parts; nil otherwise.
  package func match(_ path: [String]) -> [String: String]? {
    guard takesRest ? path.count >= parts.count : path.count == parts.count else { return nil }
    var values: [String: String] = [:]
    for (index, part) in parts.enumerated() {
      if !part.hasPrefix("{") {
        guard part == path[index] else { return nil }
      } else if takesRest, index == parts.count - 1 {
        values[String(part.dropFirst().dropLast(2))] = path[index...].joined(separator: "/")
      } else {
        values[String(part.dropFirst().dropLast())] = path[index]
      }
    }
    return values
  }

  /// A route of another program's API.
  package init(
    _ method: Method, _ path: String, _ access: Access, body: Body = .none,
    _ work: @escaping @Sendable (HubService, HubCall) throws -> RouteResponse
  ) {
    self.init(method, path, path, "", access, body: body, schema: nil, work: .service(work))
  }
}
