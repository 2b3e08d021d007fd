// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let settings: [SwiftSetting] = [
  "ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault",
  "NonisolatedNonsendingByDefault", "InferIsolatedConformances",
].map { .enableUpcomingFeature($0) }

// A package of its own, so that nobody who depends on Ambient sees it.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  // Named, because a path alone would name it after whatever folder it was cloned to.
  dependencies: [.package(name: "Ambient", path: "..")],
  targets: [
    .target(name: "CAllocations"),
    .target(name: "Steppers", swiftSettings: settings),
    .executableTarget(
      name: "ambient-bench",
      dependencies: [
        "CAllocations", "Steppers",
        .product(name: "Ambient", package: "Ambient"),
        .product(name: "AmbientCollectors", package: "Ambient"),
        .product(name: "AmbientVirtualTime", package: "Ambient"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
