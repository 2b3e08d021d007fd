// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// The report of a schedule in which a body has failed: its number, and a table with a column for
/// each task, and a row for each stretch in which one task ran.
package struct ScheduleReport: Sendable, CustomStringConvertible {
  /// The number of the schedule.
  let number: Int
  /// The number of schedules that ran before, and passed.
  private let passed: Int
  private let record: ScheduleRecord?
  /// Whether no fewer switches lead to a failure.
  private let isLeast: Bool

  init(_ number: Int, passed: Int, _ trace: ScheduleTrace, isLeast: Bool) {
    self.number = number
    self.passed = passed
    self.isLeast = isLeast
    record = trace.record
  }

  /// The number of times that a task was interrupted although it could have continued.
  var switches: Int { record?.switches ?? 0 }

  package var description: String {
    """
    fails in schedule \(number)\(before). To repeat it, set AMBIENT_SCHEDULE=\(number), or pass \
    replaying: [\(number)]. \(summary):
    \(table.joined(separator: "\n"))
    """
  }

  private var before: String {
    switch passed {
    case 0: ""
    case 1: ", after one that passed"
    default: ", after \(passed) that passed"
    }
  }

  private var summary: String {
    let run = isLeast ? "The shrunk run" : "The run, which could not be shrunk completely,"
    switch switches {
    case 0:
      return
        "\(run) interrupts no task; the tasks only start or resume in another order than at first"
    case 1: return "\(run) interrupts a task once (→)"
    default: return "\(run) interrupts tasks \(switches) times (→)"
    }
  }

  private static var mostRows: Int { 100 }
  /// With more tasks, a row has the letter of its task instead of a mark in a column.
  private static var mostColumns: Int { 26 }

  private var table: [String] {
    guard let record else { return [] }
    let stretches = record.stretches
    let names = PlaceNames(stretches)
    let columns = Set(stretches.suffix(Self.mostRows).map(\.task)).sorted()
    let letters = columns.indices.map(Self.letter)
    let width = String(stretches.count).count
    let margin = String(repeating: " ", count: width + 4)
    let isNarrow = columns.count <= Self.mostColumns
    var lines = isNarrow ? [margin + letters.joined(separator: " ")] : []
    if stretches.count > Self.mostRows {
      lines.append("  … \((stretches.count - Self.mostRows).with("earlier row"))")
    }
    for (row, stretch) in stretches.enumerated().suffix(Self.mostRows) {
      let number = String(row + 1)
      let space = String(repeating: " ", count: width + 2 - number.count)
      let marks = zip(columns, letters).compactMap { task, letter in
        if !isNarrow { return task == stretch.task ? letter : nil }
        return String(repeating: " ", count: letter.count - 1) + (task == stretch.task ? "●" : "·")
      }
      let line = "\(space)\(number)\(stretch.isSwitch ? "→" : " ") \(marks.joined(separator: " "))"
      let text = names.text(of: stretch)
      lines.append(text.isEmpty ? line : "\(line)  \(text)")
    }
    return lines
      + zip(columns, letters).map { task, letter in
        var text = "  \(letter): "
        if task == 0 { return text + "jobs of tasks that the scope does not know" }
        let member = record.members[Int(task)]
        text += member.name ?? names.function(of: task, in: stretches) ?? "a task"
        let parent = columns.firstIndex(of: member.parent)
        return member.parent == 0
          ? text : text + ", started by \(parent.map { letters[$0] } ?? "a task")"
      }
  }

  /// A column's letter: A to Z, then AA, AB and so on.
  private static func letter(_ column: Int) -> String {
    let last = String(UnicodeScalar(UInt8(65 + column % 26)))
    return column < 26 ? last : letter(column / 26 - 1) + last
  }

  /// The report of a failure that did not come again in the same way.
  static func notRepeatable(
    _ number: Int, _ found: ScheduleTrace, _ again: ScheduleTrace, _ isFailure: Bool
  ) -> String {
    let (before, after) = (found.sequence, again.sequence)
    let same = zip(before, after).prefix { $0 == $1 }.count
    let difference =
      before == after
      ? "its tasks ran in the same order, and it passed"
      : same == min(before.count, after.count)
        ? "it ran \(after.count.with("job")) instead of \(before.count)"
        : """
        from job \(same + 1) of \(before.count) on, its tasks ran in another order \
        (\(isFailure ? "it failed again" : "it passed"))
        """
    return """
      schedule \(number) is not repeatable: it failed, but when it ran again, \(difference). \(causes)
      """
  }

  /// The usual causes of a failure that does not come again.
  package static var causes: String {
    """
    Usual causes: state that an earlier run left outside the body, a real clock, a loop over a set \
    or a dictionary (set SWIFT_DETERMINISTIC_HASHING=1), the system's random numbers (use \
    AmbientRandomNumberGenerator), or work outside the scope without Time.hold
    """
  }

  /// The report of a schedule that has stalled.
  static func stalled(_ number: Int) -> String {
    "schedule \(number) stalled, so the search ended; to repeat it, set AMBIENT_SCHEDULE=\(number)"
  }

  /// The report of schedules that were given up.
  static func cutOff(_ numbers: [Int], of searched: Int, _ mostJobs: UInt64) -> String {
    let list = numbers.map(String.init).joined(separator: ", ")
    return """
      abandoned \(numbers.count) of \(searched.with("schedule")) (\(list)), each after \(mostJobs) \
      jobs (the limit is 100 times the jobs of the first run, or 100000 if that is more), because a \
      task yields in a loop until another makes progress. Let it await the other task; \
      AMBIENT_SCHEDULE=\(numbers[0]) repeats the first
      """
  }
}

/// The names of the places at which tasks resume, with file and line where these are known.
private struct PlaceNames {
  private let names: CallerTrace.Names
  /// Whether a file and a line are known for some place. Functions without them are then those of
  /// the system, or thunks.
  private let haveLines: Bool

  init(_ stretches: [ScheduleRecord.Stretch]) {
    // A reader finds the place by the innermost functions, and the task by the outermost one.
    let traces = stretches.flatMap(\.places).flatMap { [$0, $0.reversed()] }.map { CallerTrace($0) }
    let names = CallerTrace.Names(of: traces)
    self.names = names
    haveLines = traces.contains { names.nearest($0).contains { $0.contains(", in ") } }
  }

  /// The places of a stretch, each with its caller. Successive places in one function are named
  /// together.
  func text(of stretch: ScheduleRecord.Stretch) -> String {
    var shown: [(functions: [String], places: [String])] = []
    for calls in stretch.places.map(calls) where !calls.isEmpty {
      let functions = calls.map(\.function)
      if shown.last?.functions != functions { shown.append((functions, [])) }
      if let place = calls[0].place, shown[shown.count - 1].places.last != place {
        shown[shown.count - 1].places.append(place)
      }
    }
    return shown.map { functions, places in
      let caller = functions.count > 1 ? " in \(functions[1])" : ""
      return "\(functions[0])\(places.isEmpty ? "" : " ")\(places.joined(separator: ", "))\(caller)"
    }.joined(separator: "; ")
  }

  /// The outermost function of a task that is known, which is the task's closure in most cases.
  func function(of task: UInt32, in stretches: [ScheduleRecord.Stretch]) -> String? {
    stretches.lazy.filter { $0.task == task }.flatMap(\.places).compactMap {
      calls($0.reversed()).first
    }
    .first.map { [$0.function, $0.place].compactMap(\.self).joined(separator: " ") }
  }

  /// The nearest two functions, and the file and line of each if they are known.
  private func calls(_ addresses: [UInt]) -> [(function: String, place: String?)] {
    names.nearest(CallerTrace(addresses)).compactMap { text in
      guard let comma = text.firstRange(of: ", in ") else { return haveLines ? nil : (text, nil) }
      let path = text[..<comma.lowerBound]
      let file = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path
      return (String(text[comma.upperBound...]), String(file))
    }
  }
}
