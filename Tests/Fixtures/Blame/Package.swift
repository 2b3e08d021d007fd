// swift-tools-version: 6.2
import PackageDescription

// A program that assigns late in each way that people write it, built for release: what is inlined
// or called last leaves no frame of its own. And the program of `Programs` that C calls back.
let package = Package(
  name: "Blame",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Ambient", path: "../../..")],
  targets: [
    .target(name: "Facade", dependencies: ["Ambient"]),
    .executableTarget(name: "Blame", dependencies: ["Ambient", "Facade"]),
    .target(name: "CLines"),
    .executableTarget(name: "Lines", dependencies: ["Ambient", "CLines"]),
  ],
  swiftLanguageModes: [.v6]
)
