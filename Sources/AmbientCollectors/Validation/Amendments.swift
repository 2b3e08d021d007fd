internal import Ambient
internal import Foundation

/// Counts what a collector sends otherwise than it was tracked, by rule, and reports each kind
/// once: fields of one event that break the same rule in one report.
public final class Amendments: Sendable {
  private struct State {
    var counts: [String: Int] = [:]
    /// The kinds that were reported, and in how many reports.
    var told: Set<String> = []
    var reports = 0
    /// What was counted last, and before that: an event that is read once more counts once.
    var known: (last: Set<Finding>, before: Set<Finding>) = ([], [])

    /// Whether a problem is counted now; not if it was.
    mutating func count(_ problem: EventProblem) -> Bool {
      let finding = Finding(problem)
      guard !known.last.contains(finding), !known.before.contains(finding) else { return false }
      if known.last.count >= Amendments.mostKnown { known = ([], known.last) }
      known.last.insert(finding)
      counts[problem.rule.id, default: 0] += 1
      return true
    }
  }

  /// What tells a problem from the others of an event, in few bytes: a field's name may have many.
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

  /// Further reports than these are not made, and further kinds not remembered: they are counted.
  private static var mostReports: Int { 32 }
  private static var mostTold: Int { 1_000 }
  /// More than what is read of a queue at once has.
  private static var mostKnown: Int { 10_000 }

  /// - Parameter name: What reports call the collector.
  public init(_ name: String) { self.name = name }

  /// How many fields and events were changed, by the name of the rule.
  public var counts: [String: Int] { state.withLock { $0.counts } }

  /// Notes what was found in an event that is sent. Reports where it is called, outside the lock.
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
          "\(first)\(Self.shown(others)); further ones are counted"))
    }
  }

  /// The fields of problems that are reported with another.
  private static func shown(_ others: [EventProblem]) -> String {
    guard !others.isEmpty else { return "" }
    let fields = others.prefix(3).map(\.shownField).joined(separator: ", ")
    let rest = others.count > 3 ? " and \(others.count - 3) more" : ""
    return "; likewise \(fields)\(rest)"
  }

  /// Whether nobody was told of that kind, and may be now.
  private func isNew(_ kind: String) -> Bool {
    state.withLock { $0.told.count < Self.mostTold && $0.told.insert(kind).inserted }
  }
}
