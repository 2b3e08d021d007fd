// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Runs the real command on the package in `Tests/Fixtures/Audit`.
@Suite(.long, .withoutSanitizer) struct `Audit plugin` {
  private static let fixture = FixturePackage.folder("Audit")

  private func audit(_ package: URL, _ arguments: [String]) async throws -> Command {
    try await FixturePackage.swift(
      ["package"] + FixturePackage.options(package) + ["ambient-audit"] + arguments)
  }

  #if os(Linux)
    @Test
    func `ambient-audit reports exactly the calls that bypass Ambient, with their line numbers`()
      async throws
    {
      // Not strict: the line of the error would stand somewhere between the others.
      let all = try await audit(Self.fixture, [])
      #expect(all.status == 0, "\(all.output)")
      // While another test builds a fixture, SwiftPM first reports that it waits, without a newline.
      let found = all.output.replacing(
        /Another instance of SwiftPM [^\n]*execution\.\.\./, with: ""
      )
      .split(separator: "\n").filter { $0.hasPrefix("Sources/") }
      // `Sources/Escapes/Escapes.swift:8: Date() in dates(): use Time.now`
      let calls = found.map { $0.prefix(upTo: $0.range(of: " in ")?.lowerBound ?? $0.endIndex) }
      let expected = try [
        "Escapes/Escapes.swift", "Escapes/Places.swift", "Escapes/Waits.swift",
        "CEscapes/seconds.c", "Waiting/Waiting.swift", "Algorithms/Algorithms.swift",
        "Fixable/Fixable.swift", "Fixable/SystemTime.swift", "OwnTime/OwnTime.swift",
      ].flatMap(marked)
      let leaving = try ["Leaves/Leaves.swift", "Script/main.swift"].flatMap(marked)
      #expect(calls.map(String.init).sorted() == (expected + leaving).sorted(), "\(all.output)")
      #expect(
        all.output.contains("Leaves: no call escapes the ambient contexts; 28 places leave or"))
      #expect(
        all.output.contains(
          "Task.detached in leave() leaves a scope of virtual time: use scope.run { Time.background"
        ))
      #expect(
        all.output.contains(
          "DispatchSemaphore.wait in block(_:) blocks a scope of virtual time: use an AsyncStream"))
      #expect(
        all.output.contains("Script: no call escapes the ambient contexts; 2 places leave or"))
      #expect(all.output.contains(".ambient-audit:5: “NSLog Nowhere.*” "))
      #expect(
        found.contains(
          "Sources/Escapes/Escapes.swift:8: Date() in dates(): use Time.now, or date: true in tests"
        ))
      #expect(
        found.contains { $0.contains("by default argument 0 of TimeZone.abbreviation(for:): use") })
      #expect(found.contains("Sources/CEscapes/seconds.c:6: time in seconds: use Time.now"))
      func names(endingWith remark: String) -> [String] {
        let calls = found.filter { $0.hasSuffix(remark) }.compactMap {
          $0.firstMatch(of: #/:\d+: (.*?) in /#)?.1
        }
        return Set(calls.map(String.init)).sorted()
      }
      #expect(
        names(endingWith: ", or date: true in tests") == [
          "Calendar.isDateInToday", "Date()", "Date(timeIntervalSinceNow:)",
          "Date.RelativeFormatStyle", "Date.now", "Date.timeIntervalSinceNow",
          "Date.timeIntervalSinceReferenceDate", "DateInterval()",
          "nextDaylightSavingTimeTransition",
        ])
      #expect(
        names(endingWith: ", or systemClocks: true in tests") == [
          "ContinuousClock", "SuspendingClock", "Task.sleep(_:)", "Task.sleep(for:)",
          "Task.sleep(nanoseconds:)", "debounce(for:)",
        ])
      // Foundation's own class stays real.
      #expect(
        found.contains { $0.contains("Places.swift:27: ") && $0.hasSuffix(": use Time.now + …") })
      let misled = found.filter { $0.hasSuffix("with the real clock") }
      #expect(misled.count == 7, "\(misled)")
      #expect(
        names(endingWith: "with the real clock") == [
          "DispatchWallTime.now()", "NSCondition", "RunLoop.run", "Thread.sleep", "Timer.init",
        ])
      #expect(all.output.contains(", 3 are allowed"), "\(all.output)")
      #expect(all.output.contains("Held: no call escapes the ambient contexts\n"))

      let strict = try await audit(Self.fixture, ["--target", "CEscapes", "--strict"])
      #expect(strict.status == 1, "\(strict.output)")
      #expect(strict.output.contains("error: 1 call escapes"), "\(strict.output)")
      #expect(!strict.output.contains(".ambient-audit:5"), "\(strict.output)")
      let leaves = try await audit(Self.fixture, ["--target", "Leaves", "--strict"])
      #expect(leaves.status == 0, "\(leaves.output)")

      let held = try await audit(Self.fixture, ["--target", "Held", "--strict"])
      #expect(held.status == 0, "\(held.output)")
      #expect(!held.output.contains("Escapes"), "\(held.output)")

      let lenient = try await audit(Self.fixture, ["--target", "CEscapes"])
      #expect(lenient.status == 0, "\(lenient.output)")
      #expect(lenient.output.contains("1 call escapes"), "\(lenient.output)")

      let unknown = try await audit(Self.fixture, ["--target", "Nowhere"])
      #expect(unknown.status == 1)
      #expect(unknown.output.contains("“Nowhere”; "))
    }

    @Test(arguments: [
      ("UUID()  Sources/A.swift", 2, "“UUID()  Sources/A.swift”"),
      ("print  *  results\r\nuuid  *  a reason", 3, "“uuid”"), ("uuid  *  a reason", 2, "“uuid”"),
    ])
    func `ambient-audit fails if its allowlist has an invalid line, and names the line`(
      line: String, number: Int, culprit: String
    ) async throws {
      let folder = TemporaryFolder()
      let package = try copy(to: folder)
      try "# A list\n\(line)\n".write(
        to: package.appending(path: ".ambient-audit"), atomically: true, encoding: .utf8)
      let result = try await audit(package, ["--target", "Held"])
      #expect(result.status == 1)
      let complaint = result.output.split(separator: "\n").first {
        $0.contains(".ambient-audit:\(number): ")
      }
      #expect(complaint?.contains(culprit) == true, "\(result.output)")
    }
    @Test func `ambient-audit fails if a target does not compile`() async throws {
      let folder = TemporaryFolder()
      let package = try copy(to: folder)
      try "let number: Int = \"text\"".write(
        to: package.appending(path: "Sources/Held/More.swift"), atomically: true, encoding: .utf8)
      let result = try await audit(package, ["--target", "Held"])
      #expect(result.status == 1)
      #expect(result.output.contains("Held does not build"), "\(result.output)")
    }

    @Test func `ambient-audit-fix replaces fixable calls and reports the calls it can't replace`()
      async throws
    {
      let folder = TemporaryFolder()
      let package = try copy(to: folder)
      let before = try await fix(package, ["--target", "Fixable"])
      #expect(before.status == 1)
      #expect(before.output.contains("--allow-dirty"), "\(before.output)")

      try await git(package, "init", "--quiet")
      try await git(package, "add", ".")
      let uncommitted = try await fix(package, ["--target", "Fixable"])
      #expect(uncommitted.status == 1)
      #expect(uncommitted.output.contains("--allow-dirty"))
      try await git(
        package, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "a")

      let independent = try await fix(package, ["--target", "Fixable", "--target", "Escapes"])
      #expect(independent.status == 1)
      #expect(independent.output.contains(".product(name: \"Ambient\", package: \"Ambient\")"))
      #expect(try await git(package, "status", "--porcelain").output.isEmpty)

      let fixed = try await fix(package, ["--target", "Fixable", "--target", "OwnTime"])
      #expect(fixed.status == 0, "\(fixed.output)")
      #expect(fixed.output.contains("Fixable: 11 calls replaced\n"), "\(fixed.output)")
      #expect(fixed.output.contains("Fixable: 4 calls escape the ambient contexts\n"))
      for name in ["Fixable", "OwnTime"] {
        let file = package.appending(path: "Sources/\(name)/\(name).swift")
        let expected = package.appending(path: "Fixed/\(name).swift")
        #expect(
          try String(contentsOf: file, encoding: .utf8)
            == String(contentsOf: expected, encoding: .utf8))
      }
      let changed = try await git(package, "status", "--porcelain").output
      #expect(
        changed == " M Sources/Fixable/Fixable.swift\n M Sources/OwnTime/OwnTime.swift\n")

      let option = try await audit(package, ["--fix"])
      #expect(option.status == 1)
      #expect(option.output.contains("ambient-audit-fix"), "\(option.output)")
    }
  #else
    @Test func `on a system other than Linux, ambient-audit fails and prints the reason`()
      async throws
    {
      let result = try await audit(Self.fixture, [])
      #expect(result.status == 1)
      #expect(result.output.contains("only Linux"), "\(result.output)")
    }
  #endif

  private func fix(_ package: URL, _ arguments: [String]) async throws -> Command {
    try await FixturePackage.swift(
      ["package"] + FixturePackage.options(package)
        + ["--allow-writing-to-package-directory", "ambient-audit-fix"] + arguments)
  }

  @discardableResult
  private func git(_ package: URL, _ arguments: String...) async throws -> Command {
    try await Command.run(["git", "-C", package.path] + arguments)
  }

  private func copy(to folder: TemporaryFolder) throws -> URL {
    let package = folder.url.appending(path: "Audit")
    try FixturePackage.copy("Audit", to: package)
    return package
  }

  /// The calls that comments at the end of lines name, as `Sources/PATH:LINE: CALL`.
  private func marked(_ path: String) throws -> [String] {
    let text = try String(
      contentsOf: Self.fixture.appending(path: "Sources/\(path)"), encoding: .utf8)
    return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .compactMap { index, line in
        let parts = line.split(separator: "  // ")
        return parts.count == 2 ? "Sources/\(path):\(index + 1): \(parts[1])" : nil
      }
  }
}
