// swift-tools-version: 6.2
import PackageDescription

// The least program that logs. `.ci/weight.sh` compares its size with a budget.
let package = Package(
  name: "Weight",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Ambient", path: "../../..")],
  targets: [.executableTarget(name: "OneLine", dependencies: ["Ambient"])],
  swiftLanguageModes: [.v6]
)
