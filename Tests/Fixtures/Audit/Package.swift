// swift-tools-version: 6.2
import PackageDescription

// What the audit finds: a test of AmbientTests runs it here.
let package = Package(
  name: "Audit",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Ambient", path: "../../..")],
  targets: [
    .target(name: "Escapes", dependencies: ["CEscapes"]),
    .target(name: "CEscapes"),
    .target(name: "Held"),
    .executableTarget(name: "Script"),
    .target(name: "AsyncAlgorithms"),
    .target(name: "Algorithms", dependencies: ["AsyncAlgorithms"]),
    .target(name: "NIOCore"),
    .target(
      name: "Waiting",
      dependencies: [
        "AsyncAlgorithms", "NIOCore", .product(name: "Ambient", package: "Ambient"),
      ]),
    .target(name: "Fixable", dependencies: [.product(name: "Ambient", package: "Ambient")]),
    .target(name: "OwnTime", dependencies: [.product(name: "Ambient", package: "Ambient")]),
    .target(name: "Leaves", dependencies: [.product(name: "Ambient", package: "Ambient")]),
  ],
  swiftLanguageModes: [.v6]
)
