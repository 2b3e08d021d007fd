// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// A priority queue of names, each with the uptime at which it lapses; the name that lapses first
/// comes out first.
struct LapseQueue<Name: Sendable>: Sendable {
  private struct Lapse: Comparable {
    let end: Duration
    let name: Name

    static func == (left: Lapse, right: Lapse) -> Bool { left.end == right.end }
    static func < (left: Lapse, right: Lapse) -> Bool { left.end < right.end }
  }

  private var lapses = BinaryHeap<Lapse>()

  mutating func add(_ name: Name, end: Duration) { lapses.insert(Lapse(end: end, name: name)) }

  /// Removes and returns the name that lapses first. Returns nil if no name has lapsed at `uptime`.
  mutating func next(at uptime: Duration) -> Name? {
    guard let first = lapses.first, first.end <= uptime else { return nil }
    lapses.removeFirst()
    return first.name
  }
}
