// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// The error of a recorder whose records or events do not meet all of a test's expectations.
public struct UnmetExpectationError: DescribedError, Hashable {
  /// An expectation to which no record or event could be assigned.
  package struct Missing: Hashable, Sendable {
    let expectation: String
    /// The number of elements that the test expects.
    let timesExpected: Int
    /// The number of elements that meet the expectation, including those that count for other
    /// expectations.
    let timesFound: Int
    /// The element with the fewest differences, as a line of text; nil if the recorder is empty, or
    /// if some elements meet the expectation.
    package let nearest: String?
    /// The differences between `nearest` and the expectation, one line each.
    package let differences: [String]
  }

  /// The verb for an element of the recorder: `logged` or `tracked`.
  private let verb: String
  /// The expectations to which no element could be assigned, each listed once.
  package let missing: [Missing]
  /// All elements of the recorder, as lines of text; long lines are cut.
  private let lines: [String]

  init(verb: String, missing: [Missing], lines: [String]) {
    self.verb = verb
    self.missing = missing
    self.lines = lines
  }

  /// The unmet expectations, each with its nearest record or event, followed by the last 20 records
  /// or events.
  ///
  /// A nearest record or event is listed with its first 20 differences. It is shown only for an
  /// expectation that no record or event meets. Long texts are cut.
  public var description: String {
    var text: [String] = []
    for one in missing {
      let fault = one.timesFound > 0 ? "\(verb) too rarely" : "not \(verb)"
      text.append("\(fault): \(one.expectation)")
      if let nearest = one.nearest {
        text.append("  nearest: \(nearest)")
        text += one.differences.prefix(Self.mostLines).map { "    \($0)" }
        let more = one.differences.count - Self.mostLines
        if more > 0 { text.append("    … and \(more) more") }
      } else if one.timesExpected > one.timesFound, one.timesFound > 0 {
        text.append(
          "  expected \(one.timesExpected.with("time")), \(verb) \(one.timesFound.with("time"))")
      } else if !lines.isEmpty {
        text.append(
          "  too few matches are left, because each match counts for only one expectation")
      }
    }
    return (text + shownLines).joined(separator: "\n")
  }

  private static var mostLines: Int { 20 }

  private var shownLines: [String] {
    guard !lines.isEmpty else { return ["nothing was \(verb)"] }
    let isCut = lines.count > Self.mostLines
    return ["\(verb), \(lines.count) in all\(isCut ? ", the last \(Self.mostLines)" : ""):"]
      + lines.suffix(Self.mostLines).map { "  \($0)" }
  }
}
