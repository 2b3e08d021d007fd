// SPDX-License-Identifier: Apache-2.0

/// A destination's rule for names. A name consists of ASCII letters, digits, underscores and the
/// characters in `marks`. It begins with a letter, is not reserved, and is not too long.
///
/// Length is counted in Unicode scalars. If the marks are ASCII, a name that fits is ASCII too, so
/// it has as many bytes as scalars.
package struct NameRule: Sendable {
  /// The kind of name, with an article, such as `an event name`, for reports.
  package let subject: String
  /// The maximum length in Unicode scalars.
  package let longest: Int
  /// Names that the destination reserves.
  package let reserved: Set<String>
  /// Prefixes that the destination reserves.
  package let prefixes: [String]
  /// Characters allowed besides letters, digits and underscores, such as `.`.
  package let marks: String

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - subject: The kind of name, with an article, such as `an event name`, for reports.
  ///   - longest: The maximum length in Unicode scalars.
  ///   - reserved: Names that the destination reserves.
  ///   - prefixes: Prefixes that the destination reserves.
  ///   - marks: Characters allowed besides letters, digits and underscores, such as `.`.
  package init(
    _ subject: String, longest: Int, reserved: Set<String> = [], prefixes: [String] = [],
    marks: String = ""
  ) {
    self.subject = subject
    self.longest = longest
    self.reserved = reserved
    self.prefixes = prefixes
    self.marks = marks
  }

  /// Returns the name, changed to fit the rule if necessary; nil for an empty name. Adds a problem
  /// to `inspection` if the name is changed or empty.
  ///
  /// - Parameters:
  ///   - name: The name as it was tracked.
  ///   - field: The path of the field that has this name, to be stated in the problem.
  ///   - inspection: The list of the event's problems, to which this function adds.
  package func settle(
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

  /// Whether the name obeys the rule without a change.
  func isFitting(_ name: String) -> Bool { !name.isEmpty && fitting(name) == name }

  private func fault(of name: String) -> (EventRule, demand: String, advice: String) {
    if isReserved(name) {
      return (.nameReserved, "\(subject) that is not reserved", "choose another name")
    }
    guard isWord(name) else {
      let pieces = marks.isEmpty ? "digits and underscores" : "digits, underscores and “\(marks)”"
      let demand = "\(subject) of letters, \(pieces), starting with a letter"
      return (.nameMalformed, demand, "rename it")
    }
    return (.nameTooLong, "\(subject) of at most \(longest) characters", "shorten it")
  }

  private func isReserved(_ name: String) -> Bool {
    reserved.contains(name) || prefixes.contains { name.hasPrefix($0) }
  }

  /// The nearest name that fits: `_` replaces a character that is not allowed; `x_` precedes a name
  /// that is reserved or does not begin with a letter; a name that is too long is cut.
  private func fitting(_ name: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars.prefix(longest) {
      scalars.append(isPart(scalar) ? scalar : "_")
    }
    var text = String(scalars)
    // The changed text is tested too, because it may be reserved although the name is not.
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
