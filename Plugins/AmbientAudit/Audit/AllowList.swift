// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The calls that the audit accepts without a report, read from the file `.ambient-audit` in the
/// package's folder.
///
/// Each line gives a call, a place and a reason. The place is a file or a function, in which `*`
/// matches any characters. The call `*` stands for every call.
///
/// ```
/// clock_gettime  Sources/App/Clock.swift  the one place that reads the system's clock
/// print          *                        the program's results
/// ```
struct AllowList {
  static let fileName = ".ambient-audit"

  private struct Entry {
    let line: Int
    let call: String
    let place: String
    var isUsed = false
  }

  private var entries: [Entry] = []

  /// Reads the allowed calls from the file, if the file exists.
  init(package: URL) throws(AuditError) {
    let url = package.appending(path: Self.fileName)
    guard FileManager.default.fileExists(atPath: url.path) else { return }
    let text: String
    do {
      text = try String(contentsOf: url, encoding: .utf8)
    } catch {
      throw .unreadable(url.path, "\(error)")
    }
    // CR LF is one `Character`, so the pair ends one line and the line numbers stay right.
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.isEmpty || line.hasPrefix("#") { continue }
      let words = line.split(maxSplits: 2, whereSeparator: { $0 == " " || $0 == "\t" })
      guard words.count == 3 else { throw .noReason(line: index + 1, text: line) }
      let call = String(words[0])
      guard call == "*" || Escape.all.contains(where: { $0.name == call }) else {
        throw .unknownCall(line: index + 1, call: call)
      }
      entries.append(Entry(line: index + 1, call: call, place: String(words[1])))
    }
  }

  /// Whether an entry allows the finding. Marks every entry that allows it as used.
  mutating func allows(_ finding: Finding) -> Bool {
    var isAllowed = false
    for (index, entry) in entries.enumerated() {
      guard entry.call == "*" || entry.call == finding.escape.name,
        ([finding.file] + finding.functions).contains(where: { Self.matches(entry.place, $0) })
      else { continue }
      entries[index].isUsed = true
      isAllowed = true
    }
    return isAllowed
  }

  /// A message for each entry that allowed no finding.
  var unused: [String] {
    entries.filter { !$0.isUsed }.map {
      "\(Self.fileName):\($0.line): “\($0.call) \($0.place)” allows nothing any more: remove it"
    }
  }

  /// Whether the text matches the pattern, in which `*` matches any characters.
  private static func matches(_ pattern: String, _ text: String) -> Bool {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return pattern == text }
    guard text.hasPrefix(parts[0]) else { return false }
    var rest = text.dropFirst(parts[0].count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let range = rest.range(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(parts[parts.count - 1])
  }
}
