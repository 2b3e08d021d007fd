// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// The replacements of calls in the sources of a target that a machine can make.
///
/// A call is replaced only on a line on which the audit found it, and only if the line has it word
/// for word. Strings, comments and what a macro expands to never change, nor does a file that
/// declares a subclass of `Time`: such a class may have to ask the system.
struct Repair {
  private struct Replacement: Hashable {
    let file: URL
    let line: Int
    let call: String
    let isAlone: Bool
  }

  /// The text of a call and what replaces it, by the name that the audit gives to the call.
  private static let texts: [(call: String, text: String, instead: String)] = [
    ("Date()", "Foundation.Date()", "Time.now"),
    ("Date()", "Date()", "Time.now"),
    ("Date.now", "Foundation.Date.now", "Time.now"),
    ("Date.now", "Date.now", "Time.now"),
    ("Date.now", ".now", "Time.now"),
    ("Date(timeIntervalSinceNow:)", "Date(timeIntervalSinceNow: ", "Time.now.addingTimeInterval("),
    ("Date.timeIntervalSinceNow", ".timeIntervalSinceNow", ".timeIntervalSince(Time.now)"),
    ("Task.sleep(for:)", "Task.sleep(for:", "Time.sleep(for:"),
    ("Task.sleep(for:)", "Task<Never, Never>.sleep(for:", "Time.sleep(for:"),
    ("Task.sleep(nanoseconds:)", "Task.sleep(nanoseconds: ", "Time.sleep(for: .nanoseconds("),
    (
      "Task.sleep(nanoseconds:)", "Task<Never, Never>.sleep(nanoseconds: ",
      "Time.sleep(for: .nanoseconds("
    ),
    ("ContinuousClock", "ContinuousClock().now", "Time.clock().now"),
    ("ContinuousClock", "ContinuousClock.now", "Time.clock().now"),
    ("ContinuousClock", "ContinuousClock().sleep(for:", "Time.sleep(for:"),
    ("ContinuousClock", "ContinuousClock().measure", "Time.measure"),
  ]

  private var originals: [URL: SourceText] = [:]
  /// `Time`, or `Ambient.Time` if the target declares a type of that name.
  private let time: String
  private var replacements: Set<Replacement> = []
  private var written: Set<URL> = []
  /// The lines that were added for the import.
  private var imports: [URL: Int] = [:]

  init(
    _ findings: [Finding], of target: any SourceModuleTarget, in package: URL
  ) throws(AuditError) {
    let sources = target.sourceFiles.map(\.url).filter { $0.pathExtension == "swift" }
    let declaration = #/\b(?:actor|class|enum|protocol|struct|typealias) Time\b/#
    let declaresTime = sources.contains {
      (try? String(contentsOf: $0, encoding: .utf8))?.contains(declaration) ?? false
    }
    time = declaresTime ? "Ambient.Time" : "Time"
    for finding in findings where finding.copy == nil {
      let file = sources.first {
        [finding.file, package.appending(path: finding.file).path].contains($0.path)
      }
      guard let file, let line = finding.line else { continue }
      if originals[file] == nil { originals[file] = try SourceText(file) }
      guard var source = originals[file],
        !source.text.contains(#/\bclass \w+[^\n{]*:[^\n{]*\bTime\b/#)
      else { continue }
      // If the line has another call, `.now` may be that call.
      let isAlone = !findings.contains {
        $0.file == finding.file && $0.line == line && $0.escape.name != finding.escape.name
      }
      let replacement = Replacement(
        file: file, line: line - 1, call: finding.escape.name, isAlone: isAlone)
      if replace(replacement, in: &source) { replacements.insert(replacement) }
    }
  }

  var count: Int { replacements.count }
  var isEmpty: Bool { replacements.isEmpty }

  /// Writes the files with all replacements, and those without any as they were.
  mutating func write() throws(AuditError) {
    for file in written.union(replacements.map(\.file)) {
      guard var source = originals[file] else { continue }
      let own = replacements.filter { $0.file == file }
      for replacement in own { _ = replace(replacement, in: &source) }
      written.insert(file)
      imports[file] = own.isEmpty ? nil : source.importAmbient()
      do {
        try source.text.write(to: file, atomically: false, encoding: .utf8)
      } catch {
        throw .unwritable(file.path, "\(error)")
      }
    }
  }

  /// Takes back the replacements on the lines that a failed build complains about; if there is
  /// none, those in its files; if there is none either, all.
  mutating func takeBack(_ log: String) {
    var (files, lines): (Set<String>, Set<[String]>) = ([], [])
    for match in log.matches(of: #/(?m)^(\/.*\.swift):(\d+):\d+: error:/#) {
      let path = String(match.1)
      let line = (Int(match.2) ?? 0) - 1
      let isMoved = imports.contains { $0.key.path == path && $0.value < line }
      files.insert(path)
      lines.insert([path, "\(isMoved ? line - 1 : line)"])
    }
    var wrong = replacements.filter { lines.contains([$0.file.path, "\($0.line)"]) }
    if wrong.isEmpty { wrong = replacements.filter { files.contains($0.file.path) } }
    replacements = wrong.isEmpty ? [] : replacements.subtracting(wrong)
  }

  /// Replaces the call wherever the line has it. Returns whether the line has it.
  private func replace(_ replacement: Replacement, in source: inout SourceText) -> Bool {
    let index = replacement.line
    guard source.code.indices.contains(index) else { return false }
    var isFound = false
    for (call, text, instead) in Self.texts where call == replacement.call {
      let places = Self.places(of: text, in: source.code[index])
      // Without the type, the one `.now` of a line is certain only if nothing else is on the line.
      if text == ".now", isFound || !replacement.isAlone || places.count != 1 { continue }
      for place in places.reversed() {
        let end = place + text.unicodeScalars.count
        if instead.hasSuffix(": .nanoseconds(") {
          guard let close = Self.close(source.code[index], from: end) else { continue }
          source.replace(close..<close, ofLine: index, with: ")")
        }
        source.replace(
          place..<end, ofLine: index, with: instead.replacing("Time.", with: "\(time)."))
        isFound = true
      }
    }
    return isFound
  }

  /// The places at which the line has the text as words of their own.
  private static func places(of text: String, in code: SourceText.Line) -> [Int] {
    let text = Array(text.unicodeScalars)
    return code.indices.filter { place in
      guard code[place...].starts(with: text) else { return false }
      let end = place + text.count
      let next = end < code.count ? code[end] : " "
      if isName(text[text.count - 1]), isName(next) || next == "(" { return false }
      let before = code[..<place]
      guard let last = before.last else { return true }
      guard text[0] == "." else { return !isName(last) && last != "." }
      // A member of something, but not a part of a key path; or an implicit member.
      let path = before.reversed().prefix { isName($0) || $0 == "." }
      if before.dropLast(path.count).last == "\\" { return false }
      return text == Array(".now".unicodeScalars)
        ? path.isEmpty && !")]}?!>".unicodeScalars.contains(last) : true
    }
  }

  /// The place of the parenthesis that closes the one before the index.
  private static func close(_ code: SourceText.Line, from start: Int) -> Int? {
    guard start < code.count, code[start] != "." else { return nil }
    var depth = 1
    return code[start...].indices.first { index in
      depth += code[index] == "(" ? 1 : code[index] == ")" ? -1 : 0
      return depth == 0
    }
  }

  private static func isName(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar == "`" || scalar.properties.isAlphabetic
      || scalar.properties.numericType != nil
  }
}
