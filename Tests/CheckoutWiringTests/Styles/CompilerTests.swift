// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The page on choosing: its snippets are compiled, and so are their mistakes.
@Suite(.long, .withoutSanitizer) struct `Snippets of the docs page on choosing` {
  private let page: String
  private let snippets: String

  init() throws {
    func text(_ path: String) throws -> String {
      try String(contentsOf: SwiftCompiler.folder.appending(path: path), encoding: .utf8)
    }
    page = try text("docs/choosing.md")
    snippets = try text("Snippets/Choosing.swift")
  }

  @Test(arguments: [
    (
      "mailer: mailer)\n  }\n}\n\nlet root", ")\n  }\n}\n\nlet root",
      "missing argument for parameter 'mailer' in call"
    ),
    (
      "screen.inject(teams: root.teams)", "screen.inject()",
      "missing argument for parameter 'teams' in call"
    ),
    (
      "screen.inject(teams: root.teams)", "screen.teams = nil",
      "'teams' is inaccessible due to 'private' protection level"
    ),
    (
      "desk.promote(\"Ada\", in: MemoryRepository())", "desk.promote(\"Ada\")",
      "missing argument for parameter 'in' in call"
    ),
    (
      "  func makeMailer() -> any Mailer { PaperMail() }\n", "",
      "type 'ProgramFactory' does not conform to protocol 'TeamFactory'"
    ),
    (
      "  static let mailer = createMailer()\n", "",
      "type 'AppContext' does not conform to protocol 'MailerComponent'"
    ),
    (
      "enum AppContext: MemoryRepositoryComponent, PaperMailComponent",
      "enum AppContext: MemoryRepositoryComponent, MailerComponent",
      "cannot find 'createMailer' in scope"
    ),
    (
      """
      enum AppContext: MemoryRepositoryComponent, PaperMailComponent,
        StandardPromotionComponent, StandardTeamsComponent
      {
        static let repository = createRepository()
        static let mailer = createMailer()
      """,
      """
      enum AppContext: MemoryRepositoryComponent,
        StandardPromotionComponent, StandardTeamsComponent
      {
        static let repository = createRepository()
      """,
      """
      referencing static method 'createTeams()' on 'StandardTeamsComponent' requires that \
      'AppContext' conform to 'MailerComponent'
      """
    ),
    (
      "protocol Mailer: Sendable", "protocol Mailer",
      """
      static property 'mailer' is not concurrency-safe because non-'Sendable' type 'any Mailer' \
      may have shared mutable state
      """
    ),
    (
      "context.teams.buildTeam", "context.mailer.buildTeam",
      "value of type 'CakeContext' has no member 'mailer'"
    ),
    (
      "  let mailer: any Mailer = MixInMailer()", "  let maler: any Mailer = MixInMailer()",
      "type 'MixInTeams' does not conform to protocol 'UsesMailer'"
    ),
    (
      "  var texts: any Texts { Application.texts }\n", "",
      "type 'Sign' does not conform to protocol 'RequiresTexts'"
    ),
    (
      "expect(Sign().text(for: \"Ada\") == \"Welcome, Ada!\")", "_ = Doorkeeper().texts",
      "value of type 'Doorkeeper' has no member 'texts'"
    ),
    (
      "protocol RequiresLanguage {\n  var texts: any Texts { get }",
      """
      public protocol PublicTexts {}
      public protocol RequiresPublicTexts { var publicTexts: any PublicTexts { get } }
      extension RequiresPublicTexts { var publicTexts: any PublicTexts { fatalError() } }
      public struct Shown: RequiresPublicTexts {}
      protocol RequiresLanguage {
        var texts: any Texts { get }
      """,
      """
      property 'publicTexts' must be declared public because it matches a requirement in public \
      protocol 'RequiresPublicTexts'
      """
    ),
  ])
  func `choosing.md shows the compiler's real error for a mistake`(
    part: String, other: String, error: String
  ) async throws {
    let errors = try await SwiftCompiler.errors(in: snippets, replacing: part, by: other)
    #expect(errors.contains(error), "\(errors)")
    #expect(page.contains("`\(error)`"))
  }

  @Test func `the snippets of choosing.md compile without warnings`() async throws {
    let result = try await SwiftCompiler.check(snippets)
    #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
  }

  @Test func `the snippet program ChoosingMixinSteps exits with status 0`() async throws {
    #expect(try await Command.run([try Products.program("ChoosingMixinSteps").path]).status == 0)
  }

  @Test func `the snippet program ChoosingStyles exits with status 0`() async throws {
    #expect(try await Command.run([try Products.program("ChoosingStyles").path]).status == 0)
  }
}
