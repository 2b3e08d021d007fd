internal import Ambient
internal import Foundation

/// Counts the changes that a collector makes to events, by rule, and reports each kind once: one
/// report for all fields of an event that break the same rule.
public final class Amendments: Sendable {
  private struct State {
    var counts: [String: Int] = [:]
    /// The kinds that were reported. `reports` counts the reports, because one report may cover
    /// several kinds.
    var told: Set<String> = []
    var reports = 0
    /// The latest findings, so that an event that is read again after a failed upload counts once.
    /// Each of the two sets has at most `mostKnown` findings; when `last` is full, it becomes
    /// `before`.
    var known: (last: Set<Finding>, before: Set<Finding>) = ([], [])

    /// Counts a problem; returns false if it was counted before.
    mutating func count(_ problem: EventProblem) -> Bool {
      let finding = Finding(problem)
      guard !known.last.contains(finding), !known.before.contains(finding) else { return false }
      if known.last.count >= Amendments.mostKnown { known = ([], known.last) }
      known.last.insert(finding)
      counts[problem.rule.id, default: 0] += 1
      return true
    }
  }

  /// Identifies a problem by the event's id and a hash of field and rule; hashed, since a field's
  /// name may be long.
  private struct Finding: Hashable {
    let event: UUID
    let place: Int

    init(_ problem: EventProblem) {
      event = problem.id
      var hasher = Hasher()
      hasher.combine(problem.field)
      hasher.combine(problem.rule)
      place = hasher.finalize()
    }
  }

  private let state = Guarded(State())
  private let name: String

  /// The maximum numbers of reports and of remembered kinds; further problems are only counted.
  private static var mostReports: Int { 32 }
  private static var mostTold: Int { 1_000 }
  /// The size of a set of known findings: more findings than one batch of a queue has.
  private static var mostKnown: Int { 10_000 }

  /// - Parameter name: The collector's name in reports.
  public init(_ name: String) { self.name = name }

  /// The number of changed fields and events, by the name of the rule.
  public var counts: [String: Int] { state.withLock { $0.counts } }

  /// Counts the problems of an event that is sent. Reports on the caller's thread, outside the
  /// lock.
  func note(_ problems: [EventProblem]) {
    guard !problems.isEmpty else { return }
    let counted = state.withLock { state in
      let counted = problems.filter { state.count($0) }
      return state.reports < Self.mostReports ? counted : []
    }
    var unknown = counted.filter { isNew($0.kind) }
    while let first = unknown.first {
      let others = unknown.dropFirst().filter { $0.rule == first.rule }
      unknown.removeAll { $0.rule == first.rule }
      let mayReport = state.withLock { state in
        defer { state.reports += 1 }
        return state.reports < Self.mostReports
      }
      guard mayReport else { return }
      Diagnostics.report(
        Diagnostic(
          .amended, source: name,
          "\(first.withoutValues)\(Self.shown(others)); further ones are counted"))
    }
  }

  /// The other fields that a report names.
  private static func shown(_ others: [EventProblem]) -> String {
    guard !others.isEmpty else { return "" }
    let fields = others.prefix(3).map(\.shownField).joined(separator: ", ")
    let rest = others.count > 3 ? " and \(others.count - 3) more" : ""
    return "; likewise \(fields)\(rest)"
  }

  /// Whether the kind was not reported yet; remembers the kind.
  private func isNew(_ kind: String) -> Bool {
    state.withLock { $0.told.count < Self.mostTold && $0.told.insert(kind).inserted }
  }
}
