import Foundation
import TestSupport
import Testing

/// Checks the types of the fixtures against the modules that the tests were built with.
@Suite(.builds) struct `The compiler` {
  private static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test(arguments: [
    ("InitializerInjection", "5:28", "missing argument for parameter 'customers' in call"),
    ("ForeignDefault", "6:21", "missing argument for parameter 'repository' in call"),
    ("PropertySetter", "7:39", "missing argument for parameter 'rewards' in call"),
    ("MethodInjection", "6:33", "missing argument for parameter 'to' in call"),
    ("Factories", "3:8", "type 'BranchFactory' does not conform to protocol 'ShopFactory'"),
    ("CakeProperty", "3:6", "type 'Whole' does not conform to protocol 'CustomersComponent'"),
    ("CakeBase", "10:27", "cannot find 'createRepository' in scope"),
    (
      "CakeNeed", "13:26",
      """
      referencing static method 'createCustomers()' on 'StandardCustomersComponent' requires that \
      'Whole' conform to 'RepositoryComponent'
      """
    ),
    ("CakePrivate", "5:53", "cannot find 'StaticRepository' in scope"),
    ("CakeValue", "5:17", "value of type 'Context' has no member 'repository'"),
    (
      "MinimalCake", "3:8",
      "type 'RewardsServiceForTest' does not conform to protocol 'UsesCustomerService'"
    ),
    (
      "DependencyMixins", "3:8",
      "type 'Register' does not conform to protocol 'RequiresCustomerRepository'"
    ),
    (
      "NestedDependencies", "13:18",
      "value of type 'Doorkeeper' has no member 'customerRepository'"
    ),
    (
      "LocatorWeak", "11:21",
      """
      instance method 'register(_:weak:as:fileID:line:)' requires that 'Value' be a class type
      """
    ),
  ])
  func `refuses a wrong wiring, and says why, as the page does`(
    fixture: String, place: String, error: String
  ) async throws {
    let right = try await check(fixture)
    #expect(right.status == 0 && right.output.isEmpty, "\(right.output)")
    let wrong = try await check(fixture, "-D", "WRONG")
    #expect(wrong.status != 0)
    let errors = wrong.output.split(separator: "\n").filter { $0.contains(": error: ") }
    #expect(
      errors.contains { $0.hasSuffix("\(fixture).swift:\(place): error: \(error)") },
      "\(wrong.output)")
    let page = try String(
      contentsOf: Self.package.appending(path: "docs/choosing.md"), encoding: .utf8)
    #expect(page.contains("`\(error)`"))
  }

  @Test(arguments: ["PropertyInjection", "Locator"])
  func `does not see the wrong wiring of some styles`(fixture: String) async throws {
    for words in [[], ["-D", "WRONG"]] {
      let result = try await check(fixture, words)
      #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
    }
  }

  private func check(_ fixture: String, _ words: String...) async throws -> Command {
    try await check(fixture, words)
  }

  private func check(_ fixture: String, _ words: [String]) async throws -> Command {
    let built = try Self.buildFolder
    let sources = Self.package.appending(path: "Sources")
    // The modules of C that ours use: with a map of their own, or with one that was generated.
    let maps = try FileManager.default.contentsOfDirectory(
      at: built, includingPropertiesForKeys: nil
    ).map { $0.appending(path: "module.modulemap") }
      .filter { FileManager.default.fileExists(atPath: $0.path) }
    return try await Command.run(
      [
        "swiftc", "-typecheck", "-swift-version", "6", "-enable-upcoming-feature", "ExistentialAny",
        "-I", built.appending(path: "Modules").path,
        "-I", sources.appending(path: "CCrypt").path,
      ] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] } + words + [
        Self.package.appending(path: "Tests/Fixtures/Wiring/\(fixture).swift").path
      ])
  }

  /// Where the tests were built.
  private static var buildFolder: URL {
    get throws {
      let bundles = Bundle.allBundles.filter { $0.bundleURL.pathExtension == "xctest" }
      let places = bundles.map(\.bundleURL) + [Bundle.main.executableURL].compactMap(\.self)
      let folders = places.map { $0.deletingLastPathComponent() }
      return try #require(
        folders.first {
          FileManager.default.fileExists(
            atPath: $0.appending(path: "Modules/CheckoutWiring.swiftmodule").path)
        }, "no modules in \(folders.map(\.path))")
    }
  }
}
