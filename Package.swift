// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let settings: [SwiftSetting] = [
  "ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault",
  "NonisolatedNonsendingByDefault", "InferIsolatedConformances",
].map { .enableUpcomingFeature($0) }

let package = Package(
  name: "Ambient",
  // Not watchOS, whose words have 32 bits (CPlatform.h).
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
  products: [
    .library(name: "Ambient", targets: ["Ambient"]),
    .library(name: "AmbientVirtualTime", targets: ["AmbientVirtualTime"]),
    .library(name: "AmbientCollectors", targets: ["AmbientCollectors"]),
    .library(name: "AmbientTesting", targets: ["AmbientTesting"]),
    // With the shop, since snippets may import only targets of products.
    .executable(name: "ambient-demo", targets: ["ambient-demo", "Checkout", "CheckoutWiring"]),
    .plugin(name: "AmbientAudit", targets: ["AmbientAudit", "AmbientAuditFix"]),
  ],
  targets: [
    .target(name: "CAmbient"),
    .target(name: "AmbientSystem", swiftSettings: settings),
    .target(
      name: "Ambient", dependencies: ["AmbientSystem", "CAmbient"], swiftSettings: settings),
    .target(name: "CVirtualTime", dependencies: ["CAmbient"]),
    .target(
      name: "AmbientVirtualTime", dependencies: ["Ambient", "AmbientSystem", "CVirtualTime"],
      swiftSettings: settings),
    // glibc before 2.34 has dlopen in a library of its own.
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(
      name: "AmbientCollectors", dependencies: ["Ambient", "CAmbient", "CCurl"],
      swiftSettings: settings),
    .target(name: "CAmbientTesting", dependencies: ["CVirtualTime"]),
    .target(
      name: "AmbientTesting",
      dependencies: [
        "Ambient", "AmbientSystem", "AmbientVirtualTime", "CAmbientTesting", "CVirtualTime",
      ],
      swiftSettings: settings),
    .target(name: "Checkout", dependencies: ["Ambient"], swiftSettings: settings),
    .systemLibrary(name: "CCrypt"),
    .target(
      name: "CheckoutWiring",
      dependencies: [
        "Ambient", "Checkout", .target(name: "CCrypt", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "ambient-demo",
      dependencies: ["Ambient", "AmbientCollectors", "Checkout", "CheckoutWiring"],
      swiftSettings: settings),
    .plugin(
      name: "AmbientAudit",
      capability: .command(
        intent: .custom(
          verb: "ambient-audit",
          description: "Lists what targets call that escapes the ambient contexts"))),
    .plugin(
      name: "AmbientAuditFix",
      capability: .command(
        intent: .custom(
          verb: "ambient-audit-fix",
          description: "Replaces the calls that escape, where a machine can replace them"),
        permissions: [
          .writeToPackageDirectory(reason: "It replaces calls in the sources of your targets.")
        ])),
    .target(
      name: "TestSupport", dependencies: ["Ambient"], path: "Tests/Support",
      swiftSettings: settings),
    .target(name: "CHooks", path: "Tests/CHooks"),
    .executableTarget(
      name: "LineWriter", dependencies: ["Ambient", "TestSupport"], path: "Tests/LineWriter",
      swiftSettings: settings),
    .executableTarget(
      name: "JournalWriter", dependencies: ["Ambient", "AmbientCollectors", "TestSupport"],
      path: "Tests/JournalWriter", swiftSettings: settings),
    .executableTarget(
      name: "Survivor", dependencies: ["Ambient", "AmbientCollectors", "TestSupport"],
      path: "Tests/Survivor", swiftSettings: settings),
    .testTarget(
      name: "AmbientTests",
      dependencies: [
        "Ambient", "AmbientTesting", "AmbientVirtualTime", "CAmbient", "CHostile",
        "LineWriter", "Survivor", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "AmbientVirtualTimeTests",
      dependencies: [
        "Ambient", "AmbientTesting", "AmbientVirtualTime", "CHooks", "CVirtualTime", "TestSupport",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "Fetcher", dependencies: ["Ambient", "AmbientCollectors"], path: "Tests/Fetcher",
      swiftSettings: settings),
    .target(name: "CHostile", dependencies: ["CCurl"], path: "Tests/CHostile"),
    .executableTarget(
      name: "EventTracker", dependencies: ["Ambient", "AmbientCollectors", "TestSupport"],
      path: "Tests/EventTracker", swiftSettings: settings),
    .testTarget(
      name: "AmbientCollectorsTests",
      dependencies: [
        "Ambient", "AmbientCollectors", "AmbientTesting", "AmbientVirtualTime", "CAmbient", "CCurl",
        "CHostile", "Checkout", "EventTracker", "Fetcher", "JournalWriter", "Survivor",
        "TestSupport",
      ],
      exclude: ["Fixtures"],
      // Its folder URLSession is a link to the library's.
      swiftSettings: settings + [.define("URLSESSION_ON_LINUX", .when(platforms: [.linux]))]),
    .testTarget(
      name: "AmbientTestingTests",
      dependencies: ["Ambient", "AmbientTesting", "AmbientVirtualTime"],
      swiftSettings: settings),
    .executableTarget(
      name: "ShopKeeper", dependencies: ["Ambient", "Checkout"], path: "Tests/ShopKeeper",
      swiftSettings: settings),
    .executableTarget(
      name: "BasketWriter", dependencies: ["Ambient", "Checkout", "TestSupport"],
      path: "Tests/BasketWriter", swiftSettings: settings),
    .testTarget(
      name: "CheckoutTests",
      dependencies: [
        "Ambient", "AmbientTesting", "BasketWriter", "Checkout", "ShopKeeper", "TestSupport",
      ],
      exclude: ["Vectors", "Fixtures"], swiftSettings: settings),
    .testTarget(
      name: "CheckoutWiringTests",
      dependencies: ["Ambient", "AmbientTesting", "Checkout", "CheckoutWiring", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "DemoTests",
      dependencies: [
        "Ambient", "AmbientCollectors", "AmbientTesting", "CheckoutWiring", "LineWriter",
        "ambient-demo", "TestSupport",
      ],
      exclude: ["Fixtures"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
