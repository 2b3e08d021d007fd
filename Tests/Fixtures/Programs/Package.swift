// swift-tools-version: 6.2
import PackageDescription

// Programs as users write them, which a test builds and runs: subclasses of the services, in an
// ordinary module and in one whose code is on the main actor by default; late assignments, in a
// synchronous and in an asynchronous main, and in a program without symbols; a bare task in a scope
// of virtual time; and callbacks from C that has no frame pointers; many late
// assignments before an early end; services that block their threads while they stop; one that
// tells what the environment decides; and one that defines a function of the C library itself.
let package = Package(
  name: "Programs",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Ambient", path: "../../..")],
  targets: [
    .executableTarget(name: "Plain", dependencies: ["Ambient"]),
    .executableTarget(
      name: "MainActorByDefault", dependencies: ["Ambient"],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
    .executableTarget(name: "Late", dependencies: ["Ambient"]),
    .executableTarget(name: "LateAsync", dependencies: ["Ambient"]),
    .executableTarget(
      name: "Bare",
      dependencies: ["Ambient", .product(name: "AmbientVirtualTime", package: "Ambient")]),
    .executableTarget(name: "Brief", dependencies: ["Ambient"]),
    .executableTarget(name: "Stuck", dependencies: ["Ambient"]),
    .executableTarget(name: "Told", dependencies: ["Ambient"]),
    .target(name: "CClock"),
    .executableTarget(
      name: "OwnClock",
      dependencies: [
        "Ambient", "CClock", .product(name: "AmbientTesting", package: "Ambient"),
        .product(name: "AmbientVirtualTime", package: "Ambient"),
      ]),
    .target(name: "CLines"),
    .executableTarget(name: "Lines", dependencies: ["Ambient", "CLines"]),
    .executableTarget(
      name: "Stripped", dependencies: ["Ambient"],
      linkerSettings: [.unsafeFlags(["-Xlinker", "-s"], .when(platforms: [.linux]))]),
  ],
  swiftLanguageModes: [.v6]
)
