// swift-tools-version: 6.2
import PackageDescription

// A dynamic library that has Ambient in it, as every program that links it has too.
let package = Package(
  name: "CopyLibrary",
  platforms: [.macOS(.v15)],
  products: [.library(name: "CopyLibrary", type: .dynamic, targets: ["CopyLibrary"])],
  dependencies: [.package(name: "Ambient", path: "../../..")],
  targets: [.target(name: "CopyLibrary", dependencies: ["Ambient"])],
  swiftLanguageModes: [.v6]
)
