// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The lines of a source file, and which of their characters are code.
struct SourceText {
  typealias Line = [Unicode.Scalar]

  private(set) var lines: [Line]
  /// The same lines with a blank in place of each character of a comment or a string literal,
  /// including interpolations.
  private(set) var code: [Line]

  init(_ url: URL) throws(AuditError) {
    do {
      self.init(try String(contentsOf: url, encoding: .utf8))
    } catch {
      throw .unreadable(url.path, "\(error)")
    }
  }

  init(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    lines = scalars.split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
    code = Self.code(scalars).split(separator: "\n", omittingEmptySubsequences: false)
      .map(Array.init)
  }

  var text: String {
    lines.map { String(String.UnicodeScalarView($0)) }.joined(separator: "\n")
  }

  /// Replaces the characters, which are code, by other code.
  mutating func replace(_ range: Range<Int>, ofLine index: Int, with instead: String) {
    lines[index].replaceSubrange(range, with: instead.unicodeScalars)
    code[index].replaceSubrange(range, with: instead.unicodeScalars)
  }

  /// Adds `import Ambient` unless there is one. Returns the index of the new line.
  mutating func importAmbient() -> Int? {
    let codeOfLines = code.map { String(String.UnicodeScalarView($0)) }
    if codeOfLines.contains(where: { $0.contains(#/\bimport\s+Ambient\s*$/#) }) { return nil }
    // The first code of a file is an import, or `#if` around one, unless the file has no import.
    let first = codeOfLines.firstIndex { $0.contains(#/\S/#) && !$0.hasPrefix("#!") } ?? 0
    let isImport = codeOfLines[first].contains(#/^(?:#if|@|(?:\w+ )?import)\b/#)
    let new = Array("import Ambient".unicodeScalars)
    lines.insert(contentsOf: isImport ? [new] : [new, []], at: first)
    code.insert(contentsOf: isImport ? [new] : [new, []], at: first)
    return first
  }

  // MARK: Lexing

  private static func code(_ text: Line) -> Line {
    var code = text
    var index = 0
    while index < text.count {
      let end = endOfComment(text, at: index) ?? endOfString(text, at: index)
      for blank in index..<(end ?? index) where text[blank] != "\n" { code[blank] = " " }
      index = end ?? index + 1
    }
    return code
  }

  private static func has(_ text: Line, _ piece: String, at index: Int) -> Bool {
    text[index...].starts(with: piece.unicodeScalars)
  }

  private static func endOfComment(_ text: Line, at start: Int) -> Int? {
    if has(text, "//", at: start) { return text[start...].firstIndex(of: "\n") ?? text.count }
    guard has(text, "/*", at: start) else { return nil }
    var (index, depth) = (start + 2, 1)
    while index < text.count, depth > 0 {
      let step = has(text, "/*", at: index) ? 1 : has(text, "*/", at: index) ? -1 : 0
      depth += step
      index += step == 0 ? 1 : 2
    }
    return index
  }

  /// The end of the string literal, or of the literal `#/…/#` of a regular expression.
  private static func endOfString(_ text: Line, at start: Int) -> Int? {
    let hashes = String(repeating: "#", count: text[start...].prefix { $0 == "#" }.count)
    var index = start + hashes.count
    guard index < text.count, text[index] == "\"" || (text[index] == "/" && !hashes.isEmpty) else {
      return nil
    }
    let quote = has(text, "\"\"\"", at: index) ? "\"\"\"" : String(text[index])
    index += quote.count
    while index < text.count {
      if has(text, quote + hashes, at: index) { return index + quote.count + hashes.count }
      if has(text, "\\" + hashes, at: index) {
        index += 1 + hashes.count
        index =
          index < text.count && text[index] == "(" ? endOfParentheses(text, at: index) : index + 1
      } else if text[index] == "\n", quote == "\"" {
        return index
      } else {
        index += 1
      }
    }
    return text.count
  }

  private static func endOfParentheses(_ text: Line, at start: Int) -> Int {
    var (index, depth) = (start, 0)
    while index < text.count {
      if let end = endOfComment(text, at: index) ?? endOfString(text, at: index) {
        index = end
        continue
      }
      depth += text[index] == "(" ? 1 : text[index] == ")" ? -1 : 0
      index += 1
      if depth == 0 { break }
    }
    return index
  }
}
