// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Programs that have, or import, types with the names of Ambient's types, or near them.
@Suite(.long, .withoutSanitizer) struct `Names shared with other packages` {
  /// The names that other packages export, too, as `docs/names.md` says.
  private static let shared: Set = ["Analytics", "Event", "EventQueue", "LogRecord"]

  @Test func `only four public types of Ambient share a name with types of other packages`()
    async throws
  {
    let others = try await StandIns()
    let aliases = try PublicType.all.map { "typealias _\($0.name) = \($0.name)\n" }
    let result = try await Compiler.check(others.imports + aliases.joined(), others.flags)
    let ambiguous = result.output.matches(
      of: /: error: '(\w+)' is ambiguous for type lookup in this context/)
    #expect(Set(ambiguous.map { String($0.output.1) }) == Self.shared, "\(result.output)")
    #expect(result.output.matches(of: #/: error: /#).count == ambiguous.count, "\(result.output)")
  }

  @Test func `a module prefix disambiguates every public type`()
    async throws
  {
    let others = try await StandIns()
    let aliases = try PublicType.all.map {
      "typealias \($0.name) = \($0.module).\($0.name)\n"
        + "typealias _\($0.name) = \($0.module)::\($0.name)\n"
    }
    let result = try await Compiler.check(others.imports + aliases.joined(), others.flags)
    #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
  }

  @Test(arguments: Compiler.modes)
  func `a program can define its own type with the name of any public type of Ambient`(
    mode: String
  ) async throws {
    let types = try PublicType.all.map {
      "struct \($0.name) { let own = 0 }\nfunc use(_ value: \($0.name)) -> Int { value.own }\n"
    }
    let result = try await Compiler.check(
      PublicType.imports + types.joined(), Compiler.flags(mode))
    #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
  }

  @Test(arguments: Compiler.modes)
  func `a program that uses Ambient compiles without a warning in each language mode`(
    mode: String
  ) async throws {
    let result = try await Compiler.check(file: "Client.swift", Compiler.flags(mode))
    #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
  }

  @Test(arguments: Compiler.modes)
  func `declaring a service mixin's property with a different type doesn't compile`(
    mode: String
  ) async throws {
    let result = try await Compiler.check(file: "Refused.swift", Compiler.flags(mode))
    let lines = try Compiler.lines("Refused.swift")
    let expected = lines.indices.filter { lines[$0].hasSuffix("// refused") }.map { $0 + 1 }
    let refused = result.output.matches(of: #/Refused[.]swift:([0-9]+):[0-9]+: error: /#)
    #expect(Set(refused.compactMap { Int($0.output.1) }) == Set(expected), "\(result.output)")
  }

  @Test(arguments: Compiler.modes)
  func `names.md quotes the compiler's errors for types that shadow Ambient's types`(
    mode: String
  ) async throws {
    let result = try await Compiler.check(file: "Hidden.swift", Compiler.flags(mode))
    let said = result.output.matches(of: #/Hidden[.]swift:([0-9]+):[0-9]+: error: (.*)/#)
      .map { "\($0.output.1): \($0.output.2)" }
    let lines = try Compiler.lines("Hidden.swift")
    let comments = lines.indices.dropFirst(2).filter {
      lines[$0].drop(while: { $0 == " " }).hasPrefix("// ")
    }
    let messages = comments.map { lines[$0].drop(while: { $0 == " " }).dropFirst(3) }
    #expect(
      Set(said) == Set(zip(comments, messages).map { "\($0 + 2): \($1)" }), "\(result.output)")

    let page = try String(
      contentsOf: SwiftCompiler.folder.appending(path: "docs/names.md"), encoding: .utf8)
    for message in messages {
      #expect(page.contains("`\(message.replacing("Screen.", with: ""))`"))
    }
  }
}

/// A public type that is not nested in another.
private struct PublicType {
  let module: String
  let name: String

  private static let modules = [
    "Ambient", "AmbientCollectors", "AmbientTesting", "AmbientVirtualTime",
  ]
  static let imports = modules.map { "import \($0)\n" }.joined()

  /// The types that `docs/api` lists.
  static var all: [PublicType] {
    get throws {
      try modules.flatMap { module in
        let page = SwiftCompiler.folder.appending(path: "docs/api/\(module).txt")
        return try String(contentsOf: page, encoding: .utf8)
          .matches(of: /(?m)^(\w+): .*\b(class|struct|enum|protocol) \1\b/)
          .map { PublicType(module: module, name: String($0.output.1)) }
      }
    }
  }
}

/// Modules with the names of other packages' modules, and of their public types that are near
/// Ambient's.
private struct StandIns {
  private let folder = TemporaryFolder()
  private let modules: [String]

  init() async throws {
    let sources = try FileManager.default.contentsOfDirectory(
      at: Compiler.folder.appending(path: "Modules"), includingPropertiesForKeys: nil)
    modules = sources.map { $0.deletingPathExtension().lastPathComponent }.sorted()
    for source in sources {
      let module = source.deletingPathExtension().lastPathComponent
      let result = try await Command.run(
        "swiftc", "-emit-module", "-parse-as-library", "-module-name", module, source.path, "-o",
        folder.path("\(module).swiftmodule"))
      try #require(result.status == 0, "\(result.output)")
    }
  }

  /// The imports of Ambient's modules and of these.
  var imports: String { PublicType.imports + modules.map { "import \($0)\n" }.joined() }

  /// The flags name each file, because snippets in the build have modules of the same names.
  var flags: [String] {
    modules.flatMap {
      ["-Xfrontend", "-swift-module-file=\($0)=\(folder.path("\($0).swiftmodule"))"]
    }
  }
}

/// The compiler in the modes of a client.
private enum Compiler {
  static let folder = SwiftCompiler.folder.appending(path: "Tests/Fixtures/Names")

  /// The modes in which a program may be compiled.
  static let modes = [
    "-swift-version 6", "-swift-version 6 -default-isolation MainActor", "-swift-version 5",
    "-swift-version 5 -default-isolation MainActor",
    "-swift-version 5 -strict-concurrency=complete",
  ]

  static func flags(_ mode: String) -> [String] {
    ["-warnings-as-errors", "-package-name", "shop"] + mode.split(separator: " ").map(String.init)
  }

  static func lines(_ file: String) throws -> [Substring] {
    try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  static func check(_ program: String, _ flags: [String]) async throws -> Command {
    let temporary = TemporaryFolder()
    try temporary.write(program, to: "Program.swift")
    return try await check(path: temporary.path("Program.swift"), flags)
  }

  static func check(file: String, _ flags: [String]) async throws -> Command {
    try await check(path: folder.appending(path: file).path, flags)
  }

  private static func check(path: String, _ flags: [String]) async throws -> Command {
    try await SwiftCompiler.check(
      file: path, features: [], findsRaces: true, flags: ["-parse-as-library"] + flags)
  }
}
