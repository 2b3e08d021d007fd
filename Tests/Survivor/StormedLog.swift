// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import Synchronization

/// A log to which threads log in a storm, and after it.
enum StormedLog {
  private static let threads = 8
  private static let isOver = Atomic<Bool>(false)
  private static let reports = Atomic<Int>(0)

  static func run(
    _ storm: DescriptorStorm, _ folder: String, steps: Int, _ survival: String
  ) throws {
    Diagnostics.instance = .calling { _ in reports.add(1, ordering: .relaxed) }
    var options = FileOptions()
    if survival == "eachLine" { options.survival = .eachLine }
    if survival == "machine" { options.survival = .machine }
    let log = try FileLog(path: "\(folder)/shop.log", level: .info, file: options)
    Log.instance = log
    let before = logged { thread, number in
      if number % 10 == 0 {
        if thread == 0 { log.flush() }
        usleep(10_000)
      }
      return !isOver.load(ordering: .acquiring)
    } meanwhile: {
      storm.run(steps: steps)
      isOver.store(true, ordering: .releasing)
    }
    log.flush()
    log.flush()
    let lostBefore = log.lostRecords
    let after = logged(from: before) { thread, number in
      number < before[thread] + 500
    } meanwhile: {
    }
    log.flush()
    print("before", before.map(String.init).joined(separator: " "))
    print("after", after.map(String.init).joined(separator: " "))
    print("lost", lostBefore, log.lostRecords - lostBefore)
    print("storm", storm.hits, storm.closed, storm.victims)
    print("reports", reports.load(ordering: .relaxed))
  }

  /// Logs numbered lines from each thread as long as `goesOn` says; returns the last numbers.
  private static func logged(
    from first: [Int] = Array(repeating: 0, count: threads),
    while goesOn: @escaping @Sendable (Int, Int) -> Bool, meanwhile body: () -> Void
  ) -> [Int] {
    let last = Guarded(first)
    let group = DispatchGroup()
    for thread in 0..<threads {
      group.enter()
      Thread.detachNewThread {
        var number = first[thread]
        repeat {
          number += 1
          Log.info("s.\(thread).\(number) a line of the usual length, as a server writes it")
        } while goesOn(thread, number)
        last.withLock { $0[thread] = number }
        group.leave()
      }
    }
    body()
    group.wait()
    return last.withLock { $0 }
  }
}
