// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import AmbientVirtualTime
internal import Foundation

extension Suite {
  /// The clocks, beside the system's call; and sleepers in virtual time, beside a bare heap.
  static let time = Suite(
    name: "time", abstract: "reading time, and waking sleepers in virtual time"
  ) { bench in
    Time.instance = DefaultTime()
    _ = Time.instance
    let floor = Case("clock_gettime") { count in
      carry(count) { value in
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return value &+ time.tv_nsec
      }
    }
    try await bench.measure("before any scope", floor: floor, [now("Time.now", DefaultTime.self)])
    try await Time.freeze(at: Date(timeIntervalSinceReferenceDate: 0)) {
      try await bench.measure("frozen, in a scope", floor: floor, [now("Time.now", FixedTime.self)])
    }
    try await Time.withInstance(DefaultTime()) {
      try await bench.measure("in a scope", floor: floor, [now("Time.now", DefaultTime.self)])
    }
    for sleepers in [1_000, 10_000, 100_000] {
      try await bench.measure(
        "\(sleepers) at once", floor: heap(sleepers), [virtualSleepers(sleepers)], rounds: 11)
    }
  }
}

/// Reads the time in force, which must be of the kind that the stage is named after.
private func now(_ name: String, _ kind: Time.Type) -> Case {
  Case(name) { count in
    precondition(type(of: Time.instance) == kind)
    return carry(count) {
      $0 &+ Int(bitPattern: UInt(Time.now.timeIntervalSinceReferenceDate.bitPattern))
    }
  }
}

/// The milliseconds for which sleeper number `index` sleeps: spread out, and some at the same time.
private func milliseconds(_ index: Int) -> Int {
  Int(UInt32(truncatingIfNeeded: index) &* 2_654_435_769 >> 8)
}

/// Starts so many tasks that sleep once, and lets time pass until none sleeps.
private func virtualSleepers(_ sleepers: Int) -> Case {
  // A task each, its sleep and its place in the queue.
  Case("a sleeper, armed and fired", calls: sleepers, allowance: 16) { count in
    try await Time.virtual(from: Date(timeIntervalSinceReferenceDate: 0)) { time in
      // Not in a group: a group looks through all its children when one of them ends.
      for index in 0..<count {
        Time.task { try await Time.sleep(for: .milliseconds(milliseconds(index))) }
      }
      try await time.run(limit: count + 1)
      return time.sleeps.count
    }
  }
}

/// The least that it can cost: a binary heap takes each deadline in, and gives each out.
private func heap(_ sleepers: Int) -> Case {
  Case("a deadline through a binary heap", calls: sleepers, allowance: 1) { count in
    var heap = IntegerHeap()
    for index in 0..<count { heap.insert(milliseconds(index)) }
    var sum = 0
    while let first = heap.popFirst() { sum &+= first }
    return sum
  }
}

private struct IntegerHeap {
  private var places: [Int] = []

  mutating func insert(_ value: Int) {
    places.append(value)
    var index = places.count - 1
    while index > 0, places[(index - 1) / 2] > value {
      places.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func popFirst() -> Int? {
    guard let first = places.first, let last = places.popLast() else { return nil }
    guard !places.isEmpty else { return first }
    places[0] = last
    var index = 0
    while 2 * index + 1 < places.count {
      var child = 2 * index + 1
      if child + 1 < places.count, places[child + 1] < places[child] { child += 1 }
      guard places[child] < places[index] else { break }
      places.swapAt(index, child)
      index = child
    }
    return first
  }
}
