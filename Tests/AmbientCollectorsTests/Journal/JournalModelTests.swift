// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite(.timeLimit(.minutes(30))) struct `Journal compared with a model` {
  /// What a journal should hold, by the room of its frames.
  private struct Model {
    var waiting: [(text: String, date: Date, size: Int)] = []
    /// What was erased or is too old still has its room, if something stands before it.
    var frames: [(size: Int, isEmpty: Bool)] = []
    var dropped = Journal.Dropped()
    let capacity: Int

    var used: Int { frames.reduce(0) { $0 + $1.size } }

    mutating func append(_ text: String, _ date: Date) -> Bool {
      guard text.utf8.count <= capacity / 4 else {
        dropped.tooLong += 1
        return false
      }
      let size = (24 + text.utf8.count + 7) / 8 * 8
      while used + size > capacity {
        if frames.removeFirst().isEmpty { continue }
        waiting.removeFirst()
        dropped.full += 1
      }
      frames.append((size, false))
      waiting.append((text, date, size))
      return true
    }

    /// Takes out those of which that is true, from the number on.
    mutating func remove(from first: Int = 0, where isGone: (String, Date) -> Bool) -> Int {
      var number = 0
      for (place, frame) in frames.enumerated() where !frame.isEmpty {
        if number >= first, isGone(waiting[number].text, waiting[number].date) {
          frames[place].isEmpty = true
        }
        number += 1
      }
      let kept = waiting.enumerated().filter { $0 < first || !isGone($1.text, $1.date) }
      defer {
        waiting = kept.map(\.element)
        trim()
      }
      return waiting.count - kept.count
    }

    mutating func acknowledge(_ count: Int) {
      waiting.removeFirst(count)
      var left = count
      while left > 0 { if !frames.removeFirst().isEmpty { left -= 1 } }
      trim()
    }

    /// For how many reasons something was dropped: each is reported once in an opening.
    var reasons: Int {
      [dropped.full, dropped.expired, dropped.tooLong].count { $0 > 0 }
    }

    mutating func trim() { while frames.first?.isEmpty == true { frames.removeFirst() } }
  }

  @Test(.quiet, arguments: 0..<6)
  func `after random operations, a journal has the same records and counts as a simple model`(
    _ seed: Int
  ) throws {
    var random = SeededNumbers(seed)
    let queue = Queue()
    let age = Duration.seconds(100)
    func open() throws -> Journal { try queue.open { $0.maximumAge = age } }
    var journal = try open()
    var model = Model(capacity: 65_536)
    var now = Journal.now
    var number = 0
    var reports = 0
    let rounds = TestRun.rounds(1_000, all: 3_000, full: 10_000)
    for _ in 0..<rounds {
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<60:
        for _ in 0..<Int.random(in: 1..<10, using: &random) {
          let isLong = Int.random(in: 0..<200, using: &random) == 0
          let length = Int.random(in: 0..<(isLong ? 17_000 : 300), using: &random)
          let text = "\(number)".padding(toLength: length, withPad: "-", startingAt: 0)
          let date = now - Double.random(in: 0..<20, using: &random).rounded()
          number += 1
          #expect(journal.append(text, at: date) == model.append(text, date))
        }
      case 60..<75:
        let count = Int.random(in: 1..<40, using: &random)
        let bytes = Int.random(in: 0..<5_000, using: &random)
        let records = journal.batch(maximumCount: count, maximumBytes: bytes, now: now)
        let oldest = now - 100
        model.dropped.expired += expire(&model, before: oldest, count, bytes)
        var total = 0
        let expected = model.waiting.prefix(count).enumerated().prefix {
          total += $1.text.utf8.count
          return $0 == 0 || total <= bytes
        }
        #expect(records.map(\.text) == expected.map(\.element.text))
        #expect(records.map(\.date) == expected.map(\.element.date))
        let done = Int.random(in: 0...records.count, using: &random)
        if done > 0 {
          journal.acknowledge(records[done - 1].position)
          model.acknowledge(done)
        }
      case 75..<80:
        let digit = "\(Int.random(in: 0..<10, using: &random))"
        let erased = journal.erase { $0.text.hasPrefix(digit) }
        #expect(erased == model.remove { text, _ in text.hasPrefix(digit) })
      case 80..<90: now += Double.random(in: 0..<30, using: &random).rounded()
      case 90..<92:
        journal.close()
        journal = try open()
        reports += model.reasons
        model.dropped = Journal.Dropped()
      default:
        let records = journal.batch(maximumCount: 5, maximumBytes: .max, now: .distantPast)
        guard let last = records.last else { continue }
        let next = journal.batch(
          after: last.position, maximumCount: 7, maximumBytes: .max, now: .distantPast)
        #expect(
          (records + next).map(\.text) == model.waiting.prefix(12).map(\.text))
      }
      #expect(journal.count == model.waiting.count)
      #expect(journal.byteCount == model.waiting.reduce(0) { $0 + $1.text.utf8.count })
      #expect(journal.oldest == model.waiting.first?.date)
      #expect(journal.dropped == model.dropped)
    }
    #expect(number > 2 * rounds)
    #expect(Test.reports.count == reports + model.reasons)
  }

  /// Drops what is too old as far as a batch looks: until it is full.
  private func expire(_ model: inout Model, before oldest: Date, _ count: Int, _ bytes: Int) -> Int
  {
    var (taken, total, gone) = (0, 0, Set<Int>())
    for (number, record) in model.waiting.enumerated() {
      if record.date < oldest {
        gone.insert(number)
        continue
      }
      let length = record.text.utf8.count
      guard taken == 0 || taken < count && total + length <= bytes else { break }
      (taken, total) = (taken + 1, total + length)
    }
    // Asked twice for each.
    var number = -1
    let all = max(model.waiting.count, 1)
    return model.remove { _, _ in
      number += 1
      return gone.contains(number % all)
    }
  }
}
