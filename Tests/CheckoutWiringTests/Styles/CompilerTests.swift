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
    try await Compiler.check(
      Self.package.appending(path: "Tests/Fixtures/Wiring/\(fixture).swift").path,
      with: "CheckoutWiring",
      words + ["-I", Self.package.appending(path: "Sources/CCrypt").path])
  }
}
