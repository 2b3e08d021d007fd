// swift-tools-version: 6.2
import PackageDescription

// The adapters of docs/adapters.md for swift-log, against a stand-in for its public API. A test of
// AmbientTests puts the page's code beside main.swift, then builds and runs it.
let package = Package(
  name: "Adapters",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Ambient", path: "../../..")],
  targets: [
    .target(name: "Logging"),
    .executableTarget(name: "Adapters", dependencies: ["Ambient", "Logging"]),
  ],
  swiftLanguageModes: [.v6]
)
