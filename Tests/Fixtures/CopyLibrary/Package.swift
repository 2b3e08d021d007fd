// swift-tools-version: 6.2
import PackageDescription

// Dynamic libraries that have Ambient in them, one with AmbientTesting, as the programs that link
// or open them have too.
let package = Package(
  name: "CopyLibrary",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "CopyLibrary", type: .dynamic, targets: ["CopyLibrary"]),
    .library(name: "ClockLibrary", type: .dynamic, targets: ["ClockLibrary"]),
  ],
  dependencies: [.package(name: "Ambient", path: "../../..")],
  targets: [
    .target(name: "CopyLibrary", dependencies: ["Ambient"]),
    .target(
      name: "ClockLibrary",
      dependencies: [
        "Ambient", .product(name: "AmbientTesting", package: "Ambient"),
        .product(name: "AmbientVirtualTime", package: "Ambient"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
