// swift-tools-version: 6.2
import PackageDescription

/// Settings of all our targets: warnings are errors. The tools version implies Swift 6 language mode.
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
    // C libraries as modules; libcurl is loaded on first use.
    .target(name: "CCurl"),
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    // CRC-32C of log lines, with the processor's instruction.
    .target(name: "CChecksum"),

    // Values and pure functions: no I/O, no clock, no C.
    .target(name: "Core", swiftSettings: strict),

    // One module for each external interface; none imports another.
    .target(name: "FeedXML", dependencies: ["Core", "CLibXML2"], swiftSettings: strict),
    .target(name: "Fetch", dependencies: ["CCurl"], swiftSettings: strict),
    .target(name: "EventLog", dependencies: ["Core", "CChecksum"], swiftSettings: strict),
    .target(name: "Import", dependencies: ["Core", "CZlib"], swiftSettings: strict),

    // Requests and responses of the Data API; Fetch transfers them.
    .target(name: "YouTubeAPI", dependencies: ["Core"], swiftSettings: strict),

    // The program, which combines the modules.
    .executableTarget(
      name: "metube-rss",
      dependencies: [
        "Core", "FeedXML", "Fetch", "EventLog", "Import", "YouTubeAPI",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),

    // A server on loopback that replaces YouTube in the demo, the tests and the benchmarks; never installed.
    .target(name: "FixtureServer", swiftSettings: strict),
    .executableTarget(
      name: "fixture-server",
      dependencies: ["FixtureServer", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: strict),

    // Measures feed parsing, for comparison with C (Benchmarks/sax2-push.c); never installed.
    .executableTarget(name: "bench-parse", dependencies: ["Core", "FeedXML"], swiftSettings: strict),

    // Measures log reading; never installed.
    .executableTarget(name: "bench-log", dependencies: ["Core", "EventLog"], swiftSettings: strict),

    // Paths of the tests' files.
    .target(name: "TestFiles", path: "Tests/TestFiles", swiftSettings: strict),
    // The reference implementation of the views: the same results from separate, slow code.
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

// libFuzzer targets; the modules under test are built with coverage instrumentation: `make fuzz`.
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
