/// How a destination wants names: letters, digits and underscores of ASCII, and perhaps some marks,
/// a letter first, none that it keeps for itself, and not too long.
///
/// Length is in Unicode scalars. After what is done to a name, it has as many bytes.
public struct NameRule: Sendable {
  /// What is named, with its article, as `an event name`.
  public let subject: String
  /// The most characters.
  public let longest: Int
  /// Names that the destination keeps for itself.
  public let reserved: Set<String>
  /// What no name may begin with.
  public let prefixes: [String]
  /// What a name may have beside letters, digits and underscores, as `.`.
  public let marks: String

  /// A rule.
  ///
  /// - Parameters:
  ///   - subject: What is named, with its article, as `an event name`.
  ///   - longest: The most characters.
  ///   - reserved: Names that the destination keeps for itself.
  ///   - prefixes: What no name may begin with.
  ///   - marks: What a name may have beside letters, digits and underscores, as `.`.
  public init(
    _ subject: String, longest: Int, reserved: Set<String> = [], prefixes: [String] = [],
    marks: String = ""
  ) {
    self.subject = subject
    self.longest = longest
    self.reserved = reserved
    self.prefixes = prefixes
    self.marks = marks
  }

  /// The name as it may be, which is noted if it is another; nil if there is none, which is noted.
  ///
  /// - Parameters:
  ///   - name: The name as it was tracked.
  ///   - field: The field of the name, as a problem names it.
  ///   - inspection: Where it is noted what is wrong with it.
  public func settle(
    _ name: String, at field: String, _ inspection: inout EventInspection
  ) -> String? {
    guard inspection.isNamed(name, at: field) else { return nil }
    let settled = fitting(name)
    guard settled != name else { return name }
    let (rule, demand, advice) = fault(of: name)
    inspection.note(
      rule, at: field, needs: demand, found: EventProblem.shown(name, quoted: true),
      .changed(to: settled), advice)
    return settled
  }

  /// Whether the name may be as it is.
  func isFitting(_ name: String) -> Bool { !name.isEmpty && fitting(name) == name }

  private func fault(of name: String) -> (EventRule, demand: String, advice: String) {
    if isReserved(name) {
      return (.nameReserved, "\(subject) that is not reserved", "choose another name")
    }
    guard isWord(name) else {
      let pieces = marks.isEmpty ? "digits and underscores" : "digits, underscores and “\(marks)”"
      return (.nameMalformed, "\(subject) of letters, \(pieces), a letter first", "rename it")
    }
    return (.nameTooLong, "\(subject) of at most \(longest) characters", "shorten it")
  }

  private func isReserved(_ name: String) -> Bool {
    reserved.contains(name) || prefixes.contains { name.hasPrefix($0) }
  }

  /// The nearest name that may be: `_` for what a name cannot have, `x_` before what is reserved.
  private func fitting(_ name: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars.prefix(longest) {
      scalars.append(isPart(scalar) ? scalar : "_")
    }
    var text = String(scalars)
    // Also what is reserved only after it was cut.
    if isReserved(name) || isReserved(text) || !(scalars.first.map(Self.isLetter) ?? false) {
      text = String("x_\(text)".prefix(longest))
    }
    return text
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }

  private func isPart(_ scalar: Unicode.Scalar) -> Bool {
    Self.isLetter(scalar) || ("0"..."9").contains(scalar) || scalar == "_"
      || marks.unicodeScalars.contains(scalar)
  }

  private func isWord(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, Self.isLetter(first) else { return false }
    return name.unicodeScalars.allSatisfy(isPart)
  }
}
