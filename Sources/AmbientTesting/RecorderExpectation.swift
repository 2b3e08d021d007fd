// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// The expectation of one element of a recorder: of a log record or of a tracked event.
protocol RecorderExpectation: Hashable, CustomStringConvertible {
  associatedtype Element

  /// The verb of the expectation, for error messages: `logged` or `tracked`.
  static var verb: String { get }
  var fields: ExpectedFields { get }

  static func fields(of element: Element) -> AmbientFields
  /// The element as a line of text for the error message.
  static func line(of element: Element) -> String

  /// Whether the element is as expected, apart from its fields.
  func isMet(by element: Element) -> Bool
  /// Returns a line for each part of the element, apart from its fields, that differs; none if
  /// `isMet(by:)` is true.
  func differences(from element: Element) -> [String]
}

extension RecorderExpectation {
  /// Checks that each expectation is met by a separate element, in any order.
  static func require(
    _ expectations: [Self], in elements: [Element]
  ) throws(UnmetExpectationError) {
    // The fields of each element are indexed once for all expectations.
    let found = elements.map { (element: $0, fields: IndexedFields(fields(of: $0).list)) }
    let matching = Matching(
      expectations.map { expectation in
        found.indices.filter {
          expectation.isMet(by: found[$0].element)
            && expectation.fields.areMet(by: found[$0].fields)
        }
      })
    guard !matching.unmatched.isEmpty else { return }
    // Each unmet expectation is reported once, even if `expectations` contains it several times.
    var told: Set<Self> = []
    let missing = matching.unmatched.compactMap { index -> UnmetExpectationError.Missing? in
      let expectation = expectations[index]
      guard told.insert(expectation).inserted else { return nil }
      let timesFound = matching.fits[index].count
      var best: (index: Int, differences: [String])?
      // Finds the element with the fewest differences; of several such elements, the latest.
      for index in found.indices where timesFound == 0 {
        let differences =
          expectation.differences(from: found[index].element)
          + expectation.fields.differences(from: found[index].fields)
        if let best, best.differences.count < differences.count { continue }
        best = (index, differences)
      }
      return UnmetExpectationError.Missing(
        expectation: expectation.description,
        timesExpected: expectations.count { $0 == expectation }, timesFound: timesFound,
        nearest: best.map { Shown.cut(line(of: elements[$0.index])) },
        differences: best?.differences ?? [])
    }
    throw UnmetExpectationError(
      verb: verb, missing: missing, lines: elements.map { Shown.cut(line(of: $0)) })
  }
}

/// Assigns a separate element to each expectation, with the method of augmenting paths: expectation
/// A gets the element of expectation B if B can be assigned to a different element.
private struct Matching {
  let fits: [[Int]]
  /// The index of the expectation to which each element is assigned, by the index of the element.
  private var owners: [Int: Int] = [:]
  private(set) var unmatched: [Int] = []

  init(_ fits: [[Int]]) {
    self.fits = fits
    for expectation in fits.indices {
      var tried: Set<Int> = []
      if !place(expectation, &tried) { unmatched.append(expectation) }
    }
  }

  private mutating func place(_ expectation: Int, _ tried: inout Set<Int>) -> Bool {
    if let free = fits[expectation].first(where: { owners[$0] == nil }) {
      owners[free] = expectation
      return true
    }
    for element in fits[expectation] where tried.insert(element).inserted {
      if let owner = owners[element], !place(owner, &tried) { continue }
      owners[element] = expectation
      return true
    }
    return false
  }
}
