/// A call that escapes the contexts or leaves a scope, and where.
struct Finding: CustomStringConvertible {
  let escape: Escape
  /// The path within the package.
  let file: String
  let line: Int?
  /// The functions that the compiler made of it, as their source has them: that of the property's
  /// initial value is in every initializer, and in the default argument of one.
  let functions: [String]

  var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    let deed = escape.kind.deed.map { " \($0) a scope of virtual time" } ?? ""
    return "\(place): \(escape.name) in \(functions[0])\(deed): use \(escape.instead)"
  }

  /// One finding for each call, in the order of files and lines.
  static func merged(_ findings: [Finding]) -> [Finding] {
    let groups = Dictionary(grouping: findings) { [$0.file, "\($0.line ?? 0)", $0.escape.name] }
    let merged = groups.values.map { group in
      Finding(
        escape: group[0].escape, file: group[0].file, line: group[0].line,
        functions: Set(group.flatMap(\.functions)).sorted { ($0.count, $0) < ($1.count, $1) })
    }
    return merged.filter { finding in !merged.contains { $0.stands(for: finding) } }
      .sorted { $0.order < $1.order }
  }

  /// Whether this finding is of the same call as the other, and says more.
  private func stands(for other: Finding) -> Bool {
    guard file == other.file, let line else { return false }
    // A closure that is handed to something for the main actor checks where it is, on its line.
    if other.escape.name == "MainActor", line == other.line {
      return escape.name != other.escape.name
    }
    if line == other.line, Self.parts[escape.name, default: []].contains(other.escape.name) {
      return true
    }
    // An initial value is a function without a line, and repeated in each initializer, with it.
    let initialValue = "variable initialization expression of "
    guard other.line == nil, escape.name == other.escape.name,
      let function = other.functions.first(where: { $0.hasPrefix(initialValue) })
    else { return false }
    let type = function.dropFirst(initialValue.count).split(separator: ".").dropLast()
      .joined(separator: ".")
    return functions.contains { $0.contains("\(type).init(") }
  }

  /// What is a part of a call that is found for itself, on its line: the deadline `.now() + 5`, a
  /// work item, `URLSession.shared`.
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
