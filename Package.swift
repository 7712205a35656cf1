// swift-tools-version: 6.2
import PackageDescription

/// Every target of our own: Swift 6 language mode comes with the tools version, and a warning is an error.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error), .enableUpcomingFeature("MemberImportVisibility")]

let package = Package(
  name: "metube-rss",
  products: [
    .executable(name: "metube-rss", targets: ["metube-rss"]),
    .executable(name: "fixture-server", targets: ["fixture-server"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    // The C libraries as modules; libcurl is loaded when it is first needed.
    .target(name: "CCurl"),
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    // The checksum of the log's lines, by the processor's instruction.
    .target(name: "CChecksum"),

    // Values and pure functions: no I/O, no clock, no C.
    .target(name: "Core", swiftSettings: strict),

    // One module for each outside thing; none imports another.
    .target(name: "FeedXML", dependencies: ["Core", "CLibXML2"], swiftSettings: strict),
    .target(name: "Fetch", dependencies: ["CCurl"], swiftSettings: strict),
    .target(name: "EventLog", dependencies: ["Core", "CChecksum"], swiftSettings: strict),
    .target(name: "Import", dependencies: ["Core", "CZlib"], swiftSettings: strict),

    // Questions and answers of the Data API; Fetch carries them.
    .target(name: "YouTubeAPI", dependencies: ["Core"], swiftSettings: strict),

    // The program, where they meet.
    .executableTarget(
      name: "metube-rss",
      dependencies: [
        "Core", "FeedXML", "Fetch", "EventLog", "Import", "YouTubeAPI",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),

    // YouTube's stand-in on loopback, for the demo, the tests and the benchmarks; never installed.
    .target(name: "FixtureServer", swiftSettings: strict),
    .executableTarget(
      name: "fixture-server",
      dependencies: ["FixtureServer", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: strict),

    // How long a feed takes to parse, beside C (Benchmarks/sax2-push.c); never installed.
    .executableTarget(name: "bench-parse", dependencies: ["Core", "FeedXML"], swiftSettings: strict),

    // How long a log takes to read; never installed.
    .executableTarget(name: "bench-log", dependencies: ["Core", "EventLog"], swiftSettings: strict),

    // Where the tests find their files.
    .target(name: "TestFiles", path: "Tests/TestFiles", swiftSettings: strict),
    // What views are checked against: the same answers, found slowly by code of its own.
    .target(name: "SlowCheck", dependencies: ["Core"], path: "Tests/SlowCheck", swiftSettings: strict),

    .testTarget(name: "CoreTests", dependencies: ["Core", "FeedXML", "Import", "TestFiles"], swiftSettings: strict),
    .testTarget(name: "FeedXMLTests", dependencies: ["FeedXML", "Core", "TestFiles"], swiftSettings: strict),
    .testTarget(name: "FetchTests", dependencies: ["Fetch", "FixtureServer"], swiftSettings: strict),
    .testTarget(name: "EventLogTests", dependencies: ["EventLog", "Core", "SlowCheck"], swiftSettings: strict),
    .testTarget(name: "ImportTests", dependencies: ["Import", "FeedXML", "Core", "TestFiles"], swiftSettings: strict),
    .testTarget(name: "YouTubeAPITests", dependencies: ["YouTubeAPI", "Core"], swiftSettings: strict),
    .testTarget(name: "FixtureServerTests", dependencies: ["FixtureServer", "Core"], swiftSettings: strict),
    .testTarget(
      name: "ProgramTests",
      dependencies: ["metube-rss", "FixtureServer", "Core", "EventLog", "SlowCheck", "TestFiles"],
      swiftSettings: strict),
  ]
)

// Targets for libFuzzer, with all that they look into made so that it tells which ways were gone: `make fuzz`.
if Context.environment["FUZZ"] == "1" {
  let told = ["-O", "-sanitize=fuzzer,address", "-sanitize-coverage=edge,inline-8bit-counters,pc-table"]
  for target in package.targets where ["Core", "EventLog", "FeedXML"].contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(told))
  }
  let fuzzed: [SwiftSetting] = strict + [.unsafeFlags(told + ["-parse-as-library"])]
  package.targets += [("fuzz-log", "Fuzz/Log"), ("fuzz-feed", "Fuzz/Feed")].map { name, path in
    .executableTarget(
      name: name, dependencies: ["Core", "EventLog", "FeedXML"], path: path, swiftSettings: fuzzed,
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])])
  }
}
