// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import AmbientSystem

/// The numbers of the schedules in which a body runs.
package struct ScheduleNumbers: Sendable {
  private let ranges: [ClosedRange<Int>]

  /// - Parameters:
  ///   - count: The number of schedules to search, from the first on; nil for none.
  ///   - pinned: The numbers to run before.
  /// - Throws: ``ScheduleError`` if a number is below one, or if a setting is malformed.
  package init(_ count: Int?, replaying pinned: [Int]) throws(ScheduleError) {
    try self.init(count, replaying: pinned) { name in
      Environment.isPrivileged ? nil : getenv(name).map { String(cString: $0) }
    }
  }

  init(
    _ count: Int?, replaying pinned: [Int], setting: (String) -> String?
  ) throws(ScheduleError) {
    if let count, count < 1 { throw ScheduleError(.noSchedules, "\(count)") }
    for number in pinned where number < 1 { throw ScheduleError(.noNumber, "\(number)") }
    if let text = setting("AMBIENT_SCHEDULE") {
      guard let number = Int(text), number > 0 else {
        throw ScheduleError(.invalidSetting, "AMBIENT_SCHEDULE is “\(text)”")
      }
      ranges = [number...number]
    } else if let text = setting("AMBIENT_SCHEDULES") {
      guard let range = Self.range(text) else {
        throw ScheduleError(.invalidSetting, "AMBIENT_SCHEDULES is “\(text)”")
      }
      ranges = pinned.map { $0...$0 } + [range]
    } else {
      ranges = pinned.map { $0...$0 } + [count].compactMap { $0.map { 1...$0 } }
    }
  }

  /// The range that a text such as `1000` or `1001...2000` denotes.
  private static func range(_ text: String) -> ClosedRange<Int>? {
    if let count = Int(text) { return count > 0 ? 1...count : nil }
    guard let dots = text.firstRange(of: "..."), let first = Int(text[..<dots.lowerBound]),
      let last = Int(text[dots.upperBound...]), 0 < first, first <= last
    else { return nil }
    return first...last
  }

  /// The numbers, in the order in which they run.
  var all: some Sequence<Int> { ranges.joined() }
}
