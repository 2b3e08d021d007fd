// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// Counts the changes that a collector makes to events, by rule, and reports each kind of change
/// once. All fields of an event that break the same rule share one report.
package final class Amendments: Sendable {
  private struct State {
    var counts: [String: Int] = [:]
    /// The kinds of change that were reported. The number of reports, `reports`, may be lower than
    /// the number of kinds, because one report may cover several kinds.
    var told: Set<String> = []
    var reports = 0
    /// The latest findings. If an event is read again after a failed upload, its problems are among
    /// these findings, and are not counted again. Each of the two sets has at most `mostKnown`
    /// findings. When `last` is full, it becomes `before`, and a new `last` begins.
    var known: (last: Set<Finding>, before: Set<Finding>) = ([], [])

    /// Counts a problem and returns true, unless the problem is among the latest findings.
    mutating func count(_ problem: EventProblem) -> Bool {
      let finding = Finding(problem)
      guard !known.last.contains(finding), !known.before.contains(finding) else { return false }
      if known.last.count >= Amendments.mostKnown { known = ([], known.last) }
      known.last.insert(finding)
      counts[problem.rule.id, default: 0] += 1
      return true
    }
  }

  /// The identity of a problem: the id of the event, and a hash of the field and the rule. A hash
  /// is stored because the name of a field may be long.
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

  /// The maximum number of reports, and of kinds of change in `told`. When either maximum is
  /// reached, further problems are counted but not reported.
  private static var mostReports: Int { 32 }
  private static var mostTold: Int { 1_000 }
  /// The maximum number of findings in each set of `known`. A batch of 1,000 events, the default
  /// size, rarely has so many, so `known` usually holds all findings of a batch that is read again.
  private static var mostKnown: Int { 10_000 }

  /// Creates the counters of one collector.
  ///
  /// - Parameter name: The collector's name in reports.
  package init(_ name: String) { self.name = name }

  /// The number of changed fields and events, by the name of the rule.
  package var counts: [String: Int] { state.withLock { $0.counts } }

  /// Counts the problems of an event that is sent, and reports new kinds of problems. Reports are
  /// made on the caller's thread, without the lock.
  func note(_ problems: [EventProblem]) {
    guard !problems.isEmpty else { return }
    var unknown = state.withLock { state -> [EventProblem] in
      let counted = problems.filter { state.count($0) }
      guard state.reports < Self.mostReports else { return [] }
      return counted.filter { state.told.insert($0.kind, upTo: Self.mostTold) }
    }
    while let first = unknown.first {
      let others = unknown.dropFirst().filter { $0.rule == first.rule }
      unknown.removeAll { $0.rule == first.rule }
      let mayReport = state.withLock { state in
        defer { state.reports += 1 }
        return state.reports < Self.mostReports
      }
      guard mayReport else { return }
      Diagnostics.report(
        .amended, source: name,
        "\(first.withoutValues)\(Self.shown(others)); further such changes are only counted")
    }
  }

  /// Counts fields that a line lacks for the same reason, as `note(_:)` does.
  ///
  /// - Parameters:
  ///   - fields: The path of each field, and a description of its value.
  ///   - record: The line of the event in the queue. Its identity and name are read even if it is
  ///     not a readable event, for example because its year has five digits.
  func note(
    leftOut fields: [(field: String, found: String)], of record: [UInt8], _ rule: EventRule,
    needs demand: String, _ advice: String
  ) {
    guard !fields.isEmpty else { return }
    var members = JSONMemberReader(record[...])
    var (id, event) = (UUID(), "")
    while let member = members.next() {
      let text = String(decoding: member.value.dropFirst().dropLast(), as: UTF8.self)
      if member.name.elementsEqual("id".utf8) { id = UUID(uuidString: text) ?? id }
      if member.name.elementsEqual("event".utf8) { event = text }
    }
    note(
      fields.map { field, found in
        EventProblem(
          event: event, id: id, field: field, rule: rule, demand: demand, found: found,
          advice: advice, effect: .leftOut)
      })
  }

  /// Returns the end of a report about several fields: the paths of up to three further fields, and
  /// the number of the remaining fields.
  private static func shown(_ others: [EventProblem]) -> String {
    guard !others.isEmpty else { return "" }
    let fields = others.prefix(3).map(\.shownField).joined(separator: ", ")
    let rest = others.count > 3 ? " and \(others.count - 3) more" : ""
    return "; the same holds for \(fields)\(rest)"
  }
}
