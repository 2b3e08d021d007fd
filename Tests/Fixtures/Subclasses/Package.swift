// swift-tools-version: 6.2
import PackageDescription

// What a program writes to subclass the services, in an ordinary module and in one whose code is on
// the main actor by default. A test of AmbientTests builds it.
let package = Package(
  name: "Subclasses",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Ambient", path: "../../..")],
  targets: [
    .executableTarget(name: "Plain", dependencies: ["Ambient"]),
    .executableTarget(
      name: "MainActorByDefault", dependencies: ["Ambient"],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
  ],
  swiftLanguageModes: [.v6]
)
