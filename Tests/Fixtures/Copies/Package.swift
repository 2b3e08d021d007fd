// swift-tools-version: 6.2
import PackageDescription

// Programs that have Ambient in them twice: by themselves, and in a dynamic library that they link,
// or open while they run.
let package = Package(
  name: "Copies",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Ambient", path: "../../.."), .package(path: "../CopyLibrary"),
  ],
  targets: [
    .executableTarget(
      name: "Copies",
      dependencies: ["Ambient", .product(name: "CopyLibrary", package: "CopyLibrary")]),
    .executableTarget(name: "Opening", dependencies: ["Ambient"]),
    .executableTarget(
      name: "Clocks",
      dependencies: [
        "Ambient", .product(name: "AmbientTesting", package: "Ambient"),
        .product(name: "AmbientVirtualTime", package: "Ambient"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
