// SPDX-License-Identifier: Apache-2.0

import AmbientTesting
import Foundation
import TestSupport
import Testing

@testable import ambient_demo

@Suite(.isolatedAmbients) struct `Wiring lessons` {
  private static let sources = SwiftCompiler.folder.appending(path: "Sources/ambient-demo/Wiring")

  private static let byMail = ("sent by post: Welcome, Ada!", "kept by a test: Welcome, Ada!")

  /// The lines between the marks of the lesson's file, without `private`.
  private func compiled(_ lesson: Lesson) throws -> String {
    let file = "Lesson+" + lesson.name.split(separator: "-").map(\.capitalized).joined() + ".swift"
    let source = try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8)
    let regions = source.components(separatedBy: "// The lesson shows the lines below.\n")
      .dropFirst().map { region in
        let lines = region.components(separatedBy: "\n").prefix {
          !$0.hasSuffix("// The lesson ends here.")
        }
        let indent = lines.first?.prefix { $0 == " " }.count ?? 0
        return lines.map { String($0.dropFirst(indent)) }.joined(separator: "\n")
      }
    return regions.joined(separator: "\n").replacing(
      #/^private /#.anchorsMatchLineEndings(), with: "")
  }

  @Test(arguments: Lesson.all.map(\.name))
  func `a wiring lesson shows the code that it runs`(name: String) throws {
    let lesson = try #require(Lesson.all.first { $0.name == name })
    #expect(lesson.code == (try compiled(lesson)))
    let result = try lesson.run()
    #expect(result == (name == "mixin" ? ("Welcome, Ada!", "Willkommen, Ada!") : Self.byMail))
  }

  @Test(arguments: Lesson.all.map(\.name))
  func `a wiring lesson's output fits a screen of 80 by 24 cells`(name: String) throws {
    let lesson = try #require(Lesson.all.first { $0.name == name })
    let lines = try lesson.text(style: Style(isColored: false, width: 80)).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 24 && lines.allSatisfy { $0.count <= 80 })
  }

  @Test(arguments: 60...80)
  func `the runtime error in a wiring lesson is wrapped at the output width and indented`(
    width: Int
  )
    throws
  {
    for lesson in Lesson.all {
      guard case .runtimeError(_, let run) = lesson.mistake else { continue }
      let error = try #require(throws: (any Error).self) { try run() }
      let lines = "\(error)".wrapped(to: width - 2).map { "  \($0)\n" }.joined()
      let text = try lesson.text(style: Style(isColored: false, width: width))
      #expect(text.hasSuffix(" it throws:\n\(lines)"), "\(text)")
    }
  }

  @Test func `a wiring lesson's mistake throws the documented runtime error`() throws {
    var found: [String: String] = [:]
    for lesson in Lesson.all {
      guard case .runtimeError(let part, let run) = lesson.mistake else { continue }
      #expect(lesson.code.contains(part))
      let error = try #require(throws: (any Error).self) { try run() }
      found[lesson.name] = "\(error)"
    }
    #expect(found.keys.sorted() == ["locator", "property"])
    #expect(found["property"]?.contains("“mailer”") == true)
    #expect(found["locator"]?.contains("Mailer, requested ") == true)
  }

  @Test(.long, arguments: Lesson.all.map(\.name))
  func `a wiring lesson's mistake causes the compiler error that the lesson shows`(name: String)
    async throws
  {
    let lesson = try #require(Lesson.all.first { $0.name == name })
    let shared = try String(
      contentsOf: Self.sources.appending(path: "Lesson.swift"), encoding: .utf8)
    let mailers = try #require(shared.range(of: "protocol Mailer"))
    let program = """
      import Ambient
      import CheckoutWiring

      \(shared[mailers.lowerBound...])
      \(lesson.code)
      """
    switch lesson.mistake {
    case .runtimeError(let part, _):
      #expect(try await SwiftCompiler.errors(in: program, replacing: part, by: part).isEmpty)
      #expect(try await SwiftCompiler.errors(in: program, replacing: part, by: "").isEmpty)
    case .compilerError(let part, let other, let error):
      #expect(try await SwiftCompiler.errors(in: program, replacing: part, by: part).isEmpty)
      let errors = try await SwiftCompiler.errors(in: program, replacing: part, by: other)
      #expect(errors.contains(error), "\(errors)")
    }
  }
}
