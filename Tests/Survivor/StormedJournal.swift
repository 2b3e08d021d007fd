// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import Synchronization
import TestSupport

/// A journal to which threads append in a storm, and another that is opened and closed meanwhile.
enum StormedJournal {
  private static let threads = 8
  private static let isOver = Atomic<Bool>(false)
  private static let notes = Guarded(Notes())

  private struct Notes {
    /// The records whose call returned true, and those that a batch had.
    var accepted: Set<String> = []
    var delivered: [String] = []
    /// The same of the journal that is opened again and again, and how often it could not be opened.
    var acceptedByOther: Set<String> = []
    var deliveredByOther: Set<String> = []
    var refused = 0
  }

  static func run(_ storm: DescriptorStorm, _ folder: String, steps: Int) throws {
    Diagnostics.instance = .calling { FileHandle.standardError.write(Data("\($0)\n".utf8)) }
    var options = Journal.Options()
    options.capacity = 1 << 20
    let journal = try Journal(folder: "\(folder)/journal", options)
    let group = DispatchGroup()
    func start(_ body: @escaping @Sendable () -> Void) {
      group.enter()
      Thread.detachNewThread {
        var turn = 0
        while !isOver.load(ordering: .acquiring) {
          body()
          turn += 1
          if turn % 10 == 0 { usleep(10_000) }
        }
        group.leave()
      }
    }
    for thread in 0..<threads {
      let number = Counter()
      start {
        let next = number.next()
        guard append(KilledRecord.text("j", thread, next), to: journal) else { return }
        notes.withLock { _ = $0.accepted.insert("j.\(thread).\(next)") }
        // Nothing may be dropped for want of room.
        while journal.byteCount > 1 << 18, !isOver.load(ordering: .acquiring) { usleep(500) }
      }
    }
    start {
      deliver(journal)
      journal.synchronize()
      usleep(500)
    }
    let number = Counter()
    start { openOther("\(folder)/other", number.next()) }
    storm.run(steps: steps)
    isOver.store(true, ordering: .releasing)
    group.wait()
    journal.close()
    let again = try Journal(folder: "\(folder)/journal", options)
    while again.count > 0 { deliver(again) }
    deliverOther(try Journal(folder: "\(folder)/other", small))
    notes.withLock { notes in
      print("accepted", notes.accepted.count, notes.acceptedByOther.count)
      print("missing", notes.accepted.subtracting(notes.delivered).count)
      print("missing-other", notes.acceptedByOther.subtracting(notes.deliveredByOther).count)
      print("twice", notes.delivered.count - Set(notes.delivered).count)
      print("refused", notes.refused)
    }
    print("storm", storm.hits, storm.closed, storm.victims)
  }

  private static var small: Journal.Options {
    var options = Journal.Options()
    options.capacity = 65_536
    return options
  }

  private static func openOther(_ folder: String, _ number: Int) {
    guard let other = try? Journal(folder: folder, small) else {
      return notes.withLock { $0.refused += 1 }
    }
    if append(KilledRecord.text("o", 0, number), to: other) {
      notes.withLock { _ = $0.acceptedByOther.insert("o.0.\(number)") }
    }
    if other.count > 50 { deliverOther(other) }
    other.close()
  }

  private static func deliverOther(_ other: Journal) {
    let batch = other.batch(maximumCount: .max, maximumBytes: .max, now: Date())
    notes.withLock { $0.deliveredByOther.formUnion(batch.map(name)) }
    if let last = batch.last { other.acknowledge(last.position) }
  }

  private static func deliver(_ journal: Journal) {
    let batch = journal.batch(maximumCount: 200, maximumBytes: 65_536, now: Date())
    notes.withLock { $0.delivered += batch.map(name) }
    if let last = batch.last { journal.acknowledge(last.position) }
  }

  private static func name(of record: Journal.Record) -> String {
    KilledRecord.name(in: String(decoding: record.bytes, as: UTF8.self)) ?? "damaged"
  }

  private static func append(_ text: String, to journal: Journal) -> Bool {
    Array(text.utf8).withUnsafeBytes { journal.append($0, at: Date()) }
  }
}

/// Numbers from one on.
private final class Counter: Sendable {
  private let last = Atomic<Int>(0)

  func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
