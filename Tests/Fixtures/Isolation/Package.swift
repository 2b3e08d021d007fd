// swift-tools-version: 6.2
import PackageDescription

// The public asynchronous verbs, called by code of each kind, in each mode in which a program may be
// compiled. Each target has the same sources. Its program exits with 1 if a block ran on another
// executor than the compiler believes.
let modes: [String: [SwiftSetting]] = [
  "Plain": [.swiftLanguageMode(.v6)],
  "Nonsending": [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .define("NONSENDING"),
  ],
  "Main": [.swiftLanguageMode(.v6), .defaultIsolation(MainActor.self), .define("MAIN")],
  "MainNonsending": [
    .swiftLanguageMode(.v6), .defaultIsolation(MainActor.self), .define("MAIN"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"), .define("NONSENDING"),
  ],
  "Minimal": [.swiftLanguageMode(.v5)],
  "Complete": [.swiftLanguageMode(.v5), .enableExperimentalFeature("StrictConcurrency")],
]
let names = modes.keys.sorted()

let package = Package(
  name: "Isolation",
  platforms: [.macOS(.v15)],
  products: names.map { .executable(name: $0, targets: [$0]) },
  dependencies: [.package(name: "Ambient", path: "../../..")],
  targets: [.target(name: "CWhere")]
    + names.map {
      .executableTarget(
        name: $0,
        dependencies: [
          "Ambient", .product(name: "AmbientVirtualTime", package: "Ambient"), "CWhere",
        ],
        swiftSettings: modes[$0])
    }
    + names.map {
      .testTarget(
        name: "\($0)Tests",
        dependencies: ["CWhere", .product(name: "AmbientTesting", package: "Ambient")],
        swiftSettings: modes[$0])
    }
)
