import Foundation
import Testing

@Suite struct `A subclass of a service` {
  private static let fixture = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/Subclasses").path

  @Test(arguments: ["Plain", "MainActorByDefault"])
  func `builds and runs as documented`(module: String) async throws {
    let scratch = try TemporaryFolder()
    let result = try await Command.run(
      "swift", "run", "--quiet", "--package-path", Self.fixture,
      "--scratch-path", scratch.url.path, "-Xswiftc", "-warnings-as-errors", module)
    #expect(result.status == 0, "\(result.output)")
    #expect(
      result.output.hasSuffix("ready!\nopened 2001-01-03T00:00:00.000Z\n"), "\(result.output)")
  }
}
