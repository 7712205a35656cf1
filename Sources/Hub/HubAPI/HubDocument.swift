import HubCore
import JSON
import Platform

/// The OpenAPI 3.1 document of all routes.
package enum HubDocument {
  /// The document of a hub below a path, which is empty if it has all of its host.
  package static func bytes(below base: String) -> [UInt8] { json(below: base).bytes }

  static func json(below base: String) -> JSONValue {
    var paths: [JSONValue.Member] = []
    for (group, route) in HubRoute.groups.flatMap({ group in group.routes.map { (group.name, $0) } }) {
      let operation = JSONValue.Member(name: route.method.rawValue, value: HubDocument.operation(route, of: group))
      if let index = paths.firstIndex(where: { $0.name == route.path }), case .object(let others) = paths[index].value {
        paths[index].value = .object(others + [operation])
      } else {
        paths.append(JSONValue.Member(name: route.path, value: .object([operation])))
      }
    }
    return [
      "openapi": "3.1.0",
      "info": [
        "title": "metube-hub", "version": .string(Version.current), "license": ["name": "MIT", "identifier": "MIT"],
      ],
      // Relative to where the document is, so that it is right by whatever name the hub is reached.
      "servers": [["url": .string(base.isEmpty ? "/" : base)]],
      "tags": .array(
        HubRoute.groups.map { ["name": .string($0.name), "description": .string($0.summary)] }),
      "security": security(["token"]),
      "paths": .object(paths),
      "components": [
        "schemas": .object(HubSchema.components.map { JSONValue.Member(name: $0.0, value: $0.1.json) }),
        "securitySchemes": [
          "token": ["type": "http", "scheme": "bearer"], "address": ["type": "apiKey", "in": "query", "name": "token"],
        ],
      ],
    ]
  }

  /// One of some ways to prove who sends the request, by their names. One person without users needs none.
  private static func security(_ schemes: [String]) -> JSONValue {
    .array([.object([])] + schemes.map { .object([.init(name: $0, value: [])]) })
  }

  private static func operation(_ route: HubRoute, of group: String) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init(name: "operationId", value: .string(route.name)), .init(name: "summary", value: .string(route.summary)),
      .init(name: "tags", value: [.string(group)]),
      .init(name: "x-access", value: .string(route.access.rawValue)),
    ]
    let parts = route.path.split(separator: "/").filter { $0.hasPrefix("{") }.map { part -> JSONValue in
      [
        "name": .string(String(part.dropFirst().dropLast())), "in": "path", "required": true,
        "schema": ["type": "string"],
      ]
    }
    let query = route.query.map { parameter -> JSONValue in
      let schema = parameter.isRepeated ? ["type": "array", "items": parameter.schema] : parameter.schema
      return [
        "name": .string(parameter.name), "in": "query", "description": .string(parameter.summary), "schema": schema,
      ]
    }
    if !parts.isEmpty || !query.isEmpty { members.append(.init(name: "parameters", value: .array(parts + query))) }
    if let body = requestBody(route.body) { members.append(.init(name: "requestBody", value: body)) }
    members.append(.init(name: "responses", value: responses(route)))
    let schemes = ["token"] + (route.query.contains { $0.name == "token" } ? ["address"] : [])
    members.append(.init(name: "security", value: route.access == .open ? [] : security(schemes)))
    return .object(members)
  }

  private static func requestBody(_ body: HubRoute.Body) -> JSONValue? {
    let content: JSONValue
    switch body {
    case .none, .form, .upload, .bytes: return nil
    case .file, .lines:
      content = ["application/octet-stream": ["schema": ["type": "string", "format": "binary"]]]
    case .json(let schema): content = ["application/json": ["schema": schema.json]]
    case .members(let parameters):
      let properties = parameters.map { parameter in
        let schema = parameter.isRepeated ? ["type": "array", "items": parameter.schema] : parameter.schema
        // null counts as absent.
        let value: JSONValue = parameter.isRequired ? schema : ["anyOf": [schema, ["type": "null"]]]
        return JSONValue.Member(name: parameter.name, value: value)
      }
      let required = parameters.filter(\.isRequired).map { JSONValue.string($0.name) }
      content = [
        "application/json": [
          "schema": [
            "type": "object", "properties": .object(properties), "required": .array(required),
            "additionalProperties": false,
          ]
        ]
      ]
    }
    return ["required": true, "content": content]
  }

  private static func responses(_ route: HubRoute) -> JSONValue {
    let type = String(route.success.type.prefix { $0 != ";" })
    let schema = route.success.schema ?? (type.hasSuffix("json") ? .any : .string)
    let content: JSONValue = [
      "description": "Success", "content": .object([.init(name: type, value: ["schema": schema.json])]),
    ]
    return [
      "\(route.success.status)": content,
      "default": [
        "description": "A problem (RFC 9457)",
        "content": ["application/problem+json": ["schema": HubSchema.named("Problem").json]],
      ],
    ]
  }
}

extension HubParameter {
  fileprivate var schema: JSONValue {
    switch kind {
    case .text: ["type": "string"]
    case .flag: ["type": "boolean"]
    case .integer(let range):
      ["type": "integer", "minimum": .number(Double(range.lowerBound)), "maximum": .number(Double(range.upperBound))]
    case .choice(let choices): ["type": "string", "enum": .array(choices.map { .string($0) })]
    }
  }
}
