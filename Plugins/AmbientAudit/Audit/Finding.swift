// SPDX-License-Identifier: Apache-2.0

/// A call that the audit reports, and its place in the source.
struct Finding: CustomStringConvertible {
  let escape: Escape
  /// The path of the source file within the package.
  let file: String
  let line: Int?
  /// The functions whose compiled code contains the call, by their names in the source. There may
  /// be several: the compiler copies a property's initial value into every initializer, and into
  /// the default argument of an initializer.
  let functions: [String]
  /// The library's function that makes the call, if the compiler copied it into the object.
  var copy: String?
  /// The effect of a test's options on the call; nil if there is none, or if the line has several.
  var option: ClockOption?

  var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    let deed = escape.kind.deed.map { " \($0) a scope of virtual time" } ?? ""
    let way = copy.map { ", by \($0)" } ?? ""
    let remark = option?.remark ?? ""
    return
      "\(place): \(escape.name) in \(functions[0])\(way)\(deed): use \(escape.instead)\(remark)"
  }

  /// Merges the findings of each call into one. Calls that escape the contexts come first, then
  /// calls that leave or block a scope, each group in the order of files and lines.
  static func merged(_ findings: [Finding]) -> [Finding] {
    let groups = Dictionary(grouping: findings) { [$0.file, "\($0.line ?? 0)", $0.escape.name] }
    let merged = groups.values.map { group in
      Finding(
        escape: group[0].escape, file: group[0].file, line: group[0].line,
        functions: Set(group.flatMap(\.functions)).sorted { ($0.count, $0) < ($1.count, $1) },
        copy: group.allSatisfy { $0.copy != nil } ? group[0].copy : nil,
        option: group.allSatisfy { $0.option == group[0].option } ? group[0].option : nil)
    }
    return merged.filter { finding in !merged.contains { $0.stands(for: finding) } }
      .sorted { $0.order < $1.order }
  }

  /// Whether this finding covers the other finding, so that the other one is left out.
  private func stands(for other: Finding) -> Bool {
    guard file == other.file, let line else { return false }
    // The compiler adds a check of the executor to a closure that runs on the main actor. So a line
    // that passes such a closure to a function refers to `MainActor` in addition to that function.
    if other.escape.name == "MainActor", line == other.line {
      return escape.name != other.escape.name
    }
    if line == other.line, Self.parts[escape.name, default: []].contains(other.escape.name) {
      return true
    }
    // The compiler makes a property's initial value a function without line numbers, and copies it
    // into each initializer, where it has line numbers. The finding with the line covers the other.
    let initialValue = "variable initialization expression of "
    guard other.line == nil, escape.name == other.escape.name,
      let function = other.functions.first(where: { $0.hasPrefix(initialValue) })
    else { return false }
    let type = function.dropFirst(initialValue.count).split(separator: ".").dropLast()
      .joined(separator: ".")
    return functions.contains { $0.contains("\(type).init(") }
  }

  /// The calls that are part of another call, by that call's name. On the same line, a part needs
  /// no finding of its own. Examples: the deadline `.now() + 5`, a work item, `URLSession.shared`.
  private static let parts: [String: Set<String>] = [
    "asyncAfter": ["DispatchTime.now()", "DispatchWallTime.now()", "DispatchWorkItem"],
    "DispatchSourceTimer.schedule": ["DispatchTime.now()", "DispatchWallTime.now()"],
    "DispatchQueue.async": ["DispatchWorkItem"],
    "DispatchQueue.sync": ["DispatchWorkItem"],
    "DispatchSemaphore.wait": ["DispatchTime.now()", "DispatchWallTime.now()"],
    "DispatchGroup.wait": ["DispatchTime.now()", "DispatchWallTime.now()"],
    "URLSession.data": ["URLSession"],
  ]

  private var order: (Int, String, Int, String) {
    (escape.kind.deed == nil ? 0 : 1, file, line ?? 0, escape.name)
  }
}
