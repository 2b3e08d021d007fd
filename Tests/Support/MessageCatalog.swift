// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation
package import Testing

/// The texts that people read, in `Tests/Fixtures/messages.txt`, so that a reviewer sees them as a
/// whole. Other tests compare codes and values. The texts of the audit are in its own fixtures.
///
/// A section of the file belongs to one test. Each text follows its title, indented by two spaces. `AMBIENT_MESSAGES=write` replaces the sections by the texts of the tests that run.
package enum MessageCatalog {
  private static let file = SwiftCompiler.folder.appending(path: "Tests/Fixtures/messages.txt")
  private static let writes = ProcessInfo.processInfo.environment["AMBIENT_MESSAGES"] == "write"
  /// The sections by name, read once.
  private static let sections = Guarded(read())

  /// Expects that the texts are those of the section.
  ///
  /// - Parameters:
  ///   - section: The name of the section, such as “Ambient, files”.
  ///   - texts: The texts by title, in the order of the file.
  package static func expect(
    _ section: String, _ texts: KeyValuePairs<String, String>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = texts.map { title, text in
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      return trimmed(([title] + lines.map { $0.isEmpty ? "" : "  \($0)" }).joined(separator: "\n"))
    }
    if writes {
      try sections.withLock { sections in
        sections[section] = found
        try write(sections)
      }
      return
    }
    let expected = sections.withLock { $0[section] ?? [] }
    for text in found where !expected.contains(text) {
      Issue.record("not in the section “\(section)”:\n\(text)", sourceLocation: sourceLocation)
    }
    for text in expected where !found.contains(text) {
      Issue.record("only in the section “\(section)”:\n\(text)", sourceLocation: sourceLocation)
    }
    if found != expected, Set(found) == Set(expected) {
      Issue.record("in another order in “\(section)”", sourceLocation: sourceLocation)
    }
  }

  /// The names of the sections in the file.
  package static var names: [String] { read().keys.sorted() }

  private static func read() -> [String: [String]] {
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [:] }
    var (sections, name): ([String: [String]], String?) = ([:], nil)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard !line.isEmpty else {
        if let name, let last = sections[name]?.popLast() { sections[name]?.append(last + "\n") }
        continue
      }
      if line.hasPrefix("# ") {
        name = String(line.dropFirst(2))
        name.map { sections[$0] = [] }
      } else if let name, line.hasPrefix("  "), let last = sections[name]?.popLast() {
        sections[name]?.append("\(last)\n\(line)")
      } else if let name {
        sections[name]?.append(String(line))
      }
    }
    return sections.mapValues { $0.map(trimmed) }
  }

  /// The text without empty lines at its end.
  private static func trimmed(_ text: String) -> String {
    String(text.reversed().drop { $0.isNewline }.reversed())
  }

  private static func write(_ sections: [String: [String]]) throws {
    let parts = sections.sorted { $0.key < $1.key }
      .map { "\n# \($0.key)\n\n\($0.value.joined(separator: "\n\n"))\n" }
    let head = "The texts that people read. AMBIENT_MESSAGES=write writes them again.\n"
    try Data((head + parts.joined()).utf8).write(to: file, options: .atomic)
  }
}
