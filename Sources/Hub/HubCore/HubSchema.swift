import Core
import JSON

/// The shape of a JSON value, for the OpenAPI document.
package indirect enum HubSchema: Sendable {
  case string, integer, number, boolean, time
  case null(HubSchema)
  case list(HubSchema)
  case named(String)
  case choice([String])
  case object([(String, HubSchema)])
  /// An object of a request; other members are refused.
  case fields([(name: String, schema: HubSchema, isRequired: Bool)])
  case items(HubSchema, ClosedRange<Int>)
  /// A string that matches.
  case pattern(String)
  /// Any JSON value.
  case any

  /// The schema as JSON Schema.
  package var json: JSONValue {
    switch self {
    case .string: return ["type": "string"]
    case .integer: return ["type": "integer"]
    case .number: return ["type": "number"]
    case .boolean: return ["type": "boolean"]
    case .time: return ["type": "string", "format": "date-time"]
    case .null(let schema): return ["anyOf": [schema.json, ["type": "null"]]]
    case .list(let schema): return ["type": "array", "items": schema.json]
    case .named(let name): return ["$ref": .string("#/components/schemas/\(name)")]
    case .choice(let choices): return ["type": "string", "enum": .array(choices.map { .string($0) })]
    case .object(let members):
      return [
        "type": "object", "required": .array(members.map { .string($0.0) }),
        "properties": .object(members.map { JSONValue.Member(name: $0.0, value: $0.1.json) }),
      ]
    case .fields(let fields):
      return [
        "type": "object", "required": .array(fields.filter { $0.isRequired }.map { .string($0.name) }),
        "properties": .object(fields.map { JSONValue.Member(name: $0.name, value: $0.schema.json) }),
        "additionalProperties": false,
      ]
    case .items(let schema, let range):
      return [
        "type": "array", "items": schema.json, "minItems": .number(Double(range.lowerBound)),
        "maxItems": .number(Double(range.upperBound)),
      ]
    case .pattern(let pattern): return ["type": "string", "pattern": .string(pattern)]
    case .any: return [:]
    }
  }

  /// The body of a request that marks videos.
  package static let marks = HubSchema.fields([
    ("marks", .items(mark, 1...400), true), ("action", .null(.string), false),
  ])

  private static let mark = HubSchema.fields([
    ("video", .pattern("^([A-Za-z0-9_-]{11}|e[a-z2-7]{26})$"), true), ("status", .null(.choice(statuses)), false),
    ("until", .null(.string), false), ("saved", .null(.boolean), false), ("note", .null(.string), false),
    ("progressSeconds", .null(.integer), false), ("collection", .null(.string), false),
    ("member", .null(.boolean), false), ("title", .null(.string), false), ("secondsAgo", .null(.integer), false),
  ])

  /// The members of the responses, by name.
  package static let components: [(String, HubSchema)] = [
    ("Problem", .object([("type", .string), ("title", .string), ("status", .integer), ("detail", .string)])),
    ("Video", .object(video)),
    (
      "VideoDetails",
      .object(
        video + [
          ("note", .null(.string)), ("progressSeconds", .integer), ("collections", .list(.string)),
          ("description", .string),
        ])
    ),
    (
      "VideoPage",
      .object([
        ("videos", .list(.named("Video"))), ("matching", .integer),
        (
          "hidden",
          .object([
            ("upcoming", .integer), ("shorts", .integer), ("streams", .integer), ("rules", .integer),
            ("unknownLength", .integer),
          ])
        ), ("next", .null(.string)), ("token", .string),
      ])
    ),
    (
      "Why",
      .object([
        ("video", .string), ("title", .string), ("url", .string), ("listed", .boolean), ("because", .list(.string)),
        ("status", .choice(statuses)), ("rules", .list(.string)), ("short", .string), ("live", .string),
        ("history", .list(.any)),
      ])
    ),
    ("Marked", .object([("changed", .integer), ("action", .null(.string)), ("unknown", .list(.string))])),
    ("Undone", .object([("undone", .string), ("changes", .integer), ("outcomes", .list(.string))])),
    (
      "Channel",
      .object([
        ("channel", .string), ("title", .string), ("url", .string), ("tags", .list(.string)), ("feed", .string),
        ("unwatched", .integer), ("lastPublished", .null(.time)), ("lastChecked", .null(.time)),
        ("failingSince", .null(.time)), ("failures", .integer), ("lastAnswer", .null(.string)), ("verdict", .string),
        ("shorts", .string), ("live", .string), ("order", .string), ("intervalSeconds", .null(.integer)),
        ("avatarURL", .null(.string)), ("subscribers", .null(.integer)), ("videoCount", .null(.integer)),
        ("number", .integer), ("nextCheck", .null(.time)),
      ])
    ),
    ("Channels", .object([("channels", .list(.named("Channel"))), ("unresolved", .list(.string))])),
    ("ChannelMatch", .object(matched)),
    (
      "ChannelMatches",
      .object([
        ("channels", .list(.named("ChannelMatch"))),
        ("youtube", .null(.object([("source", .string), ("cost", .integer), ("unitsLeft", .null(.integer))]))),
      ])
    ),
    (
      "YouTubeChannels",
      .object([
        ("channels", .list(.named("ChannelMatch"))), ("source", .string), ("units", .integer),
        ("unitsLeft", .null(.integer)),
      ])
    ),
    (
      "YouTubeVideos",
      .object([
        (
          "videos",
          .list(
            .object([
              ("video", .string), ("channel", .null(.string)), ("channelTitle", .string), ("title", .string),
              ("url", .string), ("published", .null(.time)), ("durationSeconds", .null(.integer)), ("live", .string),
              ("found", .boolean),
            ]))
        ), ("source", .string), ("units", .integer), ("unitsLeft", .null(.integer)),
      ])
    ),
    ("Followed", .object([("followed", .list(.string)), ("changed", .integer)])),
    ("Changed", .object([("changed", .integer)])),
    (
      "Rule",
      .object([
        ("rule", .string), ("verdict", .choice(["block", "allow"])), ("contains", .null(.string)),
        ("matches", .null(.string)), ("field", .null(.string)), ("minDuration", .null(.integer)),
        ("maxDuration", .null(.integer)), ("short", .null(.string)), ("live", .null(.string)),
        ("olderThanSeconds", .null(.integer)), ("tag", .null(.string)), ("channel", .null(.string)),
        ("videos", .integer),
      ])
    ),
    (
      "Preferences",
      .object([
        (
          "preferences",
          .list(
            .object([
              ("preference", .string), ("value", .string), ("default", .string), ("source", .string),
              ("channel", .null(.string)), ("channelTitle", .null(.string)), ("summary", .string),
            ]))
        )
      ])
    ),
    ("Rules", .object([("rules", .list(.named("Rule")))])),
    ("RulePreview", .object([("rule", .named("Rule")), ("videos", .list(.named("Video")))])),
    (
      "CollectionRow",
      .object([
        ("collection", .string), ("videos", .integer), ("description", .null(.string)), ("number", .integer),
      ])
    ),
    ("Collections", .object([("collections", .list(.named("CollectionRow")))])),
    (
      "Collection",
      .object([
        ("collection", .string), ("number", .integer), ("description", .null(.string)),
        ("videos", .list(.named("Video"))),
      ])
    ),
    ("Tags", .object([("tags", .list(.object([("tag", .string), ("channels", .integer), ("number", .integer)])))])),
    ("History", .object([("watched", .list(.any)), ("matching", .integer)])),
    (
      "Changes",
      .object([
        ("token", .string), ("more", .boolean), ("videos", .list(.named("Video"))), ("channels", .boolean),
        ("rules", .boolean),
      ])
    ),
    ("Status", .any), ("Imported", .any),
    ("Identity", .object([("user", .null(.string)), ("scope", .choice(["read", "write"]))])),
    (
      "Tokens",
      .object([
        (
          "tokens",
          .list(
            .object([
              ("id", .integer), ("name", .string), ("scope", .string), ("created", .time), ("used", .null(.time)),
              ("device", .null(.string)),
            ]))
        )
      ])
    ),
    (
      "Sessions",
      .object([
        (
          "sessions",
          .list(
            .object([
              ("id", .string), ("agent", .string), ("created", .time), ("used", .time), ("ends", .time),
              ("current", .boolean),
            ]))
        )
      ])
    ),
    ("NewToken", .object([("id", .integer), ("secret", .string)])),
    ("Logs", .object(logs)),
    ("LogsTaken", .object(logs + [("staged", .null(.integer)), ("merged", .null(.string))])),
  ]

  static let statuses = ["new", "watched", "skipped", "snoozed"]

  private static let logs: [(String, HubSchema)] = [
    (
      "logs",
      .list(
        .object([
          ("log", .string), ("device", .string), ("generation", .integer), ("length", .integer),
          ("checksum", .string), ("damaged", .boolean),
          ("damagedLine", .null(.integer)),
        ]))
    ),
    ("damage", .list(.object([("log", .null(.string)), ("what", .string), ("remedy", .string)]))),
  ]

  private static let matched: [(String, HubSchema)] = [
    ("channel", .string), ("title", .string), ("url", .string),
    ("source", .choice(["followed", "unfollowed", "seen", "youtube"])), ("avatarURL", .null(.string)),
    ("subscribers", .null(.integer)), ("description", .null(.string)),
  ]

  private static let video: [(String, HubSchema)] = [
    ("video", .null(.string)), ("channel", .null(.string)), ("channelTitle", .string), ("title", .string),
    ("url", .string), ("published", .null(.time)), ("found", .null(.time)), ("status", .choice(statuses)),
    ("snoozedUntil", .null(.time)),
    ("saved", .boolean), ("short", .string), ("live", .string), ("durationSeconds", .null(.integer)),
    ("tags", .list(.string)), ("thumbnail", .string), ("savedAt", .null(.time)),
    ("viewCount", .null(.integer)), ("platform", .choice(VideoPlatform.allCases.map(\.rawValue))),
    ("entry", .null(.string)), ("feed", .null(.string)), ("link", .null(.string)),
    ("media", .list(.object([("url", .string), ("type", .null(.string)), ("bytes", .null(.integer))]))),
    ("number", .integer),
  ]
}
