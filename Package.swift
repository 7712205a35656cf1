// swift-tools-version: 6.2
import PackageDescription

/// Where libxml2's headers are, the same in every distribution. pkg-config, which knows it too, would link the library.
let libxml2 = "/usr/include/libxml2"

/// Settings of all our targets: warnings are errors. The tools version implies Swift 6 language mode.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error), .enableUpcomingFeature("MemberImportVisibility"),
  .unsafeFlags(["-Xcc", "-I\(libxml2)"]),
]

/// Settings of the targets on which tests spend most of their time: optimised in debug builds too, with all checks.
let fast = strict + [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

/// Tests start the debug program thousands of times; linked statically, as the released one is, it starts 4 ms sooner. Not
/// for a target that a test target depends on: the testing library brings the dynamic runtime with it.
let startsSoon: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-static-stdlib", "-use-ld=lld", "-lFoundationEssentials", "-l_FoundationCollections", "-l_FoundationCShims",
      "-Xlinker", "--no-export-dynamic",
    ],
    .when(configuration: .debug))
]

/// A module of ours in the folder of its floor. `embedded` are the paths of files that become part of the program.
func module(
  _ name: String, in floor: String, _ dependencies: [Target.Dependency] = [], embedded: [String] = [],
  settings: [SwiftSetting] = strict
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(floor)/\(name)",
    resources: embedded.map { .embedInCode($0) }, swiftSettings: settings)
}

/// A module of the hub.
func hub(_ name: String, _ dependencies: [Target.Dependency], embedded: [String] = []) -> Target {
  module(name, in: "Hub", dependencies, embedded: embedded)
}

/// A module of tests.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
  name: "metube-rss",
  products: [
    .executable(name: "metube-rss", targets: ["metube-rss"]),
    .executable(name: "metube-hub", targets: ["metube-hub"]),
    .executable(name: "fixture-server", targets: ["fixture-server"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // Of metube-hub alone: building the product metube-rss compiles none of it. Without traits it needs no full Foundation.
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras.git", exact: "1.35.2"),
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0", traits: []),
  ],
  targets: [
    // C libraries as modules; libcurl and libxml2 are loaded on first use.
    .target(name: "CCurl", path: "Sources/C/CCurl"),
    .target(name: "CLibXML2", path: "Sources/C/CLibXML2", cSettings: [.unsafeFlags(["-I\(libxml2)"])]),
    .systemLibrary(
      name: "CSQLite", path: "Sources/C/CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CPCRE2", path: "Sources/C/CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
    .systemLibrary(name: "CZlib", path: "Sources/C/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    // Of the hub: hashes of passwords (yescrypt) and tokens, and comparison in constant time.
    .systemLibrary(name: "CCrypt", path: "Sources/C/CCrypt", providers: [.apt(["libcrypt-dev", "libssl-dev"])]),
    // Of the hub: how glibc keeps freed memory.
    .systemLibrary(name: "CMalloc", path: "Sources/C/CMalloc"),
    // libarchive is loaded when the first archive is read.
    .target(name: "CArchive", path: "Sources/C/CArchive"),
    // ncursesw is loaded by the full-screen view alone.
    .target(name: "CCurses", path: "Sources/C/CCurses"),
    // libpq is loaded when the first connection is made.
    .target(name: "CPostgres", path: "Sources/C/CPostgres"),
    // CRC-32C of log lines, with the processor's instruction.
    .target(name: "CChecksum", path: "Sources/C/CChecksum"),

    // Values and pure functions: no I/O, no clock, no C. Model, State, Query and Polling are folders of one target, because
    // whole-module optimisation of the fold and the filters needs them in one module.
    module("Core", in: "Base", [], settings: fast),
    // JSON of imports, the Data API and players; the log has its own, faster reader of flat lines.
    module("JSON", in: "Base", ["Core"], settings: fast),

    // Polls of feeds of any site: what is due, hosts, moves, failures; a state machine without I/O.
    module("WebPolling", in: "Base", ["Core"], settings: fast),

    // Tables, colours and times for a terminal; documents for other programs. Both pure.
    module("Terminal", in: "Formats", ["Core"], settings: fast),
    module("Exporters", in: "Formats", ["Core", "Gzip"], settings: fast),

    // One module for each external interface; none imports another.
    module("FeedParser", in: "Formats", ["Core", "CLibXML2"], settings: fast),
    module("WebFeed", in: "Formats", ["Core", "CLibXML2", "FeedParser", "JSON"], settings: fast),
    // Entries of feeds of any site: their identity, and what of a document becomes an event.
    module("Entries", in: "Formats", ["Core", "WebFeed"], settings: fast),
    module("HTTPClient", in: "Net", ["CCurl"]),
    // What is at any URL: redirects hop by hop, credentials, limits.
    module("WebFetch", in: "Net", ["Core", "HTTPClient"]),
    module("EventLog", in: "Store", ["Core", "CChecksum"], settings: fast),
    module("Importers", in: "Formats", ["Core", "JSON", "CArchive"]),

    // Databases of SQLite and PostgreSQL, and the SQL that both understand; knows no table.
    module("SQLDrivers", in: "Store", ["CSQLite", "CPostgres"], settings: fast),

    // The disposable view of the log that queries read; and both together, for every executable.
    module(
      "ReadModel", in: "Store", ["Core", "SQLDrivers", "CPCRE2"],
      embedded: ["0001-read-model", "0006-descriptions", "0011-preferences", "0015-entries"].map {
        "Migrations/\($0).sql"
      },
      settings: fast),
    module(
      "Library", in: "Store", ["Core", "EventLog", "ReadModel", "SQLDrivers"], embedded: ["Migrations/0002-log.sql"],
      settings: fast),
    // Requests and responses of the Data API; HTTPClient transfers them.
    module("YouTube", in: "Formats", ["Core", "JSON"]),
    // The hub's page: from values to HTML, with its style sheet and script.
    hub(
      "HubPage", ["Core", "Exporters", "Terminal"],
      embedded: [
        "feeds.opml", "sw.js", "manifest.webmanifest", "icon.svg", "icon-192.png", "icon-512.png",
        "icon-maskable-512.png", "style/frame.css", "style/list.css", "style/views.css", "media.css",
        "media.js",
      ].map { "Assets/\($0)" }
        + [
          "page", "storage", "messages", "queue", "connection", "sending", "cards", "selection", "list", "views",
          "filter", "paging", "playing", "steps", "marks", "protocol", "player", "live", "forms", "links", "keys",
          "swipes", "start", "preferences", "menu", "times", "clock",
        ].map { "Assets/script/\($0).mjs" }),
    // What the programs do, below their front ends: the system, messages, use cases, and the work on the network.
    module("Platform", in: "App", ["SQLDrivers", "ReadModel", "Core", "EventLog"], embedded: ["VERSION"]),
    module(
      "Messages", in: "App",
      [
        "SQLDrivers", "Core", "EventLog", "FeedParser", "HTTPClient", "Importers", "Platform", "ReadModel", "Terminal",
      ]),
    module(
      "App", in: "App",
      [
        "SQLDrivers", "Core", "EventLog", "Exporters", "FeedParser", "HTTPClient", "Importers", "Library", "Messages",
        "Platform", "ReadModel", "Terminal", "WebPolling", "YouTube",
      ]),
    module(
      "Sync", in: "App",
      [
        "App", "Core", "EventLog", "Exporters", "Gzip", "HTTPClient", "JSON", "Library", "Messages", "Platform",
        "Terminal",
      ]),
    module(
      "PollEngine", in: "App",
      [
        "App", "Core", "Entries", "EventLog", "Exporters", "FeedParser", "HTTPClient", "Importers", "JSON", "Library",
        "Messages", "Platform", "ReadModel", "Sync", "Terminal", "WebFeed", "WebFetch", "WebPolling", "YouTube",
      ]),
    // What the command lines of both programs share.
    module(
      "Arguments", in: "App",
      [
        "App", .product(name: "ArgumentParser", package: "swift-argument-parser"), "Core", "EventLog", "Exporters",
        "Messages", "Platform", "ReadModel", "Sync", "Terminal",
      ]),

    // The commands of metube-rss.
    module(
      "CLI", in: "CLI",
      [
        "App", .product(name: "ArgumentParser", package: "swift-argument-parser"), "Arguments", "CCurses", "Core",
        "EventLog", "Exporters", "FeedParser", "HTTPClient", "Importers", "JSON", "Library", "Messages", "Platform",
        "PollEngine", "ReadModel", "Sync", "Terminal", "WebFeed", "YouTube",
      ], embedded: ["user.service", "system.service", "hourly.timer", "sysusers.conf"].map { "Timer/Units/\($0)" }),
    .executableTarget(
      name: "metube-rss", dependencies: ["Arguments", "CLI"], path: "Sources/CLI/metube-rss", swiftSettings: strict,
      linkerSettings: startsSoon),

    // The server. Nothing of it is in metube-rss, and no API of another program imports another.
    // Any number of pollers that share their work by a database.
    hub(
      "SharedPollers",
      [
        "SQLDrivers", "App", "Core", "EventLog", "Exporters", "HTTPClient", "JSON", "Library", "Messages", "Platform",
        "PollEngine", "ReadModel", "YouTube",
      ],
      embedded: ["0003-polling", "0005-pollers", "0007-turns", "0012-names", "0014-lookups", "0016-videos"].map {
        "Migrations/\($0).sql"
      }),
    // Requests, responses and routes, and the service of one user's log.
    hub(
      "HubCore",
      [
        "SQLDrivers", "App", "Core", "EventLog", "Exporters", "HTTPClient", "HubStore", "JSON", "Library", "Messages",
        "Platform", "PollEngine", "ReadModel", "SharedPollers", "Terminal", "YouTube",
      ]),
    // The hub's own API and its document.
    hub(
      "HubAPI",
      [
        "App", "Core", "EventLog", "Exporters", "HubCore", "HubStore", "JSON", "Library", "Messages", "Platform",
        "PollEngine", "ReadModel", "Sync",
      ]),
    // What the APIs of other programs have in common, and each of them.
    hub("HubReaders", ["App", "Core", "Exporters", "HubCore", "HubStore", "JSON", "Library", "Messages", "ReadModel"]),
    hub("MinifluxDialect", ["App", "Core", "Exporters", "HubCore", "HubReaders", "JSON", "Messages", "ReadModel"]),
    hub("GoogleReaderDialect", ["App", "Core", "Exporters", "HubCore", "HubReaders", "JSON", "Messages", "ReadModel"]),
    hub("MeTubeDialect", ["App", "Core", "HubCore", "HubStore", "HubReaders", "JSON", "Library", "ReadModel"]),
    hub(
      "WebSearchDialect",
      ["App", "Core", "HubCore", "HubReaders", "JSON", "Library", "Messages", "PollEngine", "ReadModel"]),
    // The views and forms of the page.
    hub(
      "HubWeb",
      [
        "App", "Core", "EventLog", "HubCore", "HubPage", "JSON", "Library", "Messages", "Platform", "PollEngine",
        "ReadModel", "Terminal",
      ]),

    // Google accounts of users: logins, and the daily synchronisation of subscriptions.
    hub(
      "HubGoogle",
      [
        "App", "Core", "HubCore", "HubLimits", "HubPage", "HubStore", "HubWeb", "JSON", "Messages", "Platform",
        "PollEngine", "YouTube",
      ]),
    // News of channels by WebSub: subscriptions at WebSub hubs, and the pushes that they send.
    hub(
      "HubPush",
      [
        "Arguments", "Core", "HubCore", "HubLimits", "HubStore", "Platform", "ReadModel", "SQLDrivers",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),

    // Users, sessions and tokens of the hub.
    hub(
      "HubStore", ["CCrypt", "SQLDrivers"],
      embedded: ["0004-hub", "0008-setup", "0009-household", "0010-google", "0013-choices"].map {
        "Migrations/\($0).sql"
      }),
    // Messages for browsers: encryption, signature and requests of Web Push.
    hub("WebPush", ["CCrypt", "Core"]),
    // What keeps users from stopping each other: turns for threads and connections, limits of attempts and requests.
    hub(
      "HubLimits",
      ["Core", "HubCore", "HubStore", "ReadModel", "SQLDrivers", .product(name: "NIOPosix", package: "swift-nio")]),
    // The server: the same log and read model for browsers, readers and other programs.
    .executableTarget(
      name: "metube-hub",
      dependencies: [
        "SQLDrivers", "App", "Arguments", "CMalloc", "Core", "EventLog", "GoogleReaderDialect", "Gzip", "HubAPI",
        "HubCore", "HubGoogle", "HubLimits", "HubHTTP", "HubPage", "HubPush", "HubReaders", "HubStore", "HubWeb",
        "JSON", "Library", "MeTubeDialect", "MinifluxDialect", "Messages", "Platform", "PollEngine", "ReadModel",
        "SharedPollers", "Sync", "WebSearchDialect",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ], path: "Sources/Hub/metube-hub", swiftSettings: strict),

    // What strangers send: targets, forms and credentials. Apart from the server, so that it can be fuzzed, and because
    // with its imports `stat` has another module in the files of metube-hub.
    hub(
      "HubHTTP",
      [
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
      ]),

    // Answers a constant with the same server library, for comparison; never installed.
    .executableTarget(
      name: "bench-constant",
      dependencies: [
        .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
      ], path: "Sources/Tools/bench-constant", swiftSettings: strict),

    module("Gzip", in: "Base", ["CZlib"], settings: fast),

    // Random numbers that repeat, for tests and benchmarks; in no installed program.
    module("Seeded", in: "Tools", [], settings: fast),

    // A server on loopback that replaces YouTube in the demo, the tests and the benchmarks; never installed.
    module("FixtureServer", in: "Tools", ["Core", "Gzip", "Seeded"], settings: fast),
    .executableTarget(
      name: "fixture-server",
      dependencies: ["FixtureServer", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      path: "Sources/Tools/fixture-server", swiftSettings: strict),

    // Measures feed parsing, for comparison with C (Benchmarks/sax2-push.c); never installed.
    .executableTarget(
      name: "bench-parse", dependencies: ["Core", "FeedParser", "WebFeed"], path: "Sources/Tools/bench-parse",
      swiftSettings: strict),

    // Measures log reading; never installed.
    .executableTarget(
      name: "bench-log", dependencies: ["Core", "EventLog", "Library", "ReadModel", "Seeded"],
      path: "Sources/Tools/bench-log", swiftSettings: strict),

    // Sample values, the paths of fixtures, waiting, and folders that are gone with the test.
    .target(
      name: "TestSupport", dependencies: ["SlowFold", "Core", "EventLog"], path: "Tests/TestSupport",
      swiftSettings: fast),
    // The reference implementation of the views: the same results from separate, slow code.
    .target(name: "SlowCheck", dependencies: ["Core"], path: "Tests/SlowCheck", swiftSettings: fast),
    // The fold in memory that judges the read model.
    .target(name: "SlowFold", dependencies: ["Core", "Seeded"], path: "Tests/SlowFold", swiftSettings: fast),

    tests("CoreTests", ["SlowFold", "Core", "EventLog", "Seeded", "TestSupport"]),
    tests("TerminalTests", ["Terminal", "Core", "TestSupport"]),
    tests("ExportersTests", ["SlowFold", "Exporters", "Terminal", "Core", "FeedParser", "Importers", "TestSupport"]),
    tests("HubPageTests", ["HubPage", "Core", "Terminal"]),
    tests("FeedParserTests", ["FeedParser", "Core", "TestSupport"]),
    tests("WebFeedTests", ["WebFeed", "FeedParser", "FixtureServer", "Core", "TestSupport"]),
    tests("EntriesTests", ["Entries", "WebFeed", "Core"]),
    tests("HTTPClientTests", ["HTTPClient", "WebFetch", "Core", "Gzip", "TestSupport", "FixtureServer"]),
    tests("EventLogTests", ["EventLog", "Core", "Seeded", "SlowFold", "TestSupport"]),
    tests(
      "LibraryTests", ["Library", "EventLog", "ReadModel", "SQLDrivers", "Core", "Seeded", "SlowFold", "TestSupport"]),
    tests("SQLDriversTests", ["SQLDrivers"]),
    tests("ReadModelTests", ["ReadModel", "SQLDrivers", "Core", "Seeded", "SlowFold", "SlowCheck", "TestSupport"]),
    tests(
      "HubStoreTests",
      [
        "HubCore", "HubStore", "Library", "EventLog", "ReadModel", "SQLDrivers", "Core", "Seeded", "SlowFold",
        "TestSupport",
      ]),
    // Parts of the server by themselves; ProgramTests has the program.
    tests(
      "HubServerTests",
      [
        "metube-hub", "Gzip", "HubCore", "HubLimits", "HubHTTP", "HubPush", "HubStore", "Platform", "ReadModel",
        "SQLDrivers", "Seeded", "TestSupport",
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
      ]),
    .testTarget(name: "WebPollingTests", dependencies: ["WebPolling", "Core", "Seeded"], swiftSettings: fast),
    tests("WebPushTests", ["WebPush", "Core"]),
    tests("JSONTests", ["JSON"]),
    tests("ImportersTests", ["Importers", "FeedParser", "SQLDrivers", "Core", "JSON", "TestSupport"]),
    tests("YouTubeTests", ["YouTube", "Core", "JSON", "SlowFold"]),
    tests("FixtureServerTests", ["FixtureServer", "Gzip", "Core"]),
    tests(
      "ProgramTests",
      [
        "metube-hub", "App", "Arguments", "CLI", "Messages", "Platform", "PollEngine", "Sync", "GoogleReaderDialect",
        "HubAPI", "HubCore", "HubHTTP", "HubLimits", "HubPage", "HubReaders", "HubWeb", "MeTubeDialect",
        "MinifluxDialect", "SharedPollers", "WebSearchDialect", "FixtureServer", "Core", "Exporters", "Importers",
        "JSON", "Terminal", "EventLog", "ReadModel", "SQLDrivers", "SlowCheck", "SlowFold", "TestSupport", "HTTPClient",
        "HubStore", "Library", "Gzip", "Seeded", "WebPolling",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
  ]
)

// libFuzzer targets; the modules under test are built with coverage instrumentation: `make fuzz`.
if Context.environment["FUZZ"] == "1" {
  let flags = ["-O", "-sanitize=fuzzer,address", "-sanitize-coverage=edge,inline-8bit-counters,pc-table"]
  let tested = [
    "Core", "EventLog", "FeedParser", "Gzip", "HubHTTP", "HubStore", "Importers", "JSON", "ReadModel", "SQLDrivers",
    "WebFeed",
  ]
  for target in package.targets where tested.contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(flags))
  }
  let fuzzed: [SwiftSetting] = strict + [.unsafeFlags(flags + ["-parse-as-library"])]
  let targets: [(name: String, dependencies: [Target.Dependency])] = [
    ("Log", ["Core", "EventLog", "ReadModel", "SlowFold"]), ("Feed", ["Core", "EventLog", "FeedParser", "SlowFold"]),
    ("Web", ["Core", "FeedParser", "WebFeed"]),
    ("Files", ["Core", "FeedParser", "Gzip", "Importers", "JSON", "SQLDrivers"]),
    (
      "Requests",
      ["Core", "EventLog", "FeedParser", "HubHTTP", "HubStore", .product(name: "NIOCore", package: "swift-nio")]
    ),
  ]
  package.targets += targets.map { name, dependencies in
    .executableTarget(
      name: "fuzz-\(name.lowercased())", dependencies: dependencies, path: "Fuzz/\(name)", swiftSettings: fuzzed,
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])])
  }
}
