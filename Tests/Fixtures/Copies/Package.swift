// swift-tools-version: 6.2
import PackageDescription

// A program that has Ambient in it twice: by itself, and in a dynamic library that it links, or
// opens while it runs.
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
  ],
  swiftLanguageModes: [.v6]
)
