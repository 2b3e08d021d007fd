/// A call that escapes the contexts, and where.
struct Finding: Comparable, CustomStringConvertible {
  let escape: Escape
  /// The path within the package.
  let file: String
  let line: Int?
  /// The function, as its source has it.
  let function: String

  var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    return "\(place): \(escape.name) in \(function): use \(escape.instead)"
  }

  private var order: (String, Int, String, String) { (file, line ?? 0, escape.name, function) }

  static func < (left: Finding, right: Finding) -> Bool { left.order < right.order }

  static func == (left: Finding, right: Finding) -> Bool { left.order == right.order }
}
