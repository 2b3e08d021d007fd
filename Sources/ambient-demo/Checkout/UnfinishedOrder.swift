import Foundation

/// An order that was placed, and what could not be done after it.
struct UnfinishedOrder: Error, Hashable, Sendable, CustomStringConvertible {
  let id: UUID
  let reasons: [String]

  var description: String {
    "order \(id) is placed, so do not buy again; but \(reasons.joined(separator: "; and "))"
  }
}
